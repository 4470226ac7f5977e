import Quantities
import Studies
import Testing

@testable import LiveActivityModel

@Suite("The safe horizon of a cell")
struct LookaheadTests {
    private static func at(_ seconds: Int64) -> Instant { .start + .seconds(seconds) }

    private static func world(_ change: (inout Scenario) -> Void = { _ in }) throws -> World {
        var scenario = Scenario.ride(10)
        scenario.clock.duration = .seconds(100)
        scenario.clock.drain = .zero
        scenario.clock.warmUp = .seconds(20)
        scenario.fail(.contentDown, from: 40, to: 50)
        change(&scenario)
        return try ScenarioLoader.world(scenario)
    }

    @Test(
        "None during the warm-up or a fault; otherwise up to the next fault, or through the horizon",
        arguments: [(0, false), (19, false), (20, true), (39, true), (40, false), (49, false), (50, true), (100, true)]
    )
    func limits(second: Int64, sees: Bool) throws {
        var lookahead = Lookahead(try Self.world(), isOpen: true)
        // Queried at increasing instants, as in a cell.
        for earlier in stride(from: 0, to: second, by: 7) { _ = lookahead.limit(at: Self.at(earlier)) }
        let limit = lookahead.limit(at: Self.at(second))
        #expect((limit > Self.at(second)) == sees)
        if second >= 20, second < 40 { #expect(limit == Self.at(40)) }
        if second >= 50 { #expect(limit == Instant(microseconds: Self.at(100).microseconds + 1)) }
    }

    @Test("A cell with a story or a search has no safe horizon, nor has one whose scenario rules it out")
    func closed() throws {
        var closed = Lookahead(try Self.world(), isOpen: false)
        #expect(closed.limit(at: Self.at(30)) <= Self.at(30))
        let queued = try Self.world { $0.apns.capacity = .init() }
        var unknown = Lookahead(queued, isOpen: true)
        #expect(!unknown.isOpen)
        #expect(unknown.limit(at: Self.at(30)) <= Self.at(30))
    }
}
