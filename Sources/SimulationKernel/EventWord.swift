/// An event in 32 bits: its kind and the entity that it concerns.
///
/// The kernel only carries the word; the model defines the kinds. All other data of an event is in the state of its
/// entity, so that every pending event stays small.
@frozen
public struct EventWord: Hashable, Sendable {
    /// Kind in the top 6 bits, subject in the lower 26.
    public let bits: UInt32

    /// The number of different subjects: 67,108,864.
    @inlinable
    public static var subjectLimit: Int { 1 << 26 }

    /// The number of different kinds.
    @inlinable
    public static var kindLimit: Int { 1 << 6 }

    /// Creates an event of a kind about a subject.
    ///
    /// - Precondition: `kind` < 64 and `subject` < 2^26.
    @inlinable
    public init(kind: UInt8, subject: UInt32) {
        precondition(kind < 64 && subject < 1 << 26, "kind or subject does not fit an event word")
        bits = UInt32(kind) << 26 | subject
    }

    /// Creates a word from its bits.
    @inlinable
    init(bits: UInt32) {
        self.bits = bits
    }

    /// The event's kind, below 64.
    @inlinable
    public var kind: UInt8 { UInt8(truncatingIfNeeded: bits >> 26) }

    /// The number of the entity that the event concerns.
    @inlinable
    public var subject: UInt32 { bits & (1 << 26 - 1) }
}

/// The rank of an event among events of the same instant; lower ranks come first.
@frozen
public struct EventPriority: Hashable, Comparable, Sendable {
    /// The rank, below 16.
    public let rank: UInt8

    /// The number of different ranks.
    @inlinable
    public static var rankLimit: Int { 1 << 4 }

    /// Creates a priority from a rank.
    ///
    /// - Precondition: `rank` < 16; a pending event has 4 bits for it.
    @inlinable
    public init(rank: UInt8) {
        precondition(rank < 16, "an event's rank is below 16")
        self.rank = rank
    }

    /// Returns `true` if the left rank comes first.
    @inlinable
    public static func < (left: EventPriority, right: EventPriority) -> Bool {
        left.rank < right.rank
    }
}
