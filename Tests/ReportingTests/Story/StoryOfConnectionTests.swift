import FreshnessCore
import LiveActivityModel
import Quantities
import Studies
import Testing

@testable import Reporting

/// A phone that is offline for minutes: expired and replaced pushes have the time of their event.
@Suite("Stories of phones without a connection")
struct StoryOfConnectionTests {
    private static func story(_ change: (inout Scenario) -> Void = { _ in }) throws -> Story {
        var scenario = Scenario.oneRide
        scenario.faults = [.init(kind: .devicesOffline, at: .minutes(2) + .seconds(30), duration: .minutes(5))]
        scenario.apns.expiration = .minutes(2)
        change(&scenario)
        let world = try ScenarioLoader.world(scenario)
        var cell = CellSimulation(world: world, cell: 0, replication: 0, watch: .ride(0))
        _ = cell.run(through: world.horizon)
        cell.finish()
        return Story(ofRide: 0, in: &cell, of: scenario)
    }

    private static func times(_ story: Story, _ what: String) -> [Int64] {
        story.rows.filter { $0.what == what }.map { $0.at.microseconds / 1_000_000 }
    }

    @Test("Going offline and coming back have rows of their own")
    func connection() throws {
        let story = try Self.story()
        #expect(Self.times(story, "phone offline") == [150])
        #expect(Self.times(story, "phone online again") == [450])
    }

    @Test("A push expires at its expiration, not when it reaches the offline phone")
    func expiry() throws {
        let story = try Self.story { $0.apns.storage = .all }
        // Pushes are sent at each full minute; the monitor's retries are between them.
        let expired = Self.times(story, "push (update) expired while the phone was offline")
        #expect(expired.first == 300, "\(story.text)")
        let answers = story.rows.firstIndex { $0.what.hasPrefix("APNs accepted") && $0.at > .start + .seconds(180) }
        let expiry = story.rows.firstIndex { $0.what.contains("expired") }
        #expect(try #require(answers) < #require(expiry))
        #expect(story.rows.map(\.at) == story.rows.map(\.at).sorted())
    }

    @Test("A push is replaced when the newer one is stored")
    func replacement() throws {
        let story = try Self.story { scenario in
            scenario.apns.expiration = .hours(1)
            scenario.monitor.enabled = false
        }
        let replaced = Self.times(story, "push (update) replaced by a newer one while the phone was offline")
        #expect(replaced == [240, 300, 360, 420], "\(story.text)")
    }

    @Test("The screen's stage is the stage of the ride when the content was generated")
    func stage() throws {
        let story = try Self.story { scenario in
            scenario.faults[0].at = .seconds(50)
            scenario.apns.expiration = .zero
            scenario.devices.initialContentLimit = nil
        }
        #expect(story.text.contains("matching, "))
        let late = try #require(story.rows.first { $0.at > .start + .minutes(3) && $0.stage != nil })
        #expect(late.stage == "matching", "\(story.text)")
        #expect(story.rows.last { $0.stage != nil }?.stage == "on_trip")
    }
}
