import FreshnessCore

/// The sequence numbers of one activity's pushes, by kind; see `PushIndex`.
///
/// Each kind is numbered separately, so additional retries of a monitor do not change the draws of regular updates. A
/// monitor in real time uses the same numbers as the simulated one, so its pushes get the same draws.
public struct PushNumbers: BitwiseCopyable, Hashable, Sendable {
    private var occasions: UInt32 = 0
    private var retries: UInt32 = 0
    private var ends: UInt32 = 0
    private var starts: UInt32 = 0
    /// The number of times the content of the last occasion was sent.
    private var sendings: UInt32 = 0

    /// Creates the numbers of a new activity.
    public init() {}

    /// Creates numbers for an activity that existed before a restart of the host, distinct from the earlier ones.
    ///
    /// - Parameter life: Distinguishes the host's runs; its lower 24 bits are used, below the highest bit of a number.
    public init(ofLife life: UInt32) {
        let start = life & 0xFF_FFFF | 0x100_0000
        (occasions, retries, ends) = (start, start, start)
    }

    /// `true` if no end was sent, and no content to several tokens.
    var haveNoEnds: Bool { ends | sendings == 0 }

    /// Packs or unpacks numbers that ``haveNoEnds``.
    @inline(__always)
    mutating func transfer(through packed: inout some PackedTransfer) {
        packed.transfer(&occasions, bytes: 2)
        packed.transfer(&retries, bytes: 2)
        packed.transfer(&starts, bytes: 1)
    }

    /// The number of retries, if numbers began at 0.
    var retryCount: UInt32 { retries }

    /// Counts new content: a stage change or a refresh, whether or not it leads to a push.
    ///
    /// It is counted before any filter, so the fate of one occasion does not affect the number of the next.
    @inline(__always)
    public mutating func contentArose() {
        occasions &+= 1
        sendings = 0
    }

    /// Takes over the occasions of a ride with the same content.
    mutating func follow(_ other: PushNumbers) { occasions = other.occasions }

    /// The index of the next occasion's update.
    @inline(__always)
    var nextOccasion: UInt32 { PushIndex.push(kind: StoryLine.PushKind.update.rawValue, number: occasions) }

    /// The index of a new push; an update has the index of the last occasion.
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
    /// Successive sendings of an update are eight attempts apart; retries of a request use the indices between.
    public mutating func takeRequestIndex(for kind: StoryLine.PushKind) -> UInt32 {
        var attempt: UInt32 = 0
        if kind == .update {
            attempt = sendings
            sendings &+= 8
        }
        return PushIndex.request(takeIndex(for: kind), attempt: attempt)
    }

    /// The index of a request's retry; the last of 32 attempts is shared by all later ones.
    static func repeatIndex(of request: UInt32) -> UInt32 { request & 31 == 31 ? request : request + 1 }
}
