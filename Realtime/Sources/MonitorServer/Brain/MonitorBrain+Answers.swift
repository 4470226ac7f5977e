import FreshnessCore
import LiveActivityModel
import Quantities

/// What APNs says.
extension MonitorBrain {
    /// A push was answered, or given up; false where none was under way, and then nothing changes.
    @discardableResult
    mutating func answered(_ answer: PushAnswer, at now: Instant) -> Bool {
        guard let push = inFlight.removeValue(forKey: answer.number) else { return false }
        let row = push.row
        instances[row].inFlight.removeAll { $0 == push.number }
        instances[row].changedAt = now
        switch answer.outcome {
        case .accepted:
            counts.accepted += 1
            confirmed(push, at: now)
        case .refused(let reason, let deadSince):
            counts.refused[APNsReason.allCases.firstIndex(of: reason) ?? 0] += 1
            refused(push, reason, deadSince: deadSince, at: now)
        case .unanswered:
            counts.unanswered += 1
        case .notProcessed:
            repeatIfValid(push)
        }
        return true
    }

    private mutating func confirmed(_ push: OutgoingPush, at now: Instant) {
        let row = push.row
        guard push.kind != .end else {
            endConfirmed(push, at: now)
            return
        }
        let confirmation = instances[row].station.contentAccepted(push.content, of: push.watch, at: now, rules)
        switch confirmation {
        case .recovered:
            counts.recovered += 1
            believe(push, at: now)
        case .stillFresh, .alreadyStale:
            believe(push, at: now)
        case nil, .older, .late, .closed:
            return
        }
        settle(row, at: now)
    }

    private mutating func believe(_ push: OutgoingPush, at now: Instant) {
        instances[push.row].confirmed = push.content
        actions.changes.append(.confirm(instances[push.row].id, push.content, at: now))
    }

    /// The token goes before anything else can be sent; should the process die before that is durable, another end is sent.
    private mutating func endConfirmed(_ push: OutgoingPush, at now: Instant) {
        let row = push.row
        guard instances[row].station.endAccepted(on: push.tokenNumber) else { return }
        counts.invalidated += 1
        retire(row, as: .invalidated, at: now)
    }

    private mutating func refused(_ push: OutgoingPush, _ reason: APNsReason, deadSince: Instant?, at now: Instant) {
        let row = push.row
        if reason.verdict == .tokenIsDead, let deadSince, deadSince < push.token.publishedAt {
            // Found dead before the phone has published it once more.
            counts.refusalsOutdated += 1
            return
        }
        let refusal = instances[row].station
            .refused(isEnd: push.kind == .end, reason: reason, on: push.tokenNumber, at: now, rules)
        switch refusal {
        case .outdated:
            return
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
        actions.changes.append(.retire(instances[row].id, revision: instances[row].revision, state, at: now))
        settle(row, at: now)
    }

    /// Sends a push with which APNs had not begun once more, to the same token, if that is still the valid one.
    ///
    /// Once: where nothing can be sent at all, the core's schedule is patience enough.
    private mutating func repeatIfValid(_ push: OutgoingPush) {
        let station = instances[push.row].station
        guard !push.isRepeat, station.counts(verdictOn: push.tokenNumber), push.watch == station.watch else {
            counts.unanswered += 1
            return
        }
        send(
            push.kind,
            to: push.row,
            priority: push.priority,
            content: push.content,
            payload: push.payload,
            repeating: push
        )
    }
}
