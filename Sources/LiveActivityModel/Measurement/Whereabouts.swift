/// The location of an activity's newest content while its screen shows older content; after the ride, the location of
/// its end.
///
/// The time in which a screen is stale, or shows an earlier stage, is divided among these causes, and the parts add up
/// to the microsecond. The location is the last place that the newest content is known to have reached. Content that is
/// retried is in several locations; the latest counts.
public enum Whereabouts: UInt8, CaseIterable, BitwiseCopyable, Sendable {
    /// The screen shows the newest content.
    case onScreen
    /// The server could not generate it, or awaits it from its endpoint.
    case noContent
    /// The server has no token to send it to.
    case noToken
    /// `sender.minimum_interval` delays it, or has dropped it.
    case heldBack
    /// In the sender's queue, or to be offered to it again.
    case queued
    /// The sender dropped it before a request.
    case notSent
    /// In flight: to APNs, or from APNs to the phone.
    case inFlight
    /// APNs did not accept it, as the sender's timeout has shown.
    case noAnswer
    /// APNs rejected it.
    case refused
    /// It went to a token that no longer works.
    case deadToken
    /// APNs lost it.
    case lost
    /// APNs stores it for a phone that is offline.
    case stored
    /// It expired in APNs' store.
    case expired
    /// Newer content replaced it in APNs' store.
    case replaced
    /// The phone was offline, and APNs did not store it.
    case notStored
    /// The activity's budget was spent when it arrived.
    case throttled
    /// The app could not decode it.
    case undecodable
    /// It arrived, but its timestamp was older than that of the content on the screen.
    case outdated
    /// The monitor has given up on the activity: no more content is sent and, after the ride, no end was offered.
    case givenUp
    /// The app has it, or was woken to fetch it, and the card has yet to show it.
    case undrawn

    /// Its part of a measure that is divided by cause.
    func part(isAfterRide: Bool) -> Int {
        Int(rawValue) + (isAfterRide ? Whereabouts.allCases.count : 0)
    }
}

extension Measurements {
    /// One part of a total that is divided by cause.
    public subscript(total: Total, cause: Whereabouts, isAfterRide isAfterRide: Bool) -> Int64 {
        self[total, cause.part(isAfterRide: isAfterRide)]
    }
}
