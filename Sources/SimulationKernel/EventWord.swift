/// What an event is, in 32 bits: its kind and the entity it concerns.
///
/// The kernel only carries the word; the model says what kinds mean. All else about an event lives in the entity's own
/// state, so that a pending event stays small whatever it is about.
@frozen
public struct EventWord: Hashable, Sendable {
    /// Kind in the top 6 bits, subject in the lower 26.
    public let bits: UInt32

    /// How many different subjects there can be: 67,108,864.
    @inlinable
    public static var subjectLimit: Int { 1 << 26 }

    /// How many different kinds there can be.
    @inlinable
    public static var kindLimit: Int { 1 << 6 }

    /// An event of a kind about a subject.
    ///
    /// - Precondition: `kind` < 64 and `subject` < 2^26.
    @inlinable
    public init(kind: UInt8, subject: UInt32) {
        precondition(kind < 64 && subject < 1 << 26, "kind or subject does not fit an event word")
        bits = UInt32(kind) << 26 | subject
    }

    /// The word with these bits.
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

/// The rank of an event among those of the same instant; smaller ranks come first.
@frozen
public struct EventPriority: Hashable, Comparable, Sendable {
    /// The rank, below 16.
    public let rank: UInt8

    /// How many different ranks there can be.
    @inlinable
    public static var rankLimit: Int { 1 << 4 }

    /// A rank.
    ///
    /// - Precondition: `rank` < 16; a pending event has 4 bits for it.
    @inlinable
    public init(rank: UInt8) {
        precondition(rank < 16, "an event's rank is below 16")
        self.rank = rank
    }

    /// Whether the event with the left rank comes first.
    @inlinable
    public static func < (left: EventPriority, right: EventPriority) -> Bool {
        left.rank < right.rank
    }
}
