import Quantities

/// The pace of one activity's regular content: what comes too soon after the last update the sender leaves out or puts off.
struct UpdatePace: BitwiseCopyable, Hashable {
    private var lastUpdateAt = Instant.never

    /// What becomes of new content.
    enum Verdict: Hashable {
        case goes
        /// It comes too soon and is not sent; the next refresh tells more.
        case leftOut
        /// It comes too soon, and nothing else tells of it: ``isOver(_:at:)`` is to be asked at the end of the interval.
        case putOff(until: Instant)
    }

    /// Whether new content may go.
    ///
    /// - Parameters:
    ///   - isStageNew: Whether no content has told of the ride's stage yet.
    ///   - minimum: The least time between two updates; zero for none.
    @inline(__always)
    func verdict(isStageNew: Bool, minimum: TimeSpan, at now: Instant) -> Verdict {
        guard minimum > .zero, lastUpdateAt != .never, now < lastUpdateAt + minimum else { return .goes }
        return isStageNew ? .putOff(until: lastUpdateAt + minimum) : .leftOut
    }

    /// Whether the interval after the last update ends at an instant; not where an update has gone since it was asked for.
    func isOver(_ minimum: TimeSpan, at now: Instant) -> Bool { lastUpdateAt + minimum == now }

    /// An update goes.
    @inline(__always)
    mutating func updated(at now: Instant) {
        lastUpdateAt = now
    }

    @inline(__always)
    mutating func transfer(through packed: inout some PackedTransfer) {
        packed.transfer(&lastUpdateAt)
    }
}
