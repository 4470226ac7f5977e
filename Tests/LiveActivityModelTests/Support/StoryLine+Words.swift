import FreshnessCore
import LifecycleTraces
import LiveActivityModel
import Quantities

/// Stories in short words, so that a test can state a whole life as a list of strings: "1.5 sent update".
extension StoryLine {
    /// The topic of a line.
    enum Topic: String, CaseIterable {
        case ride
        case activity
        case token
        case request
        case push
        case monitor
    }

    var topic: Topic {
        switch happening {
        case .requested, .bookedAgain, .joined, .joinedGroup, .channelCreated, .stageBegan, .driverDropped, .rideEnded:
            .ride
        case .startFailed, .startDropped, .started, .updatedLocally, .drawingWaits, .cardStays, .etaCorrected,
            .photoShown, .photoLost, .photoDownloads, .wasStale, .alerted, .ended, .endedOldCard, .endReported,
            .endReportFailed:
            .activity
        case .tokenYielded, .tokenPostFailed, .tokenPosted, .tokenRotated, .startTokenPosted, .tokenInvalidated,
            .tokenDiscarded:
            .token
        case .contentRequested, .photoPacked, .payloadTooLarge, .alertCreated, .queued, .notSent, .sent, .answered,
            .unanswered:
            .request
        case .postponed, .putOff, .interrupted, .resumed, .cancelled, .repeatWithheld: .request
        case .fate, .stored, .sentOn: .push
        case .classified, .retryWithheld, .confirmed: .monitor
        }
    }

    /// The line with its time in seconds.
    var words: String { "\(at.seconds) \(StoryLine.words(happening))" }

    private static func words(_ happening: Happening) -> String {
        switch happening {
        case .requested: "requested"
        case .bookedAgain(let ride, let oldCards, _):
            "ride \(ride) of the rider\(oldCards == 0 ? "" : " beside \(oldCards)")"
        case .endedOldCard(let ride): "ended the card of \(ride)"
        case .joined(let cohort): "joined cohort \(cohort)"
        case .stageBegan(let stage): "stage \(stage)"
        case .joinedGroup(let first, let isByChannel): "joined group \(first) by \(isByChannel ? "channel" : "tokens")"
        case .channelCreated: "channel created"
        case .sentOn(let kind): "sent on \(kind)"
        case .driverDropped: "driver dropped the ride"
        case .rideEnded(let isCancelled): isCancelled ? "cancelled" : "completed"
        case .startFailed(let reason): "start failed: \(reason)"
        case .startDropped(let drop): "start dropped: \(drop)"
        case .started: "started"
        case .contentRequested(let kind, let until): "\(kind) content until \(until.seconds)"
        case .updatedLocally: "updated locally"
        case .etaCorrected(let change): "ETA corrected by \(change.microseconds / 1_000_000)"
        case .photoShown(let photo): "photo shown: \(photo)"
        case .photoLost(let isOutdated): isOutdated ? "photo outdated" : "photo lost"
        case .photoDownloads(let until): "photo downloads until \(until.seconds)"
        case .wasStale(let since, let isMarked): "\(isMarked ? "marked" : "misleading") since \(since.seconds)"
        case .photoPacked(let photo, let original, let packed, let payload):
            "\(photo)'s photo \(original) as \(packed) in \(payload)"
        case .payloadTooLarge(let bytes, let limit): "payload \(bytes) above \(limit)"
        case .alertCreated(let stage): "alert about stage \(stage)"
        case .alerted(let isLate): isLate ? "late alert" : "alert"
        case .cardStays(let until, .never): "card stays until \(until.seconds)"
        case .cardStays(let until, let wrongFrom):
            "card stays until \(until.seconds) and is wrong from \(wrongFrom.seconds)"
        case .drawingWaits(let until): "update waits until \(until.seconds)"
        case .ended(let reason): "ended: \(reason)"
        case .endReported: "end reported"
        case .endReportFailed(let isLast): isLast ? "end not reported" : "end report failed"
        case .tokenYielded: "token yielded"
        case .tokenPostFailed: "post failed"
        case .tokenPosted: "token posted"
        case .tokenRotated: "token rotated"
        case .startTokenPosted: "start token posted"
        case .tokenInvalidated: "token invalidated"
        case .tokenDiscarded: "token discarded"
        case .queued(let kind): "queued \(kind)"
        case .notSent(let kind, let reason): "\(kind) not sent: \(reason)"
        case .postponed(let until): "state change put off until \(until.seconds)"
        case .putOff(let kind, let until): "put off \(kind) until \(until.seconds)"
        case .interrupted(let kind): "interrupted \(kind)"
        case .resumed(let kind): "resumed \(kind)"
        case .cancelled(let kind): "cancelled \(kind)"
        case .repeatWithheld(let kind): "\(kind) not repeated"
        case .sent(let kind, .immediate, _): "sent \(kind)"
        case .sent(let kind, .considerate, _): "sent \(kind) at 5"
        case .answered(let kind, nil): "accepted \(kind)"
        case .answered(let kind, let reason?): "refused \(kind): \(reason.status)"
        case .unanswered(let kind): "unanswered \(kind)"
        case .fate(let kind, let fate): "\(kind) \(fate)"
        case .stored(let kind, let until): "stored \(kind) until \(until.seconds)"
        case .classified(let belief): "class \(belief)"
        case .retryWithheld: "retry withheld"
        case .confirmed(let confirmation): words(confirmation)
        }
    }

    private static func words(_ confirmation: InstanceFreshness.Confirmation) -> String {
        switch confirmation {
        case .stillFresh: "still fresh"
        case .recovered(let since): "recovered since \(since.seconds)"
        case .alreadyStale: "already stale"
        case .older: "older"
        case .late: "late"
        case .closed: "closed"
        }
    }
}
