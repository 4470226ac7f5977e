import FreshnessCore
import LiveActivityModel
import Quantities
import SimulationKernel
import Studies
import Testing

/// APNs' servers as a queue, in virtual time or over a network.
///
/// Three requests arrive at once at a server that takes 60 seconds for each; their sender waits for 100.
@Suite("Conformance of every APNs with a capacity", .serialized)
struct QueueConformanceTests {
    @Test(
        "The oldest or the newest is served next, and the sender times out",
        arguments: Backend.allCases,
        Order.allCases
    )
    func queues(backend: Backend, order: Order) async throws {
        var scenario = Scenario.updates(of: 3)
        scenario.sender.timeout = .seconds(100)
        var capacity = Scenario.Capacity()
        capacity.serviceTime = .constant(60e6)
        order.change(&capacity, &scenario.apns)
        scenario.apns.capacity = capacity
        let endings = try await backend.threadedAPNs.endings(in: ScenarioLoader.world(scenario))
        #expect(endings.mapValues(\.outline) == order.endings)
        if let second = endings[1]?.latency, let third = endings[2]?.latency {
            #expect((second > third) == (order == .newestFirst))
        }
    }

    enum Order: CaseIterable {
        case oldestFirst
        case newestFirst
        case withoutExpired
        case twoServers
        case fromResponse

        func change(_ capacity: inout Scenario.Capacity, _ apns: inout Scenario.APNs) {
            switch self {
            case .oldestFirst: break
            case .newestFirst: capacity.order = .lifo
            case .withoutExpired: capacity.dropExpired = true
            case .twoServers: capacity.servers = 2
            case .fromResponse: apns.latencyFrom = .response
            }
        }

        var endings: [UInt64: Ending.Outline] {
            switch self {
            case .oldestFirst, .newestFirst: [0: heard, 1: unheard, 2: unheard]
            case .withoutExpired: [0: heard, 1: unheard, 2: nothing]
            case .twoServers: [0: heard, 1: heard, 2: unheard]
            case .fromResponse: [0: heard, 1: nothing, 2: nothing]
            }
        }
    }

    @Test(
        "A request has no effect if its connection is lost while it waits or is in service",
        arguments: Backend.allCases
    )
    func lostConnection(backend: Backend) async throws {
        var scenario = Scenario.updates(of: 3)
        scenario.sender.timeout = .seconds(200)
        var capacity = Scenario.Capacity()
        capacity.serviceTime = .constant(60e6)
        scenario.apns.capacity = capacity
        scenario.faults = [Scenario.Fault(kind: .connectionLost, at: .seconds(100), duration: .seconds(1))]
        let endings = try await backend.threadedAPNs.endings(in: ScenarioLoader.world(scenario))
        #expect(endings.mapValues(\.outline) == [0: heard, 1: nothing, 2: nothing])
    }

    @Test("Refusals need no service", arguments: Backend.allCases)
    func refusals(backend: Backend) async throws {
        var scenario = Scenario.updates(of: 2)
        scenario.content.payload.bytes = .constant(1001)
        scenario.content.payload.limit = 1000
        var capacity = Scenario.Capacity()
        capacity.serviceTime = .constant(1000e6)
        scenario.apns.capacity = capacity
        let endings = try await backend.apns.endings(in: ScenarioLoader.world(scenario))
        #expect(
            endings.mapValues(\.outline) == [
                0: Ending.Outline(answers: [.refused(.payloadTooLarge)], fates: []),
                1: Ending.Outline(answers: [.refused(.payloadTooLarge)], fates: []),
            ]
        )
    }

    @Test("The wait is part of the latency", arguments: Backend.allCases)
    func waits(backend: Backend) async throws {
        var scenario = Scenario.updates(of: 2)
        scenario.sender.timeout = .seconds(1000)
        var capacity = Scenario.Capacity()
        capacity.serviceTime = .constant(300e6)
        scenario.apns.capacity = capacity
        let endings = try await backend.apns.endings(in: ScenarioLoader.world(scenario))
        #expect(endings[0]?.latency == .seconds(300))
        #expect(endings[1]?.latency == .seconds(600))
    }
}

private let heard = Ending.Outline(answers: [.accepted], fates: [.arrived])
private let unheard = Ending.Outline(answers: [.silence], fates: [.arrived])
private let nothing = Ending.Outline(answers: [.silence], fates: [])
