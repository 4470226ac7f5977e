import FreshnessCore

/// The running numbers of one activity's pushes, by kind; see `PushIndex`.
///
/// Kinds are numbered apart, so that a monitor which retries more leaves the draws of regular updates as they were. A monitor
/// in real time numbers as the simulated one does, so its pushes meet the same luck.
public struct PushNumbers: BitwiseCopyable, Hashable, Sendable {
    private var occasions: UInt32 = 0
    private var retries: UInt32 = 0
    private var ends: UInt32 = 0
    private var starts: UInt32 = 0
    /// How often the content of the last occasion was sent.
    private var sendings: UInt32 = 0

    /// The numbers of an activity that is new.
    public init() {}

    /// The numbers of an activity that was there before the host was restarted: what was sent then had others.
    ///
    /// - Parameter life: Tells the host's lives apart; 24 bits of it count, below the highest of a number.
    public init(ofLife life: UInt32) {
        let start = life & 0xFF_FFFF | 0x100_0000
        (occasions, retries, ends) = (start, start, start)
    }

    /// Whether no end was sent, nor any content to several tokens.
    var haveNoEnds: Bool { ends | sendings == 0 }

    /// Packs or unpacks numbers that ``haveNoEnds``.
    @inline(__always)
    mutating func transfer(through packed: inout some PackedTransfer) {
        packed.transfer(&occasions, bytes: 2)
        packed.transfer(&retries, bytes: 2)
        packed.transfer(&starts, bytes: 1)
    }

    /// How many retries there were, where numbers began with 0.
    var retryCount: UInt32 { retries }

    /// There is new content: a state change or a refresh, whether or not a push comes of it.
    ///
    /// Counted before any filter: what becomes of one occasion says nothing about the number of the next.
    @inline(__always)
    public mutating func contentArose() {
        occasions &+= 1
        sendings = 0
    }

    /// The index of the next occasion's update.
    @inline(__always)
    var nextOccasion: UInt32 { PushIndex.push(kind: StoryLine.PushKind.update.rawValue, number: occasions) }

    /// The index of a new push; an update has that of the last occasion.
    @inline(__always)
    public mutating func takeIndex(for kind: StoryLine.PushKind) -> UInt32 {
        let number: UInt32
        switch kind {
        case .update:
            number = occasions &- 1
        case .retry:
            number = retries
            retries &+= 1
        case .end:
            number = ends
            ends &+= 1
        case .start:
            number = starts
            starts &+= 1
        }
        return PushIndex.push(kind: kind.rawValue, number: number)
    }

    /// The index of the first request of a new push, for a sender that may send the same update to several tokens.
    ///
    /// Sendings of an update are eight attempts apart: requests that repeat one have those between.
    public mutating func takeRequestIndex(for kind: StoryLine.PushKind) -> UInt32 {
        var attempt: UInt32 = 0
        if kind == .update {
            attempt = sendings
            sendings &+= 8
        }
        return PushIndex.request(takeIndex(for: kind), attempt: attempt)
    }

    /// The index of the request that repeats one; the last of 32 attempts is that of all later ones, too.
    static func repeatIndex(of request: UInt32) -> UInt32 { request & 31 == 31 ? request : request + 1 }
}
