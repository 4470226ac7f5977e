/// Where the newest content for an activity is while its screen shows older content; after the ride, where its end is.
///
/// The time in which a screen is stale, or shows a stage that is over, is divided among these: the parts add up to the
/// microsecond. What counts is the last place to which the newest content is known to have come. Content that is repeated
/// is in several places; the latest of them counts.
public enum Whereabouts: UInt8, CaseIterable, BitwiseCopyable, Sendable {
    /// There is none newer than what the screen shows.
    case onScreen
    /// The server could not generate it.
    case noContent
    /// The server has no token to send it to.
    case noToken
    /// `sender.minimum_interval` holds it back, or has left it out.
    case heldBack
    /// In the sender's queue, or to be offered to it again.
    case queued
    /// The sender has given it up before a request.
    case notSent
    /// Under way: to APNs, or from there to the phone.
    case inFlight
    /// APNs never had it, as the sender has seen by its time-out.
    case noAnswer
    /// APNs has refused it.
    case refused
    /// It went to a token that no longer works.
    case deadToken
    /// APNs has lost it.
    case lost
    /// APNs keeps it for a phone without a connection.
    case stored
    /// It expired in APNs' store.
    case expired
    /// Other content took its place in APNs' store.
    case replaced
    /// The phone was without a connection, and APNs did not keep it.
    case notStored
    /// The activity's budget was spent when it came.
    case throttled
    /// The app could not decode it.
    case undecodable
    /// It came, and its timestamp said that it was older than what was there.
    case outdated
    /// The monitor has given the activity up: no more content is sent, and, after the ride, no end was offered either.
    case givenUp

    /// Its part among those of a measure that is divided by cause.
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
