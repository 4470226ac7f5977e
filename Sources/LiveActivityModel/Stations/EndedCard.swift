import Quantities

/// The card that an activity leaves on the screen after its end.
///
/// It shows the last content, and nothing can change it. If that content shows a stage of the ride that is over, or the ride
/// itself while it is over, the card is wrong.
struct EndedCard: Hashable, BitwiseCopyable {
    /// When the ride ended; `never` while it goes on.
    var rideEndedAt = Instant.never
    /// When the card is removed; at or before the end of its activity if it does not stay.
    private(set) var until = Instant.start
    /// When the content becomes wrong.
    private(set) var wrongFrom = Instant.never

    /// The party that ended an activity, which decides how long its card stays.
    enum Ender {
        case app
        /// An end that the server sent at an instant, from which its dismissal date counts.
        case push(sentAt: Instant)
        case limit
        case rider
        /// A new activity that replaced it.
        case renewal
    }

    /// When a card is removed, unless its rider removes it earlier.
    static func removal(endedBy ender: Ender, at now: Instant, _ dismissal: Scenario.Dismissal) -> Instant {
        let asked: Instant? =
            switch ender {
            case .app: now + dismissal.byApp
            case .push(let sentAt): dismissal.date(ofEndSentAt: sentAt)
            case .limit: now + dismissal.atLimit
            case .rider, .renewal: now
            }
        return PhoneStation.dismissal(askedFor: asked, endedAt: now)
    }

    /// Leaves the card of an activity that ends now.
    ///
    /// - Parameters:
    ///   - until: When it is removed.
    ///   - wrongFrom: When its content becomes wrong; `never` if it stays right.
    mutating func stays(until: Instant, wrongFrom: Instant) {
        self.until = until
        self.wrongFrom = wrongFrom
    }

    /// The part of an interval [µs] in which the card is on the screen.
    func time(from: Int64, to: Int64) -> Int64 { max(0, min(to, until.microseconds) - from) }

    /// The part of an interval [µs] in which it is on the screen and wrong.
    func wrongTime(from: Int64, to: Int64) -> Int64 { time(from: max(from, wrongFrom.microseconds), to: to) }
}
