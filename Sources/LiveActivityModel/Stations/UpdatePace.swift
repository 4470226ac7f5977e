import Quantities

/// The pace of one activity's regular content: the sender drops or postpones content that comes too soon after the last
/// update.
struct UpdatePace: BitwiseCopyable, Hashable {
    private var lastUpdateAt = Instant.never

    /// The handling of new content.
    enum Verdict: Hashable {
        case goes
        /// It comes too soon and is dropped; the next refresh has newer content.
        case leftOut
        /// It comes too soon and is postponed, because no other content announces it; call ``isOver(_:at:)`` at the end
        /// of the interval.
        case putOff(until: Instant)
    }

    /// The handling of new content at an instant.
    ///
    /// - Parameters:
    ///   - isStageNew: `true` if no content has announced the ride's stage yet.
    ///   - minimum: The minimum time between two updates; zero for none.
    @inline(__always)
    func verdict(isStageNew: Bool, minimum: TimeSpan, at now: Instant) -> Verdict {
        guard minimum > .zero, lastUpdateAt != .never, now < lastUpdateAt + minimum else { return .goes }
        return isStageNew ? .putOff(until: lastUpdateAt + minimum) : .leftOut
    }

    /// Returns `true` if the interval after the last update ends at an instant; `false` if another update was sent
    /// meanwhile.
    func isOver(_ minimum: TimeSpan, at now: Instant) -> Bool { lastUpdateAt + minimum == now }

    /// Records an update.
    @inline(__always)
    mutating func updated(at now: Instant) {
        lastUpdateAt = now
    }

    @inline(__always)
    mutating func transfer(through packed: inout some PackedTransfer) {
        packed.transfer(&lastUpdateAt)
    }
}
