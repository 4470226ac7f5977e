import FreshnessCore
import LiveActivityModel

/// Plain words for the names in result files and for the cases of the model.
///
/// A name without words of its own, from a newer version or a server's log, is shown as it is, blanks for underscores.
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
    static func reason(_ name: String) -> String { reasons[name] ?? plain(name) }

    /// The words for every name that the metrics have in `reason:…`.
    static let reasons = [
        "cancelled": "the ride was cancelled",
        "content_expired": "the content was past its stale date for too long",
        "no_token": "iOS yielded no token in time",
        "no_update": "no update came in time",
        "ride_over": "the ride was over",
        "severe": "the monitor gave up: severely stale",
        "swiped": "the rider swiped it away",
        "system_limit": "Apple's limit was reached",
        "token_not_posted": "the token did not reach the server in time",
        "background": "the app was in the background",
        "not_allowed": "Live Activities are off",
        "too_large": "attributes and content were too large",
        "abandoned": "the activity or its token was gone when the turn came",
        "no_content": "the server had no content",
        "queue_full": "the queue was full",
        "coalesced": "a newer update took its place in the queue",
        "displaced": "the queue was full, and a later push took its place",
        "expired": "it had waited for as long as it may",
        "in_orbit_at_end": "to be offered again at the end of the run",
        "rate_limited": "above the rate limit",
        "queued_at_end": "still in the queue at the end of the run",
        "within_minimum_interval": "too soon after the update before",
    ]

    /// What became of pushes: by the name in `fate:…`.
    static func fate(_ name: String) -> String { fates[name] ?? plain(name) }

    /// The words for every name that the metrics have in `fate:…`.
    static let fates = [
        "shown": "shown",
        "ended": "ended the activity",
        "started": "started the activity",
        "older": "newer content was on the screen already",
        "throttled": "not shown: update budget spent",
        "undecodable": "not shown: the app could not decode it",
        "lost": "accepted by APNs, then lost",
        "cancelled": "cancelled by the sender for a newer one",
        "dead_token": "accepted for a token that no longer worked",
        "after_end": "came after the end of the activity",
        "replaced_in_store": "replaced by a newer push while the phone was offline",
        "expired": "expired while the phone was offline",
        "not_stored": "not kept for a phone that was offline",
        "start_ignored": "the phone did not act on a start",
        "refused": "refused by APNs",
        "not_accepted": "no answer, and not accepted",
        "in_flight_at_end": "on its way at the end of the run",
    ]

    /// What APNs answered: by the name in `status:…`.
    static func status(_ name: String) -> String { statuses[name] ?? plain(name) }

    /// The words for every name that the metrics have in `status:…`.
    static let statuses = [
        "200": "200 accepted",
        "400": "400 bad request",
        "403": "403 forbidden",
        "410": "410 token expired or unregistered",
        "413": "413 payload too large",
        "429": "429 too many requests to one token",
        "500": "500 error inside APNs",
        "503": "503 APNs unavailable",
        "timeout": "no answer in time",
        "connection_lost": "connection lost",
    ]

    /// How episodes of staleness ended: by the name in `outcome:…`.
    static func outcome(_ name: String) -> String { outcomes[name] ?? plain(name) }

    /// The words for every name that the metrics have in `outcome:…`.
    static let outcomes = [
        "recovered": "fresh again",
        "severe": "given up as severely stale",
        "cut_short": "cut short by the end of the activity",
        "open_at_end": "still open at the end of the run",
    ]

    /// Kinds of pushes: by the name in `kind:…`.
    static func kind(_ name: String) -> String { kinds[name] ?? plain(name) }

    /// The words for every name that the metrics have in `kind:…`.
    static let kinds = [
        "update": "updates",
        "retry": "retries",
        "end": "ends",
        "start": "starts",
    ]

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
