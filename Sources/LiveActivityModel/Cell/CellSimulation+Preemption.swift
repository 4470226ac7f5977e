import Quantities
import SimulationKernel

/// Requests that lose their stream to another push.
extension CellSimulation {
    // MARK: - Preemptive resume

    /// Whether a push may take the stream of a request that is worth less.
    func canInterrupt(for push: Push) -> Bool {
        world.scenario.sender.preempt == .resume && sender.inFlight == streamLimit
            && sender.underWay.worstRank > Int(push.rank)
    }

    /// Interrupts the newest request of the worst rank for a push of a better one.
    ///
    /// - Returns: Whether a stream is free now.
    mutating func interrupt(for push: Push) -> Bool {
        guard canInterrupt(for: push), let slot = sender.underWay.newestOfWorstRank else { return false }
        let interrupted = pushes[Int(slot)]
        leaveStream(slot)
        pushes[Int(slot)].remaining = interrupted.responseDue - loop.now
        pushes[Int(slot)].standing = .interrupted
        sender.queue.prepend(slot, rank: Int(interrupted.rank))
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
    mutating func replaceRequest(by push: Push) -> Bool {
        guard world.scenario.sender.preempt == .replace, sender.inFlight == streamLimit, push.kind != .start,
            let slot = oldestContentRequest(of: push)
        else { return false }
        leaveStream(slot)
        giveUpRequest(slot)
        return true
    }

    private func oldestContentRequest(of push: Push) -> UInt32? {
        var oldest: UInt32?
        for rank in 0..<RankedQueue.rankCount {
            var next = sender.underWay.first(ofRank: rank)
            while let slot = next {
                let other = pushes[Int(slot)]
                let isOwn = other.activity == push.activity && other.ride == push.ride
                if isOwn, other.kind == .update || other.kind == .retry {
                    if oldest.map({ other.sentAt < pushes[Int($0)].sentAt }) ?? true {
                        oldest = slot
                    }
                    break
                }
                next = sender.underWay.next(after: slot)
            }
        }
        return oldest
    }

    /// Forgets a request that has begun and holds no stream.
    ///
    /// What APNs has on its way by then arrives all the same.
    mutating func giveUpRequest(_ slot: UInt32) {
        let push = pushes[Int(slot)]
        pushes[Int(slot)].standing = .done
        if push.isCounted {
            count(.requestsCancelled)
        }
        tell(of: push, .cancelled(push.kind))
        takePhotoBack(of: push)
        if push.isUndecided {
            conclude(slot, .cancelled)
        }
        releaseIfDone(slot)
    }
}
