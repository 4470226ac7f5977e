/// The driver's photo on a card, or the reason for its absence.
public enum DriverPhoto: UInt8, CaseIterable, BitwiseCopyable, Sendable {
    /// The original, which the app has downloaded.
    case original
    /// The photo of a push.
    case full
    /// The photo of a push, shrunk to fit.
    case small
    /// There is no card on the screen.
    case noCard
    /// The server has not sent it yet.
    case notSent
    /// It did not fit into the payload.
    case dropped
    /// A push with it is on its way.
    case onItsWay
    /// The push with it did not reach this card.
    case lost
    /// The push with it arrived when the card already had content as new, so that it was not rendered.
    case outdated
    /// No push carries photos, and the app has not downloaded the original.
    case notDownloaded

    /// `true` if the card shows it.
    public var isShown: Bool { rawValue <= DriverPhoto.small.rawValue }
}
