import FreshnessCore
import LiveActivityModel
import Quantities
import TextFormats

/// The events of a history, in words.
extension Story {
    /// Returns the text of an event.
    func what(_ happening: StoryLine.Happening) -> String {
        switch happening {
        case .requested: "ride requested"
        case .stageBegan(let stage): "stage began: \(Wording.plain(name(ofStage: stage)))"
        case .driverDropped: "driver dropped the ride; waiting for another driver"
        case .rideEnded(isCancelled: false): "ride over"
        case .rideEnded(isCancelled: true): "ride cancelled"
        case .startFailed(let reason): "start failed: \(Story.words(reason))"
        case .contentRequested(let kind, let until):
            "server requested the content of a push (\(Wording.push(kind))), which comes at \(ClockTime(scenario).short(until))"
        case .startDropped(.overBudget): "phone dropped the start: its budget for starts was spent"
        case .startDropped(.stale): "phone did not present the start: its content was stale on arrival"
        case .startDropped(.tooManyCards): "phone dropped the start: it had as many cards of the app as iOS allows"
        case .startDropped(.noAlert): "phone did not present the start: it had no alert"
        case .started: "activity started on the phone"
        case .tokenYielded: "iOS yielded a token"
        case .tokenPostFailed: "posting the token failed"
        case .tokenPosted: "server received the token"
        case .tokenRotated: "token changed, the old one no longer works"
        case .bookedAgain(let ride, let oldCards, _):
            "ride \(ride + 1) of the same rider, on the same phone"
                + (oldCards == 0
                    ? "" : oldCards == 1 ? "; an earlier card is live" : "; \(oldCards) earlier cards are live")
        case .endedOldCard(let ride): "app ended the card of ride \(ride)"
        case .joined(let cohort): "ride belongs to cohort \(Wording.plain(scenario.cohorts[cohort - 1].name))"
        case .joinedGroup(let first, isByChannel: true):
            "ride follows the content of group \(first), by the group's channel"
        case .joinedGroup(let first, isByChannel: false):
            "ride follows the content of group \(first), by its own token"
        case .channelCreated: "server created a channel"
        case .sentOn(let kind): "APNs sent the push (\(Wording.push(kind))) on from the channel to this phone"
        case .startTokenPosted: "server received the phone's new push-to-start token"
        case .updatedLocally: "app updated the screen itself"
        case .etaCorrected(let change):
            "ETA on the screen corrected by \(change < .zero ? "−" : "+")\(Format.span(abs(change.microseconds)))"
        case .wasStale(let since, isMarked: true):
            "content was stale from \(ClockTime(scenario).short(since)) on, and the card marked it"
        case .wasStale(let since, isMarked: false):
            "content was stale from \(ClockTime(scenario).short(since)) on, and the card did not mark it"
        case .photoPacked(let photo, let original, let packed, let payload):
            Story.words(photo, original: original, packed: packed, payload: payload)
        case .payloadTooLarge(let bytes, let limit):
            "payload of \(Story.bytes(bytes)) is above APNs' limit of \(Story.bytes(limit))"
        case .alertCreated(let stage): "push with an alert: \(Wording.plain(name(ofStage: stage)))"
        case .photoShown(.small): "card shows the driver's photo, shrunk"
        case .photoShown: "card shows the driver's photo"
        case .photoLost(isOutdated: false): "driver's photo lost with its push"
        case .photoLost(isOutdated: true): "driver's photo not kept: its push was no newer than the card"
        case .photoDownloads(let until):
            "app downloads the driver's photo; the card shows it from \(ClockTime(scenario).short(until)) on"
        case .alerted(isLate: false): "alert lit up the screen"
        case .alerted(isLate: true): "alert lit up the screen about a stage that was over"
        case .cardStays(let until, .never): "card stays on the screen until \(ClockTime(scenario).short(until))"
        case .cardStays(let until, let wrongFrom):
            "card stays on the screen until \(ClockTime(scenario).short(until)), and is wrong from "
                + ClockTime(scenario).short(wrongFrom)
        case .drawingWaits(let until): "app updated the card; the phone draws it at \(ClockTime(scenario).short(until))"
        case .queued(let kind): "push (\(Wording.push(kind))) queued"
        case .notSent(let kind, let reason): "push (\(Wording.push(kind))) not sent: \(Story.words(reason))"
        case .putOff(let kind, let until):
            "push (\(Wording.push(kind))) found the queue full, tries again at \(ClockTime(scenario).short(until))"
        case .postponed(let until):
            "stage change delayed until \(ClockTime(scenario).short(until)): too soon after the previous update"
        case .interrupted(let kind): "request (\(Wording.push(kind))) interrupted by a more urgent push"
        case .resumed(let kind): "request (\(Wording.push(kind))) resumed"
        case .cancelled(let kind): "request (\(Wording.push(kind))) cancelled for a newer push"
        case .repeatWithheld(let kind): "push (\(Wording.push(kind))) not repeated: sender.retry_budget spent"
        case .sent(let kind, let priority, _):
            "push (\(Wording.push(kind)), priority \(priority.rawValue)) sent to APNs"
        case .answered(let kind, refusal: nil): "APNs accepted the push (\(Wording.push(kind)))"
        case .answered(let kind, let refusal?):
            "APNs rejected the push (\(Wording.push(kind))): \(refusal.status) \(refusal.rawValue)"
        case .unanswered(let kind): "no answer to the push (\(Wording.push(kind)))"
        case .fate(let kind, let fate): "push (\(Wording.push(kind))) \(Story.words(fate))"
        case .stored(let kind, let until):
            "push (\(Wording.push(kind))) kept by APNs until \(ClockTime(scenario).short(until))"
        case .classified(let belief): "monitor: now \(Wording.belief(belief))"
        case .retryWithheld: "monitor: retry withheld, retry budget spent"
        case .confirmed(let confirmation): "server: \(Story.words(confirmation))"
        case .tokenInvalidated: "server invalidated the token"
        case .tokenDiscarded: "server discarded the token after APNs' answer"
        case .ended(let reason): "activity ended: \(Story.words(reason))"
        case .endReported: "device's report of the end reached the server"
        case .endReportFailed(isLast: false): "device's report of the end failed; it tries again"
        case .endReportFailed(isLast: true): "device's report of the end failed; the server does not learn of the end"
        }
    }

    func name(ofStage stage: Int) -> String {
        scenario.rides.stages.indices.contains(stage) ? scenario.rides.stages[stage].name : "\(stage)"
    }

    private static func words(_ photo: StoryLine.Photo, original: Int, packed: Int, payload: Int) -> String {
        let (name, whole) = (photo == .driver ? "driver's photo" : "car's photo", bytes(original))
        let size = "payload of \(bytes(payload))"
        if packed == 0 { return "\(size) without the \(name): its \(whole) did not fit" }
        return packed == original
            ? "\(size) with the \(name) of \(whole)"
            : "\(size) with the \(name), shrunk from \(whole) to \(bytes(packed))"
    }

    private static func bytes(_ count: Int) -> String { count.counted("byte", "bytes") }

    private static func words(_ failure: StoryLine.StartFailure) -> String {
        switch failure {
        case .notAllowed: "Live Activities are off on this phone"
        case .inBackground: "the app was in the background"
        case .atSystemLimit: "too many activities on the phone"
        case .tooLarge: "attributes and content over 4 KB"
        case .noContent: "the server had no content"
        case .notEligible: "the server's answer allows the ride no Live Activity"
        case .oldCard: "the app took the card of an earlier ride for this one's"
        case .givenUp: "no way left to start the activity"
        }
    }

    private static func words(_ reason: StoryLine.Unsent) -> String {
        switch reason {
        case .coalesced: "replaced by a newer update"
        case .queueFull: "the queue was full"
        case .displaced: "the queue was full; displaced by a later push"
        case .rateLimited: "above the rate limit"
        case .outOfPatience: "it waited longer than allowed"
        case .withinMinimumInterval: "too soon after the previous update"
        case .noContent: "the server had no content"
        case .tokenGone: "the token was gone"
        }
    }

    private static func words(_ fate: StoryLine.Fate) -> String {
        switch fate {
        case .shown: "shown"
        case .ended: "ended the activity"
        case .started: "started the activity"
        case .older: "not shown: newer content was there"
        case .throttled: "not shown: update budget spent"
        case .undecodable: "not shown: the app cannot decode it"
        case .lost: "lost after APNs accepted it"
        case .deadToken: "dropped: its token no longer worked"
        case .afterEnd: "came after the end"
        case .replacedInStore: "replaced by a newer one while the phone was offline"
        case .expired: "expired while the phone was offline"
        case .notStored: "dropped: the phone was offline"
        case .startIgnored: "ignored by the phone"
        case .wokeApp: "woke the app"
        }
    }

    private static func words(_ confirmation: InstanceFreshness.Confirmation) -> String {
        switch confirmation {
        case .stillFresh: "content confirmed, still fresh"
        case .recovered: "content confirmed, fresh again"
        case .alreadyStale: "content confirmed, but already stale"
        case .older: "confirmation of older content"
        case .late: "confirmation too late, the end was already decided"
        case .closed: "confirmation for a closed instance"
        }
    }

    static func words(_ reason: StoryLine.EndReason) -> String {
        switch reason {
        case .rideOver: "ride over"
        case .cancelled: "ride cancelled"
        case .severe: "severely stale"
        case .noToken: "no token in time"
        case .tokenNotPosted: "token did not reach the server in time"
        case .noUpdate: "no update in time"
        case .swiped: "swiped away"
        case .contentExpired: "content stale for too long"
        case .systemLimit: "Apple's limit"
        case .renewed: "a new one replaces it before Apple's limit"
        case .leftOver: "the app started the card of a later ride"
        }
    }
}
