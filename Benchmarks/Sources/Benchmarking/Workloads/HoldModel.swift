import CMemoryHints
import Quantities
import SimulationKernel

/// The hold model: a constant number of pending events; each operation takes the first and schedules another.
///
/// D. W. Jones, "An empirical comparison of priority-queue and event-set implementations", CACM 29(4), 1986: the
/// classic benchmark of a future event list. It uses the kernel's public interface, like a model. Each event has a
/// separate subject, whose state it can touch, and adds its instant and subject to a hash of the whole trajectory: two
/// lists with the same hash returned the same events in the same order.
public struct HoldModel: Workload, ~Copyable {
    private var loop = EventLoop()
    private var draws = DrawSequence(seed: 2026)
    private let table = ExponentialTable()
    private let delays: UnsafeMutablePointer<DelayProfile.Delay>
    private let delayCount: UInt64
    /// The difference between neighbouring instants of the falling profile [µs]; 0 for any other.
    private let fallingGap: UInt64
    /// The number of falling delays used in the current round.
    private var fallen: UInt64 = 0
    /// The state of the subjects, contiguously.
    private let state: UnsafeMutablePointer<UInt64>
    /// 64-bit words of state per subject.
    private let touchedWords: Int
    private let pending: UInt64

    /// The number of events ahead for which a subject's state is prefetched, so that it arrives while the others are
    /// processed.
    static var lookAhead: Int { 14 }

    /// The hash of the instants and subjects of all events so far.
    public private(set) var trajectoryHash: UInt64 = 0

    /// The maximum number of pending events; each needs a separate subject.
    public static var largestPending: Int { EventWord.subjectLimit }

    /// Creates a loop with its pending events.
    ///
    /// - Parameters:
    ///   - pending: The number of events that are pending at any time.
    ///   - profile: The delays.
    ///   - touchedBytes: The state of its subject that each event reads and writes [bytes].
    /// - Precondition: `pending` is within 1...2^26; `touchedBytes` is a multiple of 8 and not negative.
    /// - Complexity: O(`pending`).
    public init(pending: Int, profile: DelayProfile, touchedBytes: Int = 0) {
        precondition((1...EventWord.subjectLimit).contains(pending), "more subjects than an event word can name")
        precondition(touchedBytes >= 0 && touchedBytes.isMultiple(of: 8), "state is touched in words of 8 bytes")
        self.pending = UInt64(pending)
        touchedWords = touchedBytes / 8
        // At the start of a cache line, so that 64 bytes of state are one line instead of two.
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: max(64, 8 * pending * touchedWords), alignment: 64)
        state = bytes.initializeMemory(as: UInt64.self, repeating: 0, count: max(8, pending * touchedWords))
        let choices = profile.delays
        delays = .allocate(capacity: choices.count)
        delays.initialize(from: choices, count: choices.count)
        delayCount = UInt64(choices.count)
        fallingGap = profile.fallingGap(pending: pending)
        fill(profile.residuals)
    }

    deinit {
        state.deallocate()
        delays.deallocate()
    }

    /// The size of the subjects' state, without the pending events [bytes].
    public var stateBytes: Int { 8 * Int(pending) * touchedWords }

    private mutating func fill(_ residuals: [DelayProfile.Residual]) {
        let weights = residuals.reduce(0) { $0 + $1.weight }
        for subject in 0..<pending {
            let draw = draws.next()
            var choice = ((draw & 0xFFFF_FFFF) * weights) >> 32
            var rest: UInt64 = fallingGap * (pending - subject)
            for residual in residuals {
                if choice < residual.weight {
                    rest += (table.value(for: draw) * residual.mean) >> ExponentialTable.places
                    rest += ((draw >> 36) * residual.longest) >> 28
                    break
                }
                choice -= residual.weight
            }
            schedule(subject: UInt32(subject), at: Instant(microseconds: Int64(rest)))
        }
    }

    private mutating func schedule(subject: UInt32, at instant: Instant) {
        loop.schedule(EventWord(kind: 0, subject: subject), at: instant, priority: EventPriority(rank: 0))
    }

    /// Takes the first event and schedules another for the same subject, `count` times.
    ///
    /// - Complexity: O(`units`), times the cost of the event list.
    @inline(never)
    public mutating func run(units: Int) {
        var hash = trajectoryHash
        var draws = draws
        for _ in 0..<units {
            if touchedWords > 0, let upcoming = loop.upcoming(HoldModel.lookAhead) {
                prefetch_line(state + Int(upcoming.subject) &* touchedWords)
            }
            guard let event = loop.next(through: .never) else {
                preconditionFailure("an event was lost")
            }
            let now = loop.now
            let subject = event.subject
            var seen = UInt64(bitPattern: now.microseconds) ^ UInt64(subject) << 38
            let first = Int(subject) &* touchedWords
            for word in first..<first &+ touchedWords {
                seen ^= state[word]
                state[word] = state[word] &+ UInt64(bitPattern: now.microseconds) &+ 1
            }
            hash = HoldModel.combined(hash, seen)
            let delay = delay(for: draws.next())
            schedule(subject: subject, at: Instant(microseconds: now.microseconds &+ Int64(bitPattern: delay)))
        }
        self.draws = draws
        trajectoryHash = hash
    }

    /// The delay for a draw [µs].
    @inline(__always)
    private mutating func delay(for draw: UInt64) -> UInt64 {
        guard fallingGap == 0 else {
            let delay = 2 &* fallingGap &* (pending &- fallen)
            fallen = fallen &+ 1 == pending ? 0 : fallen &+ 1
            return delay
        }
        let choice = delays[Int(truncatingIfNeeded: ((draw & 0xFFFF_FFFF) &* delayCount) &>> 32)]
        return (table.value(for: draw) &* choice.mean) &>> ExponentialTable.places &+ choice.constant
    }

    /// One step of the trajectory's hash: bijective in the hash so far, one multiplication long.
    @inline(__always)
    static func combined(_ hash: UInt64, _ number: UInt64) -> UInt64 {
        let mixed = (hash ^ number) &* 0x9E37_79B9_7F4A_7C15
        return mixed &<< 32 | mixed &>> 32
    }
}
