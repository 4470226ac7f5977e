import FreshnessCore
import Quantities
import RandomStreams
import SimulationKernel

/// APNs as a queue: requests wait for servers, which work on while senders give up.
extension CellSimulation {
    /// A request joins the queue; the sender hears nothing until it is served, or until its time-out.
    mutating func awaitService(_ push: Place<Push>) {
        push.service = .waiting
        apnsQueue.joined(push.number)
        respond(push, .timedOut, after: rules.timeout)
        startServices()
    }

    /// Gives waiting requests to free servers.
    private mutating func startServices() {
        guard let queueing = world.queueing else { return }
        while let next = apnsQueue.next(queueing) {
            let push = pushes[next]
            let isExpired = queueing.dropsExpired && push.sentAt + rules.timeout < loop.now
            if isExpired || isGone(push) {
                apnsQueue.served()
                push.service = .none
                if push.isUndecided {
                    conclude(push, .notAccepted)
                }
                releaseIfDone(push)
                continue
            }
            push.service = .underWay
            schedule(
                .service,
                subject: push.number,
                at: world.endOfService(push.key, queueing, random, at: loop.now),
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
        apnsQueue.served()
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
