import DequeModule
import FreshnessCore
import Quantities
import RandomStreams
import SimulationKernel

/// The requests that APNs has not served yet, oldest first, and how many are in service.
struct APNsQueue {
    var waiting: Deque<UInt32> = []
    var busy = 0

    /// What ``Scenario/Capacity`` says, in a form that is read for every request.
    struct Rules: Sendable {
        let servers: Int
        let serviceTime: SamplerID
        let order: Scenario.QueueOrder
        let dropsExpired: Bool

        init(_ capacity: Scenario.Capacity, serviceTime: SamplerID) {
            servers = capacity.servers
            self.serviceTime = serviceTime
            order = capacity.order
            dropsExpired = capacity.dropExpired
        }
    }

    /// Takes the request that is served next; nil when none waits.
    mutating func takeNext(_ order: Scenario.QueueOrder) -> UInt32? {
        switch order {
        case .fifo: waiting.popFirst()
        case .lifo: waiting.popLast()
        }
    }
}

/// APNs as a queue: requests wait for servers, which work on while senders give up.
extension CellSimulation {
    /// A request joins the queue; the sender hears nothing until it is served, or until its time-out.
    mutating func awaitService(_ push: Place<Push>) {
        push.service = .waiting
        apnsQueue.waiting.append(push.number)
        respond(push, .timedOut, after: rules.timeout)
        startServices()
    }

    /// Gives waiting requests to free servers.
    private mutating func startServices() {
        guard let queueing = world.queueing else { return }
        while apnsQueue.busy < queueing.servers, let next = apnsQueue.takeNext(queueing.order) {
            let push = pushes[next]
            let isExpired = queueing.dropsExpired && push.sentAt + rules.timeout < loop.now
            if isExpired || isGone(push) {
                push.service = .none
                if push.isUndecided {
                    conclude(push, .notAccepted)
                }
                releaseIfDone(push)
                continue
            }
            push.service = .underWay
            apnsQueue.busy += 1
            let work = world.bank.timeSpan(queueing.serviceTime, draw(push, .serviceTime))
            schedule(
                .service,
                subject: push.number,
                at: world.faults.endOfService(of: work, from: loop.now),
                priority: .service
            )
        }
    }

    /// Whether a request was lost with its connection: no server takes it up.
    private mutating func isGone(_ push: Place<Push>) -> Bool {
        if case .connectionLost = push.response { true } else { false }
    }

    mutating func serviceEnded(_ push: Place<Push>) {
        loop.record(event: EventKind.service.rawValue, subject: push.ride)
        push.service = .none
        apnsQueue.busy -= 1
        if push.isUndecided {
            // A sender that is paused beyond the time-out has not given up yet, but will.
            if push.responseDue != .never, loop.now <= push.sentAt + rules.timeout {
                respond(push, .accepted, after: roundTrip(push))
            }
            if rules.decidesAtRequest {
                decide(push)
            }
        }
        releaseIfDone(push)
        startServices()
    }
}
