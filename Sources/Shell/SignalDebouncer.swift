/// Distinguishes a new signal from a repetition of the signal before.
///
/// GNU `timeout` signals its child and then the child's group, so one signal arrives twice within a millisecond. A
/// supervisor may do the same. A person needs longer to send a second one on purpose.
struct SignalDebouncer {
    /// The time after a signal in which further signals count as repetitions.
    static let span = Duration.milliseconds(500)

    /// The instant of the last signal that was not a repetition.
    private var began: Duration?

    /// `true` if a signal has come.
    var isAny: Bool { began != nil }

    /// Handles a signal; returns true if it is no repetition.
    ///
    /// - Parameter instant: The instant of the signal, by a monotonic clock.
    mutating func isNew(at instant: Duration) -> Bool {
        if let began, instant - began < Self.span { return false }
        began = instant
        return true
    }
}
