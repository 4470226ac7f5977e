import APNsStandIn
import FreshnessCore
import LiveActivityModel
import Quantities
import SimulationKernel
import Studies
import Testing

/// The behaviour of every APNs that plays a scenario's, in virtual time or over a network.
@Suite("Conformance of every APNs", .serialized)
struct ConformanceTests {
    // MARK: - Answers

    @Test(
        "Accepted pushes arrive, at either priority",
        arguments: Backend.allCases,
        [PushPriority.immediate, .considerate]
    )
    func accepts(backend: Backend, priority: PushPriority) async throws {
        var scenario = Scenario.updates(of: 3)
        scenario.content.refreshPriority = priority
        let endings = try await backend.apns.endings(in: ScenarioLoader.world(scenario))
        #expect(endings.mapValues(\.outline) == .all(3, .accepted, .arrived))
    }

    @Test("Every reason occurs", arguments: Backend.allCases)
    func refuses(backend: Backend) async throws {
        try await withThrowingTaskGroup { group in
            for reason in APNsReason.allCases {
                group.addTask {
                    var scenario = Scenario.updates(of: 2)
                    scenario.apns.reasons = [Scenario.ReasonShare(reason: reason, share: .always)]
                    let endings = try await backend.apns.endings(in: ScenarioLoader.world(scenario))
                    #expect(endings.mapValues(\.outline) == .all(2, .refused(reason)), "\(reason)")
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("A payload may have at most the scenario's limit", arguments: Backend.allCases, [1000, 1001])
    func limitsPayloads(backend: Backend, bytes: Int) async throws {
        var scenario = Scenario.updates(of: 1)
        scenario.content.payload.bytes = .constant(Double(bytes))
        scenario.content.payload.limit = 1000
        let endings = try await backend.apns.endings(in: ScenarioLoader.world(scenario))
        #expect(
            endings.mapValues(\.outline)
                == (bytes <= 1000 ? .all(1, .accepted, .arrived) : .all(1, .refused(.payloadTooLarge)))
        )
    }

    // MARK: - Chance

    @Test("Random failures hit the same requests on every APNs")
    func sharesHitTheSame() async throws {
        var scenario = Scenario.updates(of: 300)
        scenario.apns.loss = Probability(0.3)
        scenario.apns.reasons = [
            Scenario.ReasonShare(reason: .tooManyRequests, share: Probability(0.2)),
            Scenario.ReasonShare(reason: .internalServerError, share: Probability(0.05)),
        ]
        scenario.fail(.apnsUnavailable, from: 0, to: 3000, share: Probability(0.1))
        let world = try ScenarioLoader.world(scenario)
        let simulated = try await Backend.simulated.apns.endings(in: world).mapValues(\.outline)
        let real = try await Backend.standIn.apns.endings(in: world).mapValues(\.outline)
        #expect(simulated == real)
        // All possible outcomes occur.
        #expect(
            Set(real.values) == [
                Ending.Outline(answers: [.accepted], fates: [.arrived]),
                Ending.Outline(answers: [.accepted], fates: [.lost]),
                Ending.Outline(answers: [.refused(.tooManyRequests)], fates: []),
                Ending.Outline(answers: [.refused(.internalServerError)], fates: []),
                Ending.Outline(answers: [.refused(.serviceUnavailable)], fates: []),
            ]
        )
    }

    @Test("Each priority has its own losses", arguments: Backend.allCases, [PushPriority.immediate, .considerate])
    func losesByPriority(backend: Backend, priority: PushPriority) async throws {
        var scenario = Scenario.updates(of: 2)
        scenario.content.refreshPriority = priority
        scenario.apns.considerateLoss = .always
        let endings = try await backend.apns.endings(in: ScenarioLoader.world(scenario))
        #expect(endings.mapValues(\.outline) == .all(2, .accepted, priority == .immediate ? .arrived : .lost))
    }

    // MARK: - Faults

    @Test("While APNs is silent, nothing is answered and nothing arrives", arguments: Backend.allCases)
    func silence(backend: Backend) async throws {
        try await outage(.apnsSilent, backend, .silence)
    }

    @Test("While APNs is unavailable, it reports that", arguments: Backend.allCases)
    func unavailable(backend: Backend) async throws {
        try await outage(.apnsUnavailable, backend, .refused(.serviceUnavailable))
    }

    /// Sends one request just after an outage has begun, and one just after its end.
    private func outage(_ kind: Scenario.Fault.Kind, _ backend: Backend, _ answer: Ending.Answer) async throws {
        var scenario = Scenario.updates(of: 2)
        scenario.clock.duration = .seconds(600)
        scenario.rides.arrivals.spread = .seconds(600)
        scenario.fail(kind, from: 10, to: 310)
        let endings = try await backend.apns.endings(in: ScenarioLoader.world(scenario)).mapValues(\.outline)
        #expect(
            endings == [
                0: Ending.Outline(answers: [answer], fates: []),
                1: Ending.Outline(answers: [.accepted], fates: [.arrived]),
            ]
        )
    }

    @Test(
        "Requests without an answer on a lost connection count as not processed, and their pushes do not arrive",
        arguments: Backend.allCases,
        [2, 60]
    )
    func lostConnection(backend: Backend, latency: Int64) async throws {
        var scenario = Scenario.updates(of: 2)
        scenario.sender.requestTime = .constant(100e6)
        scenario.apns.latency = .constant(Double(latency) * 1e6)
        scenario.fail(.connectionLost, from: 40, to: 41)
        let endings = try await backend.threadedAPNs.endings(in: ScenarioLoader.world(scenario)).mapValues(\.outline)
        let ending = Ending.Outline(answers: [.silence], fates: latency == 2 ? [.arrived] : [])
        #expect(endings == [0: ending, 1: ending])
    }

    // MARK: - Tokens

    @Test("APNs learns of a token's end after its lag", arguments: Backend.allCases, [400, 100])
    func learnsOfDeaths(backend: Backend, lag: Int64) async throws {
        var scenario = Scenario.updates(of: 2)
        scenario.devices.swipe.share = .always
        scenario.devices.swipe.after = .constant(1e6)
        // The request is 110 seconds later than the end of its token.
        scenario.content.updatesAt = [.seconds(111)]
        scenario.devices.endReport = .constant(900e6)
        scenario.apns.expiredTokenLag = .constant(Double(lag) * 1e6)
        let endings = try await backend.apns.endings(in: ScenarioLoader.world(scenario))
        #expect(
            endings.mapValues(\.outline)
                == (lag == 400 ? .all(2, .accepted, .lost) : .all(2, .refused(.unregistered)))
        )
    }

    // MARK: - Channels

    @Test("A push to a channel reaches each phone that follows it, with the times and losses of the simulation")
    func sendsOn() async throws {
        var scenario = Scenario.updates(of: 3)
        scenario.rides.arrivals.spread = .seconds(1)
        scenario.groups = .byChannel(of: 20)
        scenario.content.updatesAt = [.seconds(10), .seconds(500)]
        scenario.apns.latency = .exponential(mean: 20e6)
        scenario.apns.loss = Probability(0.3)
        let world = try ScenarioLoader.world(scenario)
        let simulated = try await Backend.simulated.apns.endings(in: world)
        let phones = simulated.values.filter { $0.answers.isEmpty }
        #expect(phones.count == 60 && phones.allSatisfy { $0.fates.count == 2 })
        #expect(Set(phones.map(\.latency)).count > 40)
        #expect(Set(phones.flatMap(\.fates)) == [.arrived, .lost])
        #expect(simulated.values.filter { $0.answers == [.accepted, .accepted] }.count == 3)
        for backend in [Backend.inProcess, .standIn] {
            let endings = try await backend.apns.endings(in: world)
            #expect(endings.mapValues(\.outline) == simulated.mapValues(\.outline), "\(backend)")
            for (ride, ending) in endings where ending.fates == [.arrived, .arrived] {
                let difference = (ending.latency ?? .zero) - (simulated[ride]?.latency ?? .zero)
                // The clock of the stand-in rounds to microseconds.
                #expect(abs(difference.microseconds) <= 1, "\(backend), ride \(ride)")
            }
        }
    }

    @Test("Copies overtake each other only where they may", arguments: Backend.allCases, [true, false])
    func orderOfCopies(backend: Backend, reorder: Bool) async throws {
        var scenario = Scenario.updates(of: 1)
        scenario.groups = .byChannel(of: 20)
        scenario.groups?.channel.reorder = reorder
        scenario.content.updatesAt = [.seconds(10), .seconds(20), .seconds(30), .seconds(40)]
        scenario.apns.latency = .exponential(mean: 40e6)
        let endings = try await backend.apns.endings(in: ScenarioLoader.world(scenario)).values
            .filter(\.answers.isEmpty)
        #expect(endings.count == 20)
        #expect(endings.allSatisfy { $0.fates == [.arrived, .arrived, .arrived, .arrived] })
        #expect(endings.allSatisfy(\.isInOrder) == !reorder)
    }

    @Test("APNs rejects pushes to a channel that was deleted under its phones", arguments: Backend.allCases)
    func deletedChannel(backend: Backend) async throws {
        var scenario = Scenario.updates(of: 1)
        scenario.groups = .byChannel(of: 3)
        scenario.groups?.channel.deleted = .always
        scenario.groups?.channel.deletedAfter = .constant(15e6)
        scenario.content.updatesAt = [.seconds(10), .seconds(20)]
        let endings = try await backend.apns.endings(in: ScenarioLoader.world(scenario)).mapValues(\.outline)
        let (channels, phones) = (
            endings.values.filter { !$0.answers.isEmpty }, endings.values.filter(\.answers.isEmpty)
        )
        #expect(channels == [Ending.Outline(answers: [.accepted, .refused(.channelNotRegistered)], fates: [])])
        #expect(phones == Array(repeating: Ending.Outline(answers: [], fates: [.arrived]), count: 3))
    }

    @Test("The stand-in allows as many channels as the scenario")
    func mostChannels() async throws {
        var scenario = Scenario.updates(of: 1)
        scenario.groups = .byChannel(of: 1)
        scenario.groups?.channel.most = 2
        let rules = APNsRules(world: try ScenarioLoader.world(scenario))
        try await TestServer.running(with: Change { $0.apns = rules }) { server in
            let provider = try await server.connect()
            let token = ("authorization", try server.token())
            let body = #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#
            var statuses: [String] = []
            for (stream, app) in [(1, "a.b"), (3, "a.b"), (5, "a.b"), (7, "a.c")] {
                let path = "/1/apps/\(app)/channels"
                statuses.append(try await provider.request(stream, path: path, [token], body: body).status)
            }
            #expect(statuses == ["201", "201", "400", "201"])
        }
    }

    @Test("A payload for a channel may have 5,120 bytes", arguments: Backend.allCases, [5120, 5121])
    func limitsPayloadsOfChannels(backend: Backend, bytes: Int) async throws {
        var scenario = Scenario.updates(of: 1)
        scenario.groups = .byChannel(of: 1)
        scenario.content.payload.bytes = .constant(Double(bytes))
        let endings = try await backend.apns.endings(in: ScenarioLoader.world(scenario)).values
        let answer = endings.first { !$0.answers.isEmpty }?.answers
        #expect(answer == [bytes > 5120 ? .refused(.payloadTooLarge) : .accepted])
        #expect(endings.filter { $0.fates == [.arrived] }.count == (bytes > 5120 ? 0 : 1))
    }

    // MARK: - Time

    @Test("The way to the phone takes its time", arguments: Backend.allCases, Way.allCases)
    func takesTime(backend: Backend, way: Way) async throws {
        var scenario = Scenario.updates(of: 1)
        scenario.sender.requestTime = .constant(20e6)
        scenario.apns.latency = .constant(40e6)
        scenario.devices.consideratePriorityDelay = .constant(30e6)
        way.change(&scenario)
        let endings = try await backend.apns.endings(in: ScenarioLoader.world(scenario))
        #expect(endings.mapValues(\.outline) == .all(1, .accepted, .arrived))
        #expect(endings[0]?.latency == way.latency)
    }

    /// The stages that lengthen the way.
    enum Way: CaseIterable {
        case fromRequest
        case fromResponse
        case slow
        case considerate

        func change(_ scenario: inout Scenario) {
            switch self {
            case .fromRequest: break
            case .fromResponse: scenario.apns.latencyFrom = .response
            case .slow:
                scenario.fail(.apnsSlow, from: 0, to: 3000)
                scenario.faults[0].factor = 3
            case .considerate: scenario.content.refreshPriority = .considerate
            }
        }

        var latency: TimeSpan {
            switch self {
            case .fromRequest: .seconds(40)
            case .fromResponse: .seconds(60)
            case .slow: .seconds(120)
            case .considerate: .seconds(70)
            }
        }
    }

    @Test(
        "A late response does not count; whether the push arrives depends on the start of its latency",
        arguments: Backend.allCases,
        Scenario.LatencyOrigin.allCases
    )
    func tooLate(backend: Backend, origin: Scenario.LatencyOrigin) async throws {
        var scenario = Scenario.updates(of: 2)
        scenario.sender.timeout = .seconds(50)
        scenario.sender.requestTime = .constant(100e6)
        scenario.apns.latencyFrom = origin
        let endings = try await backend.apns.endings(in: ScenarioLoader.world(scenario)).mapValues(\.outline)
        let fates: [Ending.Fate] = origin == .request ? [.arrived] : []
        let expected = Ending.Outline(answers: [.silence], fates: fates)
        #expect(endings == [0: expected, 1: expected])
    }

    @Test("Pushes overtake each other only where they may", arguments: Backend.allCases, [true, false])
    func order(backend: Backend, reorder: Bool) async throws {
        var scenario = Scenario.updates(of: 20)
        scenario.content.updatesAt = [.seconds(10), .seconds(20), .seconds(30), .seconds(40)]
        scenario.apns.latency = .exponential(mean: 40e6)
        scenario.apns.reorder = reorder
        let endings = try await backend.apns.endings(in: ScenarioLoader.world(scenario))
        #expect(endings.values.allSatisfy { $0.fates == [.arrived, .arrived, .arrived, .arrived] })
        #expect(endings.values.allSatisfy(\.isInOrder) == !reorder)
    }
}

extension [UInt64: Ending.Outline] {
    /// The same outcome of one request for each of several rides.
    fileprivate static func all(_ count: UInt64, _ answer: Ending.Answer, _ fates: Ending.Fate...) -> Self {
        var endings: Self = [:]
        for ride in 0..<count { endings[ride] = Ending.Outline(answers: [answer], fates: fates) }
        return endings
    }
}

extension Scenario {
    /// Rides that are requested at the start and whose only push is an update ten seconds later; nothing fails and
    /// nothing takes time.
    static func updates(of rides: Int) -> Scenario {
        var scenario = Scenario()
        scenario.clock.duration = .seconds(1)
        // Long enough for pushes in flight, too short for a ride to end.
        scenario.clock.drain = .seconds(2000)
        scenario.rides.arrivals.process = .even
        scenario.rides.arrivals.count = rides
        scenario.rides.stages = [Stage(name: "a", duration: .constant(10_000e6))]
        scenario.content.ttl = .hours(2)
        scenario.content.updatesAt = [.seconds(10)]
        scenario.devices.initialContentLimit = nil
        scenario.monitor.enabled = false
        scenario.sender.timeout = .seconds(250)
        return scenario
    }

    fileprivate mutating func fail(_ kind: Fault.Kind, from: Int64, to: Int64, share: Probability = .always) {
        var fault = Fault(kind: kind, at: .seconds(from), duration: .seconds(to - from))
        fault.share = share
        faults.append(fault)
    }
}

extension Scenario.Groups {
    /// Groups of a size, whose phones follow a channel.
    static func byChannel(of size: Int) -> Scenario.Groups {
        var groups = Scenario.Groups()
        (groups.by, groups.size) = (.channel, .constant(Double(size)))
        return groups
    }
}
