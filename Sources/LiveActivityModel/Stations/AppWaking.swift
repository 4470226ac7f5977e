import Quantities

/// The background pushes of one phone: which of them wake the app, and when it has fetched content.
struct AppWaking: Hashable, BitwiseCopyable {
    private var windowEnd = Instant.start
    private var spent: Int32 = 0
    /// When the app has the content for which it was woken, and goes back to sleep; `never` if it is asleep.
    private(set) var due = Instant.never

    /// The effect of a background push.
    enum Effect: Hashable {
        /// The budget of the window is spent.
        case ignored
        /// The app is awake already.
        case isAwake
        /// The app wakes up, and the host must set a timer for ``AppWaking/due``.
        case wakes
    }

    /// Handles a background push that reaches the phone.
    mutating func pushArrived(at now: Instant, _ rules: Scenario.WakeApp) -> Effect {
        guard due == .never || due < now else { return .isAwake }
        if windowEnd <= now {
            windowEnd = now + rules.window
            spent = 0
        }
        guard spent < rules.limit else { return .ignored }
        spent += 1
        due = now + rules.fetch
        return .wakes
    }

    /// Lets the app, which has the content now, go back to sleep.
    mutating func slept() { due = .never }
}
