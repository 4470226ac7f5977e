import LiveActivityModel
import Quantities
import SimulationKernel
import Testing

@testable import Evaluation

/// The utilization of the sender over the time in which rides arrive.
@Suite("The sender's load")
struct SenderLoadTests {
    /// One stream is busy for all ten minutes of arrivals; an hour with almost no work follows.
    private static func busy(drain: TimeSpan) -> Scenario {
        var scenario = Scenario()
        scenario.clock.duration = .minutes(10)
        scenario.clock.drain = drain
        scenario.clock.window = .minutes(1)
        scenario.rides.arrivals.process = .even
        scenario.rides.arrivals.count = 60
        scenario.rides.arrivals.spread = .minutes(10)
        scenario.rides.stages = [Scenario.Stage(name: "trip", duration: .constant(300e6))]
        scenario.content.refresh = .constant(20e6)
        scenario.sender.streams = 1
        scenario.sender.requestTime = .constant(5e6)
        scenario.sender.timeout = .seconds(20)
        return scenario
    }

    private static let names = ["send_saturated_time_ratio", "send_busy_mean_count", "send_queue_mean_count"]

    private static func values(_ scenario: Scenario, _ window: String = "") async throws -> [Double?] {
        let result = try await RunResult.running(scenario)
        return try names.map { name in
            try Response(parsing: name + window).resolve(in: scenario).value(in: result)
        }
    }

    @Test("The drain does not dilute it, however long it is")
    func drain() async throws {
        let short = try await Self.values(Self.busy(drain: .zero))
        #expect(try await Self.values(Self.busy(drain: .hours(1))) == short)
        let saturated = try #require(short[0])
        #expect(saturated > 0.8)
        #expect(short[1] == saturated, "one stream is busy or it is not")
    }

    @Test("The first minutes are excluded as warm-up, and a window has the share of its own time")
    func parts() async throws {
        var scenario = Self.busy(drain: .hours(1))
        #expect(try await Self.values(scenario, "@5m..10m")[0] == 1)
        scenario.clock.warmUp = .minutes(5)
        #expect(try await Self.values(scenario)[0] == 1)
    }

    @Test("@worst:5m works for all three, though the number in flight has no direction")
    func worst() async throws {
        let worst = try await Self.values(Self.busy(drain: .hours(1)), "@worst:5m")
        let whole = try await Self.values(Self.busy(drain: .hours(1)))
        #expect(worst[0] == 1 && worst[1] == 1)
        #expect(try #require(worst[2]) > #require(whole[2]))
    }
}
