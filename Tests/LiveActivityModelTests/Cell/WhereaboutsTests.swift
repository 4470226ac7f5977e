import FreshnessCore
import Quantities
import SimulationKernel
import Studies
import Testing

@testable import LiveActivityModel

/// Scripted histories, each with the single location of its newest content while the screen is stale.
@Suite("The location of the newest content")
struct WhereaboutsTests {
    /// Requests follow the script in order; the ride's second stage begins after 40 s and ends after 400 s.
    private static func scenario(_ script: [Scenario.ScriptedOutcome]) -> Scenario {
        var scenario = Scenario.ride(40, 360)
        scenario.apns.script = script
        scenario.content.ttl = .seconds(60)
        scenario.monitor.enabled = false
        return scenario
    }

    /// The causes of a scenario's stale time [s] during the ride.
    private static func stale(_ scenario: Scenario) throws -> [Whereabouts: Int64] {
        let run = try FinishedCell(scenario).measurements
        #expect(run[.staleTimeByCause] == run.time(.displayedStaleTime))
        #expect(run[.wrongStageTimeByCause] == run[.wrongStageTime])
        let times = Whereabouts.allCases.map { ($0, run[.staleTimeByCause, $0, isAfterRide: false] / 1_000_000) }
        return Dictionary(uniqueKeysWithValues: times.filter { $0.1 > 0 })
    }

    @Test("Content without a successor is stale because nothing newer was generated")
    func nothingNewer() throws {
        let stale = try Self.stale(Self.scenario([.delivered(after: .zero)]))
        #expect(Set(stale.keys) == [.onScreen])
    }

    @Test("A lost announcement is the cause from the moment the screen becomes stale")
    func lost() throws {
        let stale = try Self.stale(Self.scenario([.lost]))
        #expect(Set(stale.keys) == [.lost])
    }

    @Test("During a slow delivery the cause is the delivery, until the content arrives")
    func inFlight() throws {
        let stale = try Self.stale(Self.scenario([.delivered(after: .seconds(100))]))
        // In flight from 40 to 140 s; the first content is stale from 60 s on.
        #expect(stale[.inFlight] ?? 0 == 80)
    }

    @Test(
        "A fault is the cause for the activities that it affects",
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

    @Test("While the endpoint generates content, the server has none")
    func awaitedContent() throws {
        var scenario = Self.scenario([.delivered(after: .zero)])
        var endpoint = Scenario.ContentEndpoint()
        endpoint.time = .constant(1e6)
        scenario.content.endpoint = endpoint
        scenario.fail(.contentSlow, from: 30, to: 50)
        scenario.faults[0].factor = 100
        // Requested at 40 s, it arrives at 140 s; the first content is stale from 60 s on.
        #expect(try Self.stale(scenario)[.noContent] ?? 0 == 80)
    }

    @Test("Without a token nothing leaves the server")
    func noToken() throws {
        var scenario = Self.scenario([])
        scenario.devices.token.never = .always
        #expect(Set(try Self.stale(scenario).keys) == [.noToken])
    }

    @Test("After the ride the location of the end counts")
    func end() throws {
        let run = try FinishedCell(Self.scenario([.delivered(after: .zero), .lost])).measurements
        let after = Whereabouts.allCases.filter { run[.staleTimeByCause, $0, isAfterRide: true] > 0 }
        #expect(after == [.lost])
    }

    @Test("Once the monitor has given up, that is the cause; after the ride it is the location of the end")
    func givenUp() throws {
        // The second stage is announced and lost, and the monitor gives up two minutes after the screen became stale.
        var scenario = Self.scenario([.lost])
        scenario.monitor.enabled = true
        scenario.monitor.retry.maxAttempts = 0
        scenario.monitor.recoveryWindow = .seconds(120)
        let run = try FinishedCell(scenario).measurements
        let during = Whereabouts.allCases.filter { run[.staleTimeByCause, $0, isAfterRide: false] > 0 }
        #expect(during == [.lost, .givenUp])
        // All ends of the script are lost, too; the card stays and lacks its end.
        let after = Whereabouts.allCases.filter { run[.staleTimeByCause, $0, isAfterRide: true] > 0 }
        #expect(after == [.lost])
    }

    @Test("The fate of a retry does not matter once the content is on the screen")
    func repeats() throws {
        // The response comes after the timeout, the push long before: the retry finds its content already shown.
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

    /// A change of a scenario, and the location of the newest content that it causes.
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

    @Test("Each obstacle is a cause", arguments: obstacles)
    func obstacle(_ obstacle: Obstacle) throws {
        var scenario = Self.scenario([])
        scenario.apns.script = nil
        obstacle.change(&scenario)
        #expect(Set(try Self.stale(scenario).keys).subtracting([.onScreen]) == [obstacle.place])
    }

    @Test("A search finds the activities with the most time of a cause, and changes nothing")
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
