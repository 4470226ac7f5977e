import LiveActivityModel
import Quantities
import SimulationKernel
import Statistics
import Studies
import Synchronization
import TestSupport
import Testing

@testable import Verification

@Suite("Estimator and threshold search")
struct EstimatorTests {
    /// A queue with one server, measured for a short time.
    private static func world() throws -> World {
        var scenario = Scenario.queue(
            "short",
            gap: .exponential(mean: 2e6),
            streams: 1,
            service: .exponential(mean: 1e6),
            warmUp: .seconds(20),
            length: .seconds(200)
        )
        scenario.measure.waitOver = [.zero]
        return try ScenarioLoader.world(scenario)
    }

    private final class Count: Sendable {
        private let value = Mutex(0)
        var count: Int { value.withLock { $0 } }
        func add() { value.withLock { $0 += 1 } }
    }

    private static func estimate(width: Double, jobs: Int) async throws -> (SeedEstimates, replications: Int) {
        let count = Count()
        let response = Estimand(
            "send_wait_over_ratio",
            { measurements in
                count.add()
                return Double(measurements[.waitsOver, 0])
            },
            per: { Double($0[.sendWait].count) }
        )
        let estimator = Estimator(
            world: try world(),
            response: response,
            relativeHalfWidth: width,
            seeds: [1, 2, 3, 4, 5],
            replications: 4,
            jobs: jobs
        )
        return (try await estimator.run(), count.count / 5)
    }

    @Test("Replications are added until the interval is narrow enough, and no more")
    func stops() async throws {
        // Even for a wide interval, a seed needs enough observations for its estimate to be nearly normal.
        let (wide, fewest) = try await Self.estimate(width: 10, jobs: 2)
        #expect(fewest > 4 && wide.skewness < 0.25)
        let (narrow, replications) = try await Self.estimate(width: 0.02, jobs: 2)
        let interval = try #require(narrow.interval)
        #expect(interval.halfWidth <= 0.016 * interval.mean)
        #expect(replications > fewest && replications < Estimator.mostReplications)
    }

    @Test("A narrow interval gets as many replications as it needs", .enabled(if: Loop.isFull))
    func goesOn() async throws {
        let (narrow, replications) = try await Self.estimate(width: 0.004, jobs: 2)
        let interval = try #require(narrow.interval)
        #expect(interval.halfWidth <= 0.004 * interval.mean, "\(replications) replications")
        #expect(replications > 2048)
    }

    @Test("The estimates are the same for any number of jobs")
    func jobs() async throws {
        let one = try await Self.estimate(width: 0.1, jobs: 1)
        let three = try await Self.estimate(width: 0.1, jobs: 3)
        #expect(one.replications == three.replications)
        #expect(one.0.mean == three.0.mean)
        #expect(one.0.interval == three.0.interval)
        #expect(one.0.spread(around: 0.5)?.sum == three.0.spread(around: 0.5)?.sum)
    }

    @Test("A single seed is not run repeatedly")
    func oneSeed() async throws {
        let count = Count()
        let response = Estimand(
            "",
            { _ in
                count.add()
                return 1
            },
            per: { _ in 1 }
        )
        let estimator = Estimator(
            world: try Self.world(),
            response: response,
            relativeHalfWidth: 0.01,
            seeds: [1],
            replications: 1,
            jobs: 1
        )
        #expect(try await estimator.run().mean == 1)
        #expect(count.count == 1)
    }

    /// Collapses from a strength of 0.345 on: the scenario begins that many hundredths of a ride.
    private static func search(_ range: ClosedRange<Double>) -> ThresholdSearch {
        ThresholdSearch(
            scenario: { strength in
                var scenario = Scenario.bare("threshold")
                scenario.rides.arrivals.process = .even
                scenario.rides.arrivals.count = Int(1000 * strength)
                scenario.setLength(.seconds(1))
                return scenario
            },
            hasCollapsed: { $0[.activitiesStarted] >= 345 },
            range: range,
            precision: 0.002
        )
    }

    @Test(
        "A threshold is found by bisection, and compared with the answer",
        arguments: [(0.345, 0.002, Judgement.Verdict.pass), (0.35, 0.002, .fail), (0.35, 0.01, .pass)]
    )
    func threshold(exact: Double, distance: Double, verdict: Judgement.Verdict) async throws {
        let known = try Case.read(
            Case.json("", "", exact: "\(exact)", tolerance: #"{"kind": "abs", "abs": \#(distance)}"#)
        )
        let judgement = try await Self.search(0.1...0.9).judgement(of: known)
        #expect(judgement.verdict == verdict)
        #expect(abs(try #require(judgement.estimate) - 0.345) < 0.002)
        #expect(try #require(judgement.halfWidth) <= 0.001)
        // 0.8 is halved nine times before it is below 0.002, and both ends are tried.
        #expect(judgement.remark == "11 runs")
    }

    @Test("If both ends behave alike there is no threshold", arguments: [0.1...0.2, 0.5...0.9])
    func noThreshold(range: ClosedRange<Double>) async throws {
        let known = try Case.read(Case.json("", "", tolerance: #"{"kind": "abs", "abs": 1}"#))
        let judgement = try await Self.search(range).judgement(of: known)
        #expect(judgement.verdict == .fail)
        #expect(judgement.remark == "there is no threshold within the range")
    }
}
