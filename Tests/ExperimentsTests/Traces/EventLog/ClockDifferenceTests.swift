import InputFiles
import LiveActivityModel
import SimulationKernel
import Statistics
import TestSupport
import Testing

@testable import Traces

/// Hosts write one log, and their clocks differ by up to a second.
@Suite("Event logs of hosts whose clocks differ, and values that mislead")
struct ClockDifferenceTests {
    private static let second: Int64 = 1_000_000
    private let scratch = Scratch()

    private static func digest(_ events: [(LogEvent.Kind, Double, (inout LogEvent) -> Void)]) -> LogDigest {
        var digest = LogDigest(origin: 0)
        for (kind, at, change) in events {
            var event = LogEvent(kind, at: Int64((at * 1e6).rounded()), ride: 1)
            change(&event)
            digest.add(event)
        }
        digest.finish()
        return digest
    }

    private static func content(_ at: Double) -> (inout LogEvent) -> Void {
        { ($0.generatedAt, $0.staleDate) = (Int64((at * 1e6).rounded()), Int64(((at + 20) * 1e6).rounded())) }
    }

    @Test(
        "An end sent just before the ride's own end follows it; an earlier end gives the activity up",
        arguments: [(99.985, true), (90, false)]
    )
    func ends(at end: Double, isAfterRide: Bool) {
        let digest = Self.digest([
            (.rideRequested, 0, { _ in }), (.stage, 0, { _ in }), (.tokenPosted, 1, { _ in }),
            (.push, 10, Self.content(10)), (.answer, 10.2, { $0.status = 200 }),
            (.push, end, { $0.pushKind = .end }), (.rideEnded, 100, { _ in }),
        ])
        #expect(digest.severeDelays.elements == (isAfterRide ? [] : [60 * Self.second]))
        #expect(digest.endDelays[0]?.elements == (isAfterRide ? [0] : nil))
        #expect(digest.bins.reduce(0) { $0 + $1.endings } == (isAfterRide ? 1 : 0))
    }

    @Test("The news of a stage that is logged before the stage is no refresh of the stage before")
    func news() {
        let digest = Self.digest([
            (.rideRequested, 0, { _ in }), (.stage, 0, { _ in }), (.tokenPosted, 1, { _ in }),
            (.push, 39.9, Self.content(39.9)), (.stage, 40, { $0.stage = 1 }), (.push, 70, Self.content(70)),
            (.rideEnded, 100, { _ in }),
        ])
        #expect(digest.firstRefreshes[0]?.elements == [.init(at: 0, time: 40 * Self.second, isEvent: false)])
        #expect(
            digest.firstRefreshes[1]?.elements == [.init(at: 39_900_000, time: 30_100_000, isEvent: true)]
        )
    }

    @Test("A refresh just before a stage whose news follows stays a refresh")
    func refreshBeforeStage() {
        let digest = Self.digest([
            (.rideRequested, 0, { _ in }), (.stage, 0, { _ in }), (.tokenPosted, 1, { _ in }),
            (.push, 39.5, Self.content(39.5)), (.stage, 40, { $0.stage = 1 }), (.push, 40.01, Self.content(40.01)),
            (.rideEnded, 100, { _ in }),
        ])
        #expect(digest.firstRefreshes[0]?.elements == [.init(at: 0, time: 39_500_000, isEvent: true)])
        #expect(digest.refreshes[0]?.elements == [.init(at: 39_500_000, time: 500_000, isEvent: false)])
        #expect(digest.firstRefreshes[1]?.elements.map(\.isEvent) == [false])
    }

    @Test("An update just before the first token is its consequence", arguments: [(2.9, 1), (1.5, 0)])
    func firstToken(update: Double, answered: Int) {
        let digest = Self.digest([
            (.rideRequested, 0, { _ in }), (.stage, 0, { _ in }), (.activityStarted, 1, { _ in }),
            (.push, update, Self.content(update)), (.tokenPosted, 3, { _ in }), (.rideEnded, 100, { _ in }),
        ])
        #expect(digest.tokensReceived == 1 && digest.tokensAnswered == answered)
    }

    @Test("A clock that is a little behind does not move the beginning of the log to the hour before")
    func origin() {
        var digest = LogDigest()
        digest.add(LogEvent(.rideRequested, at: 3_599_983_000, ride: 1))
        digest.add(LogEvent(.rideRequested, at: 3_600_500_000, ride: 2))
        digest.finish()
        #expect(digest.origin == 3_600_000_000 && digest.bins[0].requests == 2)
    }

    @Test("Ends of rides whose own end is missing hardly move the time after which the monitor gives up")
    func strays() {
        let spread = (0..<940).map { 260_000_000 + Int64($0) * 5_000_000 / 940 }
        let strays = (0..<60).map { Int64($0) * 4_000_000 }
        let (time, scan) = LogCalibration.onset((spread + strays).sorted())
        #expect(time == 260 * Self.second && scan == 5e6)
    }

    @Test("Quantiles of a distribution with a long tail have its mean")
    func tail() throws {
        // 98 of 100 are near 100 ms, the others between 1 and 8 s.
        let values = (0..<10_000)
            .map { rank -> Int64 in
                rank < 9800 ? 50_000 + Int64(rank) * 12 : 1_000_000 + Int64(rank - 9800) * 35_000
            }
        let fit = try #require(LogFit(values))
        guard case .quantiles(let points) = fit.distribution else {
            Issue.record("\(fit.yaml)")
            return
        }
        var mean = 0.0
        for (low, high) in zip(points, points.dropFirst()) {
            mean += (high.probability - low.probability) * (low.value + high.value) / 2
        }
        let expected = Double(values.reduce(0, +)) / Double(values.count)
        #expect(abs(mean / expected - 1) < 0.03, "\(mean) instead of \(expected)")
    }

    @Test("The factor of a slow hour is that of the medians, also if it is long")
    func slowFactor() throws {
        var digest = LogDigest(origin: 0)
        for number in 0..<14_400 {
            let at = Int64(number) * Self.second
            let latency = 100_000 * (1 + Int64(number * 7919 % 100) / 50) * ((7200..<10_800).contains(number) ? 3 : 1)
            var push = LogEvent(.push, at: at, ride: 1)
            push.push = UInt64(number + 1)
            var answer = LogEvent(.answer, at: at + latency, ride: 1)
            (answer.push, answer.status) = (push.push, 200)
            digest.add(push)
            digest.add(answer)
        }
        digest.finish()
        let slow = try #require(LogIncidents(digest).incidents.first { $0.kind == .apnsSlow })
        #expect(abs((slow.size ?? 0) - 3) < 0.01, "\(slow)")
    }

    @Test("A time to the stale date that varies is stated, and is an assumption")
    func severalTTLs() {
        let ride: [(LogEvent.Kind, Double, (inout LogEvent) -> Void)] = [
            (.rideRequested, 0, { _ in }), (.stage, 0, { _ in }), (.tokenPosted, 1, { _ in }),
        ]
        func calibration(_ ttls: [Double]) -> LogCalibration {
            let pushes = (0..<40)
                .map { number -> (LogEvent.Kind, Double, (inout LogEvent) -> Void) in
                    let at = Double(10 * number + 10)
                    return (
                        .push, at,
                        {
                            $0.generatedAt = $0.at
                            $0.staleDate = $0.at + Int64(ttls[number % ttls.count] * 1e6)
                        }
                    )
                }
            return LogCalibration(
                Self.digest(ride + pushes),
                cleaning: LogCleaning(),
                stages: ["trip"],
                reasons: [""],
                name: "x"
            )
        }
        func isAssumed(_ calibration: LogCalibration) -> Bool {
            calibration.assumptions.contains { $0.alternatives == ["content.ttl=2m", "content.ttl=5m"] }
        }
        #expect(isAssumed(calibration([120, 240, 300])))
        #expect(!calibration([240]).assumptions.contains { $0.sentence.contains("content.ttl") })
    }

    @Test(
        "Times that show a wrong unit are refused",
        arguments: ["at: {column: ts, unit: ms}", "latency: {column: took, unit: s}"]
    )
    func units(column: String) throws {
        let mapping = try scratch.write("columns:\n  \(column)\n", to: "map.yaml")
        let rows = (0..<20)
            .map { number in
                let at = 1_700_000_000 + number
                return
                    #"{"ts":\#(at),"event":"push","ride":"a","push":"\#(number)","generated_at":"2023-11-14T22:13:20Z","status":200,"took":95}"#
                    + "\n"
            }
        let request = #"{"ts":1700000000,"event":"ride_requested","ride":"a"}"# + "\n"
        let log = try scratch.write(request + rows.joined(), to: "log.ndjson")
        let error = #expect(throws: DataFileError.self) {
            _ = try LogCalibration.of(files: [log], mapping: LogMapping(file: mapping), name: "x")
        }
        #expect(error.map { "\($0)" }?.contains("may be wrong") == true, "\(error.map { "\($0)" } ?? "")")
    }
}
