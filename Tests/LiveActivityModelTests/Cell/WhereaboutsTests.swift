import Experiments
import FreshnessCore
import Quantities
import Testing

@testable import LiveActivityModel

/// Scripted histories, each with the one place in which its newest content is while the screen is stale.
@Suite("Where the newest content is")
struct WhereaboutsTests {
    /// Requests in turn meet what the script says; the ride's second stage begins after 40 s and ends after 400 s.
    private static func scenario(_ script: [Scenario.ScriptedOutcome]) -> Scenario {
        var scenario = Scenario.ride(40, 360)
        scenario.apns.script = script
        scenario.content.ttl = .seconds(60)
        scenario.monitor.enabled = false
        return scenario
    }

    /// The causes of a scenario's stale time [s] during the ride, as far as there are any.
    private static func stale(_ scenario: Scenario) throws -> [Whereabouts: Int64] {
        let run = try FinishedCell(scenario).measurements
        #expect(run[.staleTimeByCause] == run.time(.displayedStaleTime))
        #expect(run[.wrongStageTimeByCause] == run[.wrongStageTime])
        let times = Whereabouts.allCases.map { ($0, run[.staleTimeByCause, $0, isAfterRide: false] / 1_000_000) }
        return Dictionary(uniqueKeysWithValues: times.filter { $0.1 > 0 })
    }

    @Test("Content that was shown and has no successor is stale because nothing newer was generated")
    func nothingNewer() throws {
        let stale = try Self.stale(Self.scenario([.delivered(after: .zero)]))
        #expect(Set(stale.keys) == [.onScreen])
    }

    @Test("A lost announcement is the cause from the moment at which the screen goes stale")
    func lost() throws {
        let stale = try Self.stale(Self.scenario([.lost]))
        #expect(Set(stale.keys) == [.lost])
    }

    @Test("On a long way the cause is the way, until the content is there")
    func inFlight() throws {
        let stale = try Self.stale(Self.scenario([.delivered(after: .seconds(100))]))
        // On the way from 40 to 140 s; the first content is stale from 60 s on.
        #expect(stale[.inFlight] ?? 0 == 80)
    }

    @Test(
        "A fault is the cause where its victims are",
        arguments: [
            (Scenario.Fault.Kind.senderPaused, Whereabouts.queued), (.apnsSilent, .noAnswer),
            (.contentDown, .noContent),
            (.apnsUnavailable, .refused), (.devicesOffline, .stored),
        ]
    )
    func faults(kind: Scenario.Fault.Kind, cause: Whereabouts) throws {
        var scenario = Self.scenario([])
        scenario.apns.script = nil
        scenario.apns.expiration = .hours(1)
        scenario.fail(kind, from: 30, to: 390)
        let stale = try Self.stale(scenario)
        #expect(Set(stale.keys).subtracting([.onScreen]) == [cause], "\(stale)")
        #expect(stale[cause] ?? 0 >= 330 - 10)
    }

    @Test("Without a token nothing leaves the server")
    func noToken() throws {
        var scenario = Self.scenario([])
        scenario.devices.token.never = .always
        #expect(Set(try Self.stale(scenario).keys) == [.noToken])
    }

    @Test("After the ride the end is what counts")
    func end() throws {
        let run = try FinishedCell(Self.scenario([.delivered(after: .zero), .lost])).measurements
        let after = Whereabouts.allCases.filter { run[.staleTimeByCause, $0, isAfterRide: true] > 0 }
        #expect(after == [.lost])
    }

    @Test("Once the monitor has given up, that is the cause; after the ride it is where the end is")
    func givenUp() throws {
        // The second stage is announced, lost, and given up two minutes after the screen went stale.
        var scenario = Self.scenario([.lost])
        scenario.monitor.enabled = true
        scenario.monitor.retry.maxAttempts = 0
        scenario.monitor.recoveryWindow = .seconds(120)
        let run = try FinishedCell(scenario).measurements
        let during = Whereabouts.allCases.filter { run[.staleTimeByCause, $0, isAfterRide: false] > 0 }
        #expect(during == [.lost, .givenUp])
        // All ends of the script are lost, too; the card stays, and it is the end that it lacks.
        let after = Whereabouts.allCases.filter { run[.staleTimeByCause, $0, isAfterRide: true] > 0 }
        #expect(after == [.lost])
    }

    @Test("What becomes of a repeat does not matter once the content is on the screen")
    func repeats() throws {
        // The answer comes after the sender's patience, the push long before: the repeat finds its content shown.
        var scenario = Self.scenario([])
        scenario.apns.script = nil
        scenario.apns.latencyFrom = .request
        scenario.sender.requestTime = .seconds(5)
        scenario.sender.timeout = .seconds(2)
        scenario.sender.attempts = 2
        let run = try FinishedCell(scenario).measurements
        #expect(run[.repeatsSent] > 0 && run[.fateOlder] > 0)
        #expect(Set(try Self.stale(scenario).keys) == [.onScreen])
    }

    /// A change of a scenario and the place where the newest content is because of it.
    struct Obstacle: CustomTestStringConvertible, Sendable {
        let place: Whereabouts
        let change: @Sendable (inout Scenario) -> Void
        var testDescription: String { "\(place)" }
    }

    static let obstacles = [
        Obstacle(place: .heldBack) {
            $0.update(at: 10)
            $0.sender.minimumInterval = .minutes(10)
        },
        Obstacle(place: .throttled) {
            $0.update(at: 10)
            $0.devices.budget.limit = 1
            $0.devices.budget.window = .hours(1)
        },
        Obstacle(place: .undecodable) { $0.content.undecodable = .always },
        Obstacle(place: .notStored) {
            $0.apns.expiration = .zero
            $0.fail(.devicesOffline, from: 30, to: 800)
        },
        Obstacle(place: .expired) {
            $0.apns.expiration = .seconds(10)
            $0.fail(.devicesOffline, from: 30, to: 800)
        },
        Obstacle(place: .notSent) {
            $0.sender.queueLimit = 0
            $0.fail(.senderPaused, from: 30, to: 800)
        },
    ]

    @Test("Each obstacle on the way is a cause", arguments: obstacles)
    func obstacle(_ obstacle: Obstacle) throws {
        var scenario = Self.scenario([])
        scenario.apns.script = nil
        obstacle.change(&scenario)
        #expect(Set(try Self.stale(scenario).keys).subtracting([.onScreen]) == [obstacle.place])
    }

    @Test("A search finds the activities that have most of a cause, and changes nothing")
    func search() throws {
        let scenario = Self.scenario([.lost]).times(5)
        let world = try ScenarioLoader.world(scenario)
        var cell = CellSimulation(
            world: world,
            cell: 0,
            replication: 0,
            search: ActivitySearch(.staleTime(.init(place: .lost, isAfterRide: false)), count: 3)
        )
        _ = cell.run(through: world.horizon)
        cell.finish()
        let found = try #require(cell.search?.found)
        #expect(found.map(\.ride) == [0, 1, 2])
        #expect(found.allSatisfy { $0.staleTime() >= 340_000_000 && $0.largestAge >= $0.displayedTime })
        let plain = try FinishedCell(scenario, ride: nil)
        #expect(plain.measurements == cell.measurements)
        #expect(plain.fingerprint == cell.fingerprint)
    }
}
