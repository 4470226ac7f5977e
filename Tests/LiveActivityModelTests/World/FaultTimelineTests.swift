import Quantities
import Testing

@testable import LiveActivityModel

@Suite("FaultTimeline")
struct FaultTimelineTests {
    private static func fault(_ kind: Scenario.Fault.Kind, _ from: Int64, _ until: Int64) -> Scenario.Fault {
        .init(kind: kind, at: .seconds(from), duration: .seconds(until - from))
    }

    private static func second(_ seconds: Int64) -> Instant { .start + .seconds(seconds) }

    @Test("Faults are sorted by kind and keep their index in the list")
    func kinds() {
        var slow = Self.fault(.apnsSlow, 1, 2)
        slow.factor = 2.5
        slow.share = Probability(0.5)
        let timeline = FaultTimeline(Scenario.Fault.Kind.allCases.map { Self.fault($0, 5, 6) } + [slow])
        let lists = [
            timeline.apnsSilent, timeline.apnsUnavailable, timeline.apnsSlow, timeline.connectionLost,
            timeline.senderPaused, timeline.monitorPaused, timeline.contentDown, timeline.contentSlow,
            timeline.tokenPostDown, timeline.devicesOffline,
        ]
        #expect(lists.map { $0.map(\.number) } == [[0], [1], [2, 11], [4], [5], [6], [7], [8], [9], [10]])
        #expect(timeline.apnsSlow.map(\.factorThousandths) == [1000, 2500])
        #expect(timeline.apnsSlow.map(\.share) == [.always, Probability(0.5)])
    }

    @Test(
        "A period includes its first instant and not its last",
        arguments: [(9, false), (10, true), (19, true), (20, false), (24, false), (25, true), (30, false)]
    )
    func cover(second: Int64, isCovered: Bool) {
        let periods = FaultTimeline([Self.fault(.contentDown, 10, 20), Self.fault(.contentDown, 25, 30)]).contentDown
        #expect(FaultTimeline.any(periods, cover: Self.second(second)) == isCovered)
    }

    @Test(
        "Adjacent or overlapping periods are left together",
        arguments: [(9, 9), (10, 35), (20, 35), (30, 35), (35, 35), (40, 41), (50, 50)]
    )
    func firstUncovered(second: Int64, free: Int64) {
        let periods = FaultTimeline([
            Self.fault(.monitorPaused, 40, 41), Self.fault(.monitorPaused, 20, 30), Self.fault(.monitorPaused, 28, 35),
            Self.fault(.monitorPaused, 10, 20), Self.fault(.monitorPaused, 50, 50),
        ])
        .monitorPaused
        #expect(FaultTimeline.firstUncovered(by: periods, notBefore: Self.second(second)) == Self.second(free))
    }

    @Test(
        "No fault is active between faults of all kinds, up to the next that begins; within one, up to the next change",
        arguments: [(0, true, 10), (10, false, 15), (15, false, 20), (20, false, 25), (25, true, 40), (40, true, 50)]
    )
    func faultFree(second: Int64, isFaultFree: Bool, until: Int64) {
        let timeline = FaultTimeline([
            Self.fault(.apnsSilent, 10, 20), Self.fault(.senderPaused, 15, 25), Self.fault(.connectionLost, 40, 40),
            Self.fault(.apnsSlow, 50, 60),
        ])
        let found = timeline.faultFree(at: Self.second(second))
        #expect(found == (isFaultFree, Self.second(until)))
        #expect(timeline.faultFree(at: Self.second(60)) == (true, .never))
    }

    /// Stopped from 10 to 20 s; at a quarter from 30 to 40 and at a half from 36 to 44, which makes an eighth in
    /// between.
    @Test(
        "A service accounts for all speeds during it",
        arguments: [
            // start [s], work [ms], end [ms]
            (0, 0, 0), (0, 10_000, 10_000), (0, 10_001, 20_001), (10, 0, 10_000), (10, 1, 20_001), (15, 4000, 24_000),
            (29, 1000, 30_000), (29, 1500, 32_000), (30, 1500, 36_000), (30, 1501, 36_008), (30, 2000, 40_000),
            (30, 2001, 40_002), (30, 4000, 44_000), (30, 4001, 44_001), (50, 7, 50_007), (0, 100_000, 120_000),
        ] as [(Int64, Int64, Int64)]
    )
    func service(start: Int64, work: Int64, end: Int64) {
        var faults = [
            Self.fault(.apnsCapacity, 30, 40), Self.fault(.apnsCapacity, 10, 20), Self.fault(.apnsCapacity, 36, 44),
        ]
        for (index, factor) in [0.25, 0, 0.5].enumerated() {
            faults[index].factor = factor
        }
        let timeline = FaultTimeline(faults)
        #expect(timeline.endOfService(of: .milliseconds(work), from: Self.second(start)) == .start + .milliseconds(end))
    }

    @Test("A service ends with the microsecond in which it is complete")
    func roundedService() {
        var fault = Self.fault(.apnsCapacity, 0, 10)
        fault.factor = 0.3
        let timeline = FaultTimeline([fault])
        let ends = [1, 2, 3, 2_999_999, 3_000_000, 3_000_001]
            .map { timeline.endOfService(of: TimeSpan(microseconds: $0), from: .start).microseconds }
        #expect(ends == [4, 7, 10, 9_999_997, 10_000_000, 10_000_001])
    }

    @Test(
        "Slowness multiplies, for overlapping periods by all of their factors",
        arguments: [(0, 7), (10, 14), (15, 42), (20, 21)]
    )
    func slowness(second: Int64, length: Int64) {
        var faults = [Self.fault(.apnsSlow, 10, 20), Self.fault(.apnsSlow, 15, 25)]
        faults[0].factor = 2
        faults[1].factor = 3
        let slowed = FaultTimeline.slowed(.seconds(7), by: FaultTimeline(faults).apnsSlow, at: Self.second(second))
        #expect(slowed == .seconds(length))
    }
}
