import FreshnessCore
import LiveActivityModel

/// Plain words for the names in result files and for the cases of the model.
enum Wording {
    /// A fault.
    static func fault(_ kind: Scenario.Fault.Kind) -> String {
        switch kind {
        case .apnsSilent: "APNs silent"
        case .apnsUnavailable: "APNs unavailable"
        case .apnsSlow: "APNs slow"
        case .apnsCapacity: "APNs at part of its speed"
        case .connectionLost: "connections lost"
        case .senderPaused: "sender paused"
        case .monitorPaused: "monitor paused"
        case .contentDown: "no new content"
        case .tokenPostDown: "token posts fail"
        case .devicesOffline: "phones offline"
        }
    }

    /// Why activities ended, failed to start, or pushes were not sent: by the name in `reason:…`.
    static func reason(_ name: String) -> String {
        switch name {
        case "cancelled": "the ride was cancelled"
        case "content_expired": "the content was past its stale date for too long"
        case "no_token": "iOS yielded no token in time"
        case "no_update": "no update came in time"
        case "ride_over": "the ride was over"
        case "severe": "the monitor gave up: severely stale"
        case "swiped": "the rider swiped it away"
        case "system_limit": "Apple's limit was reached"
        case "token_not_posted": "the token did not reach the server in time"
        case "background": "the app was in the background"
        case "not_allowed": "Live Activities are off"
        case "too_large": "attributes and content were too large"
        case "abandoned": "the activity or its token was gone when the turn came"
        case "no_content": "the server had no content"
        case "queue_full": "the queue was full"
        case "coalesced": "a newer update took its place in the queue"
        case "displaced": "the queue was full, and a later push took its place"
        case "expired": "it had waited for as long as it may"
        case "in_orbit_at_end": "to be offered again at the end of the run"
        case "rate_limited": "above the rate limit"
        case "queued_at_end": "still in the queue at the end of the run"
        case "within_minimum_interval": "too soon after the update before"
        default: plain(name)
        }
    }

    /// What became of pushes: by the name in `fate:…`.
    static func fate(_ name: String) -> String {
        switch name {
        case "shown": "shown"
        case "ended": "ended the activity"
        case "started": "started the activity"
        case "older": "newer content was on the screen already"
        case "throttled": "not shown: update budget spent"
        case "undecodable": "not shown: the app could not decode it"
        case "lost": "accepted by APNs, then lost"
        case "cancelled": "cancelled by the sender for a newer one"
        case "dead_token": "accepted for a token that no longer worked"
        case "after_end": "came after the end of the activity"
        case "replaced_in_store": "replaced by a newer push while the phone was offline"
        case "expired": "expired while the phone was offline"
        case "not_stored": "not kept for a phone that was offline"
        case "start_ignored": "the phone did not act on a start"
        case "refused": "refused by APNs"
        case "not_accepted": "no answer, and not accepted"
        case "in_flight_at_end": "on its way at the end of the run"
        default: plain(name)
        }
    }

    /// What APNs answered: by the name in `status:…`.
    static func status(_ name: String) -> String {
        switch name {
        case "200": "200 accepted"
        case "400": "400 bad request"
        case "403": "403 forbidden"
        case "410": "410 token expired or unregistered"
        case "413": "413 payload too large"
        case "429": "429 too many requests to one token"
        case "500": "500 error inside APNs"
        case "503": "503 APNs unavailable"
        case "timeout": "no answer in time"
        case "connection_lost": "connection lost"
        default: plain(name)
        }
    }

    /// How episodes of staleness ended: by the name in `outcome:…`.
    static func outcome(_ name: String) -> String {
        switch name {
        case "recovered": "fresh again"
        case "severe": "given up as severely stale"
        case "cut_short": "cut short by the end of the activity"
        case "open_at_end": "still open at the end of the run"
        default: plain(name)
        }
    }

    /// Kinds of pushes: by the name in `kind:…`.
    static func kind(_ name: String) -> String {
        switch name {
        case "update": "updates"
        case "retry": "retries"
        case "end": "ends"
        case "start": "starts"
        default: plain(name)
        }
    }

    /// A kind of push.
    static func push(_ kind: StoryLine.PushKind) -> String {
        switch kind {
        case .update: "update"
        case .retry: "retry"
        case .end: "end"
        case .start: "push-to-start"
        }
    }

    /// A bucket of the monitor.
    static func belief(_ belief: FreshnessClass) -> String {
        switch belief {
        case .fresh: "fresh"
        case .recoverable: "recoverable"
        case .severe: "severe"
        }
    }

    /// A name with blanks for underscores.
    static func plain(_ name: String) -> String {
        name.replacing("_", with: " ")
    }
}
