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

    /// Forgets a request that has begun and holds no stream.
    ///
    /// What APNs has on its way by then arrives all the same.
    mutating func giveUpRequest(_ push: Handle<Push>) {
        push.responseDue = .never
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
