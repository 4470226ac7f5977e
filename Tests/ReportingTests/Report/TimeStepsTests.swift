import Evaluation
import LiveActivityModel
import Quantities
import Testing

@testable import Reporting

struct TimeStepsTests {
    @Test(arguments: [(1, 3, 15), (2, 2, 20), (3, 1, 15), (4, 1, 20), (9, 1, 20)])
    func windowsGoIntoSteps(windowsPerStep: Int, count: Int, endMinute: Int64) async throws {
        let result = try await RunResult.running(.oneRide)
        let steps = TimeSteps(result, windowsPerStep: windowsPerStep).steps
        #expect(steps.count == count)
        #expect(steps.reduce(0) { $0 + $1[.displayedTime] } == result.total.time(.displayedTime))
        #expect(steps.last?.until == .start + .minutes(endMinute))
    }

    @Test(arguments: [(2, 2), (3, 3), (4, 3), (100, 3)])
    func noMoreStepsThanAllowed(count: Int, steps: Int) async throws {
        let result = try await RunResult.running(.oneRide)
        #expect(TimeSteps(result, atMost: count).steps.count == steps)
    }

    @Test(arguments: [(TimeSpan.seconds(1), 3), (.minutes(5), 3), (.minutes(10), 2), (.hours(1), 1)])
    func stepsNearALength(length: TimeSpan, count: Int) async throws {
        let result = try await RunResult.running(.oneRide)
        #expect(TimeSteps(result, near: length).steps.count == count)
    }

    @Test
    func faultsMarkTheStepsThatTheyTouch() async throws {
        var scenario = Scenario.oneRide
        scenario.faults = [
            Scenario.Fault(kind: .apnsSilent, at: .minutes(4), duration: .minutes(1)),
            Scenario.Fault(kind: .connectionLost, at: .minutes(5)),
        ]
        let steps = TimeSteps(try await RunResult.running(scenario), windowsPerStep: 1).steps
        #expect(
            steps.map { $0.faults(of: scenario).map(\.kind) }.prefix(3) == [[.apnsSilent], [.connectionLost], []]
        )
    }

    @Test
    func aRunInWhichNothingHappensHasNoSteps() async throws {
        var scenario = Scenario.oneRide
        scenario.rides.arrivals.count = 0
        let result = try await RunResult.running(scenario)
        #expect(TimeSteps(result, windowsPerStep: 1).steps.isEmpty)
        #expect(TimeSteps(result, atMost: 10).steps.isEmpty)
    }
}
