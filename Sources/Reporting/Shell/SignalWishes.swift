/// Tells a signal that is a new wish from one that repeats the wish before.
///
/// `timeout` of GNU signals its child and then the child's group, so that one wish comes as two signals within a
/// millisecond, and a supervisor may do the same. A person needs longer to want something else.
struct SignalWishes {
    /// How long after the first signal of a wish further ones belong to it.
    static let span = Duration.milliseconds(500)

    /// When the first signal of the last wish came.
    private var began: Duration?

    /// Whether a signal has come at all.
    var isAny: Bool { began != nil }

    /// Takes a signal; true where it is a new wish.
    ///
    /// - Parameter instant: When it came, by a clock that only goes forward.
    mutating func isNew(at instant: Duration) -> Bool {
        if let began, instant - began < Self.span { return false }
        began = instant
        return true
    }
}
