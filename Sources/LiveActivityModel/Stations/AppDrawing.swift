import FreshnessCore
import Quantities

/// The drawing of an app's own updates on one phone: since iOS 18 the system draws them at intervals.
///
/// An update within the interval waits, and a newer one replaces it. Pushes are drawn at once and do not start an interval.
/// The host draws the length of each interval.
///
/// Source: developers' reports of updates that appear every 5 to 15 s; Apple publishes no number.
struct AppDrawing: Hashable, BitwiseCopyable {
    /// The first instant at which another update may be drawn.
    private var opensAt = Instant.start
    /// The generation of the content that waits; `never` if none waits.
    private(set) var waitingSince = Instant.never
    /// The number of intervals so far, which keys their draws.
    private(set) var count: UInt32 = 0

    /// The fate of an update by the app.
    enum Verdict: Hashable {
        /// It is drawn now, and the host must begin an interval by ``began(_:at:)``.
        case draws
        /// It waits until an instant, for which the host must set a timer (``AppDrawing/due``).
        case waits(until: Instant)
        /// It replaces an update that waits.
        case replaces
    }

    /// Handles an update by the app.
    mutating func updated(at now: Instant) -> Verdict {
        guard now < opensAt else { return .draws }
        let isFirst = waitingSince == .never
        waitingSince = now
        return isFirst ? .waits(until: opensAt) : .replaces
    }

    /// Begins the interval after an update that is drawn now.
    mutating func began(_ interval: TimeSpan, at now: Instant) {
        opensAt = now + interval
        count &+= 1
    }

    /// When the update that waits is drawn; `never` if none waits.
    var due: Instant { waitingSince == .never ? .never : opensAt }

    /// Removes the update that waits and returns the instant of its generation; `never` if none waits.
    mutating func take() -> Instant {
        defer { waitingSince = .never }
        return waitingSince
    }
}
