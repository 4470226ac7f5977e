import FreshnessCore
import LiveActivityModel
import Quantities
import Wire

/// APNs' answers.
extension MonitorStateMachine {
    /// Records the answer to a request, or its abandonment by the connections.
    ///
    /// Returns `false`, without changes, if the request was not in flight.
    @discardableResult
    mutating func answered(_ answer: PushAnswer, at now: Instant) -> Bool {
        guard let (push, place) = sender.ended(answer.number) else { return false }
        let row = push.row
        instances[row].inFlight.removeAll { $0 == push.number }
        instances[row].changedAt = now
        log(push, answer.outcome, at: now)
        let offer = offer(place)
        sender.move(place) { $0.ended(offer, &$1) }
        switch answer.outcome {
        case .accepted:
            counts.accepted += 1
            release(place)
            accepted(push, at: now)
        case .refused(let reason, let deadSince):
            counts.refused[APNsReason.allCases.firstIndex(of: reason) ?? 0] += 1
            release(place)
            refused(push, reason, deadSince: deadSince, at: now)
        case .unanswered:
            unanswered(place, isUnprocessed: false, at: now)
        case .notProcessed:
            unanswered(place, isUnprocessed: true, at: now)
        }
        beginWaiting(at: now)
        return true
    }

    private mutating func accepted(_ push: OutgoingPush, at now: Instant) {
        let row = push.row
        switch instances[row].station.accepted(push.decision, at: now, rules) {
        case .nothing:
            return
        case .believed(let recovers):
            if recovers { counts.recovered += 1 }
            actions.changes.append(.confirm(instances[row].id, push.decision.content, at: now))
            settle(row, at: now)
        case .ended:
            // The token is removed before anything else can be sent. If the process dies before that is durable,
            // another end is sent.
            counts.invalidated += 1
            retire(row, as: .invalidated, at: now)
        }
    }

    private mutating func refused(_ push: OutgoingPush, _ reason: APNsReason, deadSince: Instant?, at now: Instant) {
        let row = push.row
        switch instances[row].station.refused(push.decision, reason, deadSince: deadSince, at: now, rules) {
        case .outdated:
            return
        case .publishedSince:
            counts.refusalsOutdated += 1
        case .carryOn:
            settle(row, at: now)
        case .discardToken:
            counts.discarded += 1
            retire(row, as: .discarded, at: now)
        }
    }

    private mutating func retire(_ row: Int, as state: TokenState, at now: Instant) {
        instances[row].token = nil
        instances[row].tokenState = state
        log(.tokenInvalidated, row, at: now)
        actions.changes.append(.retire(instances[row].id, revision: instances[row].revision, state, at: now))
        settle(row, at: now)
    }

    /// Adds the row of an answer to the event log, if one is kept.
    private mutating func log(_ push: OutgoingPush, _ outcome: PushOutcome, at now: Instant) {
        guard isLogged else { return }
        var event = ServerEvent(.answer, at: now, ride: instances[push.row].id.entity)
        (event.push, event.pushKind) = (push.decision.requestIndex, push.kind)
        switch outcome {
        case .accepted: event.status = 200
        case .refused(let reason, _):
            event.status = UInt16(reason.status)
            if let index = APNsReason.allCases.firstIndex(of: reason) { event.reason = UInt8(index) }
        case .unanswered, .notProcessed: break
        }
        actions.rows.append(event)
    }
}
