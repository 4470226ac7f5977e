import Quantities
import Testing

@testable import LiveActivityModel

@Suite("FaultTimeline")
struct FaultTimelineTests {
    private static func fault(_ kind: Scenario.Fault.Kind, _ from: Int64, _ until: Int64) -> Scenario.Fault {
        .init(kind: kind, at: .seconds(from), duration: .seconds(until - from))
    }

    private static func second(_ seconds: Int64) -> Instant { .start + .seconds(seconds) }

    @Test("Faults are sorted by kind and keep their place in the list")
    func kinds() {
        var slow = Self.fault(.apnsSlow, 1, 2)
        slow.factor = 2.5
        slow.share = Probability(0.5)
        let timeline = FaultTimeline(Scenario.Fault.Kind.allCases.map { Self.fault($0, 5, 6) } + [slow])
        let lists = [
            timeline.apnsSilent, timeline.apnsUnavailable, timeline.apnsSlow, timeline.connectionLost,
            timeline.senderPaused, timeline.monitorPaused, timeline.contentDown, timeline.tokenPostDown,
            timeline.devicesOffline,
        ]
        #expect(lists.map { $0.map(\.number) } == [[0], [1], [2, 9], [3], [4], [5], [6], [7], [8]])
        #expect(timeline.apnsSlow.map(\.factorThousandths) == [1000, 2500])
        #expect(timeline.apnsSlow.map(\.share) == [.always, Probability(0.5)])
    }

    @Test(
        "A stretch has its first instant and not its last",
        arguments: [(9, false), (10, true), (19, true), (20, false), (24, false), (25, true), (30, false)]
    )
    func cover(second: Int64, isCovered: Bool) {
        let stretches = FaultTimeline([Self.fault(.contentDown, 10, 20), Self.fault(.contentDown, 25, 30)]).contentDown
        #expect(FaultTimeline.any(stretches, cover: Self.second(second)) == isCovered)
    }

    @Test(
        "Stretches that touch or overlap are left together",
        arguments: [(9, 9), (10, 35), (20, 35), (30, 35), (35, 35), (40, 41), (50, 50)]
    )
    func firstUncovered(second: Int64, free: Int64) {
        let stretches = FaultTimeline([
            Self.fault(.monitorPaused, 40, 41), Self.fault(.monitorPaused, 20, 30), Self.fault(.monitorPaused, 28, 35),
            Self.fault(.monitorPaused, 10, 20), Self.fault(.monitorPaused, 50, 50),
        ])
        .monitorPaused
        #expect(FaultTimeline.firstUncovered(by: stretches, notBefore: Self.second(second)) == Self.second(free))
    }

    @Test(
        "Slowness multiplies, where stretches overlap with all of them",
        arguments: [(0, 7), (10, 14), (15, 42), (20, 21)]
    )
    func slowness(second: Int64, length: Int64) {
        var faults = [Self.fault(.apnsSlow, 10, 20), Self.fault(.apnsSlow, 15, 25)]
        faults[0].factor = 2
        faults[1].factor = 3
        let slowed = FaultTimeline(faults).slowed(.seconds(7), at: Self.second(second))
        #expect(slowed == .seconds(length))
    }
}
