import Quantities
import SimulationKernel

/// Requests that lose their stream to another push.
extension CellSimulation {
    /// A request was interrupted for a push of a better rank: it waits for the rest of its time.
    mutating func interrupted(_ push: Handle<Push>) {
        push.remaining = push.responseDue - loop.now
        push.responseDue = .never
        push.standing = .interrupted
        count(.requestsInterrupted)
        tell(of: push, .interrupted(push.kind))
    }

    /// The oldest content request under way of a push's own activity, which a new push of the activity may replace.
    ///
    /// Starts and ends are never given up, and a start gives up nothing.
    mutating func oldestContentRequest(of push: Handle<Push>) -> Handle<Push>? {
        guard push.kind != .start else { return nil }
        var oldest: Handle<Push>?
        for rank in 0..<RankedQueue.rankCount {
            var next = sender.firstUnderWay(ofRank: rank)
            while let number = next {
                let other = pushes[number]
                let isOwn = other.activity == push.activity && other.ride == push.ride
                if isOwn, other.kind == .update || other.kind == .retry {
                    if oldest.map({ other.sentAt < $0.sentAt }) ?? true {
                        oldest = other
                    }
                    break
                }
                next = sender.nextUnderWay(after: number)
            }
        }
        return oldest
    }

    /// Forgets a request that has begun and holds no stream.
    ///
    /// What APNs has on its way by then arrives all the same.
    mutating func giveUpRequest(_ push: Handle<Push>) {
        push.standing = .done
        if push.isCounted {
            count(.requestsCancelled)
        }
        tell(of: push, .cancelled(push.kind))
        takePhotoBack(of: push)
        if ports.requests == .remote, rules.decidesAtRequest {
            // It may have been decided already, and then arrives all the same.
            tellGivenUp(push)
        } else if push.isUndecided {
            withdraw(push)
            conclude(push, .cancelled)
        }
        releaseIfDone(push)
    }
}
