import Quantities
import SimulationKernel

/// Requests that lose their stream to another push.
extension CellSimulation {
    // MARK: - Preemptive resume

    /// Whether a push may take the stream of a request that is worth less.
    mutating func canInterrupt(for push: Place<Push>) -> Bool {
        rules.preempt == .resume && sender.inFlight == streamLimit
            && sender.underWay.worstRank > Int(push.rank)
    }

    /// Interrupts the newest request of the worst rank for a push of a better one.
    ///
    /// - Returns: Whether a stream is free now.
    mutating func interrupt(for push: Place<Push>) -> Bool {
        guard canInterrupt(for: push), let newest = sender.underWay.newestOfWorstRank else { return false }
        let interrupted = pushes[newest]
        let responseDue = interrupted.responseDue
        leaveStream(interrupted)
        interrupted.remaining = responseDue - loop.now
        interrupted.standing = .interrupted
        sender.queue.prepend(interrupted.number, rank: Int(interrupted.rank))
        count(.requestsInterrupted)
        tell(of: interrupted, .interrupted(interrupted.kind))
        return true
    }

    // MARK: - Replacement

    /// Gives up the oldest content request of a push's own activity.
    ///
    /// Starts and ends are never given up, and a start gives up nothing.
    ///
    /// - Returns: Whether a stream is free now.
    mutating func replaceRequest(by push: Place<Push>) -> Bool {
        guard rules.preempt == .replace, sender.inFlight == streamLimit, push.kind != .start,
            let oldest = oldestContentRequest(of: push)
        else { return false }
        leaveStream(oldest)
        giveUpRequest(oldest)
        return true
    }

    private mutating func oldestContentRequest(of push: Place<Push>) -> Place<Push>? {
        var oldest: Place<Push>?
        for rank in 0..<RankedQueue.rankCount {
            var next = sender.underWay.first(ofRank: rank)
            while let number = next {
                let other = pushes[number]
                let isOwn = other.activity == push.activity && other.ride == push.ride
                if isOwn, other.kind == .update || other.kind == .retry {
                    if oldest.map({ other.sentAt < $0.sentAt }) ?? true {
                        oldest = other
                    }
                    break
                }
                next = sender.underWay.next(after: number)
            }
        }
        return oldest
    }

    /// Forgets a request that has begun and holds no stream.
    ///
    /// What APNs has on its way by then arrives all the same.
    mutating func giveUpRequest(_ push: Place<Push>) {
        push.standing = .done
        if push.isCounted {
            count(.requestsCancelled)
        }
        tell(of: push, .cancelled(push.kind))
        takePhotoBack(of: push)
        if hasOutsideAPNs, rules.decidesAtRequest {
            // Outside it may have been decided already: what is on its way arrives all the same.
            tellGivenUp(push)
        } else if push.isUndecided {
            withdraw(push)
            conclude(push, .cancelled)
        }
        releaseIfDone(push)
    }
}
