import Evaluation
import LiveActivityModel
import Quantities
import SimulationKernel
import Statistics
import Testing

@testable import Reporting

struct SteadyStateTests {
    /// Rides of half an hour at a constant rate: from then on the number of live activities is stationary.
    private static var filling: Scenario {
        var scenario = Scenario()
        scenario.clock.duration = .hours(8)
        scenario.clock.drain = .hours(1)
        scenario.clock.window = .minutes(5)
        scenario.rides.arrivals.ratesPerHour = [400]
        scenario.rides.stages = [Scenario.Stage(name: "ride", duration: .constant(1800e6))]
        scenario.content.refresh = .constant(60e6)
        scenario.apns.latency = .exponential(mean: 30e6)
        return scenario
    }

    @Test("A run that fills up for half an hour is steady some time later")
    func steady() async throws {
        let result = try await RunResult.running(Self.filling)
        guard case .from(let instant)? = SteadyState(result) else {
            Issue.record("not steady")
            return
        }
        #expect(instant >= .start + .minutes(25))
        // The later of the two cuts over the 96 windows with arrivals.
        let series = result.total.series
        let live = (0..<96).map { Double(series[$0, .displayedTime]) }
        let fresh = (0..<96).map { Double(series[$0, .displayedFreshTime]) / live[$0] }
        let cuts = [try #require(MSER5.truncation(live)), try #require(MSER5.truncation(fresh))]
        #expect(instant == .start + .minutes(5 * Int64(max(cuts[0], cuts[1]))))
        #expect(Report(result).blocks.markdown.contains("steady from"))
    }

    @Test("A run that fills up until its end is too short")
    func filling() async throws {
        var scenario = Self.filling
        scenario.rides.stages[0].duration = .constant(7 * 3600e6)
        scenario.rides.arrivals.ratesPerHour = [20]
        let result = try await RunResult.running(scenario)
        #expect(SteadyState(result) == .notReached)
        #expect(Report(result).blocks.markdown.contains("too short to become steady"))
    }

    @Test(
        "No steady state is reported with a warm-up, faults or changing rates",
        arguments: [
            { $0.clock.warmUp = .minutes(30) },
            { $0.faults = [Scenario.Fault(kind: .apnsSilent, at: .hours(1), duration: .minutes(5))] },
            { $0.rides.arrivals.ratesPerHour = [20, 40] },
        ] as [@Sendable (inout Scenario) -> Void]
    )
    func none(change: @Sendable (inout Scenario) -> Void) async throws {
        var scenario = Self.filling
        scenario.rides.arrivals.ratesPerHour = [20]
        change(&scenario)
        let result = try await RunResult.running(scenario)
        #expect(SteadyState(result) == nil)
        #expect(!Report(result).blocks.markdown.contains("MSER"))
    }

    @Test("A run with fewer windows than the rule needs is reported")
    func fewWindows() async throws {
        var scenario = Self.filling
        scenario.rides.arrivals.ratesPerHour = [20]
        scenario.clock.window = .minutes(10)
        let result = try await RunResult.running(scenario)
        #expect(SteadyState(result) == .tooFewWindows(48))
        let report = Report(result).blocks.markdown
        #expect(report.contains("MSER-5 needs 50 windows of `clock.window` while rides arrive, and there are 48."))
    }
}
