import FreshnessCore
package import Quantities

/// What APNs says.
extension MonitorBrain {
    /// A push was answered, or given up.
    ///
    /// - Returns: Whether the push was under way; an answer to any other changes nothing.
    @discardableResult
    package mutating func answered(_ answer: PushAnswer, at now: Instant) -> Bool {
        guard let push = inFlight.removeValue(forKey: answer.number) else { return false }
        let row = push.row
        instances[row].inFlight.removeAll { $0 == push.number }
        instances[row].changedAt = now
        switch answer.outcome {
        case .accepted:
            counts.accepted += 1
            guard push.life == instances[row].life else { return true }
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

    private mutating func confirmed(_ push: Push, at now: Instant) {
        let row = push.row
        guard push.kind != .end else {
            endConfirmed(push, at: now)
            return
        }
        let confirmation = instances[row].freshness?.contentConfirmed(push.content, at: now, policy: policy)
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

    private mutating func believe(_ push: Push, at now: Instant) {
        instances[push.row].confirmed = push.content
        actions.changes.append(.confirm(instances[push.row].id, push.content, at: now))
    }

    /// The token goes before anything else can be sent; should the process die before that is durable, another end is sent.
    private mutating func endConfirmed(_ push: Push, at now: Instant) {
        let row = push.row
        // An end that went to a token since replaced says nothing of the phone behind the new one.
        guard push.token.revision == instances[row].revision,
            instances[row].freshness?.endConfirmed() == .invalidateToken
        else { return }
        counts.invalidated += 1
        retire(row, as: .invalidated, at: now)
    }

    private mutating func refused(_ push: Push, _ reason: APNsReason, deadSince: Instant?, at now: Instant) {
        let row = push.row
        // A verdict on a token that has been replaced since says nothing about the new one.
        guard push.token.revision == instances[row].revision, push.life == instances[row].life else { return }
        if reason.verdict == .tokenIsDead, let deadSince, deadSince < push.token.publishedAt {
            // Found dead before the phone has published it once more.
            counts.refusalsOutdated += 1
            return
        }
        let refusal =
            push.kind == .end
            ? instances[row].freshness?.endRefused(reason: reason, policy: policy)
            : instances[row].freshness?.pushRefused(reason: reason, at: now, policy: policy)
        if refusal == .discardToken {
            counts.discarded += 1
            retire(row, as: .discarded, at: now)
        } else {
            settle(row, at: now)
        }
    }

    private mutating func retire(_ row: Int, as state: TokenState, at now: Instant) {
        instances[row].token = nil
        instances[row].tokenState = state
        actions.changes.append(
            .retire(instances[row].id, revision: instances[row].revision, state, at: now)
        )
        settle(row, at: now)
    }

    /// Sends a push with which APNs had not begun once more, to the same token, if that is still the valid one.
    ///
    /// Once: where nothing can be sent at all, the core's schedule is patience enough.
    private mutating func repeatIfValid(_ push: Push) {
        guard !push.isRepeat, instances[push.row].token == push.token, push.life == instances[push.row].life else {
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
