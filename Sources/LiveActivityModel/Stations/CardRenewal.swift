import Quantities

/// The renewal of one activity before Apple's limit: a new activity replaces it.
///
/// ```
///   started ─► due ─┬─ the app runs in the foreground ─► it replaces the activity
///                   └─ otherwise ─► the server sends a start, which replaces the activity on arrival
/// ```
struct CardRenewal: Hashable, BitwiseCopyable {
    /// When it is due; `never` if there is none, or if it was tried.
    private(set) var due = Instant.never

    /// The party that renews an activity.
    enum Renewer {
        case app
        case server
    }

    /// Handles an activity that starts now.
    ///
    /// - Parameters:
    ///   - before: The time before the limit at which it is renewed.
    ///   - limit: Apple's limit for an activity.
    mutating func started(at now: Instant, before: TimeSpan, limit: TimeSpan) { due = now + (limit - before) }

    /// Handles its due time: it is tried once.
    ///
    /// - Parameters:
    ///   - isNeeded: `true` if the ride goes on and the server has not given up on the activity.
    ///   - appMayStart: `true` if the app runs, in the foreground, and has content.
    /// - Returns: The party that renews the activity; nil for none.
    mutating func cameUp(isNeeded: Bool, appMayStart: Bool) -> Renewer? {
        due = .never
        guard isNeeded else { return nil }
        return appMayStart ? .app : .server
    }
}
