import Quantities
import SimulationKernel
import Testing

@testable import LiveActivityModel

/// A ride of 100 s, and the time for which its screen shows content of each source.
@Suite("The sources of the content on screens")
struct ContentSourceTests {
    /// The seconds by source: the first content, the app, pushes.
    private static func shown(_ scenario: Scenario) throws -> [Int64] {
        let measurements = try FinishedCell(scenario).measurements
        return StoryLine.ContentSource.allCases.map { source in
            measurements.displayedTime(from: source).reduce(0, +) / 1_000_000
        }
    }

    private static func ride() -> Scenario {
        var scenario = Scenario.ride(100)
        scenario.update(at: 20, 50, 80)
        scenario.apns.latency = .seconds(2)
        scenario.content.ttl = .hours(1)
        return scenario
    }

    @Test("Pushes follow the first content, all of it fresh")
    func pushes() throws {
        #expect(try Self.shown(Self.ride()) == [22, 0, 80])
    }

    @Test("The app shows content while it is running, pushes from then on")
    func app() throws {
        var scenario = Self.ride()
        scenario.devices.localUpdates.enabled = true
        scenario.devices.localUpdates.aliveFor = .seconds(60)
        // The pushes of 20 and 50 s arrive after the app has shown the same content; the push of 80 s arrives at 82 s.
        #expect(try Self.shown(scenario) == [20, 62, 20])
    }

    @Test("Without pushes the card shows its first content, also after the ride")
    func start() throws {
        var scenario = Self.ride()
        scenario.apns.loss = .always
        scenario.devices.systemLimit = .seconds(150)
        #expect(try Self.shown(scenario) == [150, 0, 0])
    }

    @Test("A card that is created again after a swipe starts over, and the warm-up does not count")
    func recreated() throws {
        var scenario = Self.ride()
        scenario.devices.swipe.share = .always
        scenario.devices.swipe.after = .seconds(30)
        scenario.devices.swipe.recreated = .always
        scenario.devices.endReport = .seconds(10)
        // From 0 to 30 and from 40 to 102.
        #expect(try Self.shown(scenario) == [22 + 12, 0, 8 + 50])
        scenario.clock.duration = .seconds(100)
        scenario.clock.warmUp = .seconds(21)
        #expect(try Self.shown(scenario) == [1 + 12, 0, 8 + 50])
    }
}
