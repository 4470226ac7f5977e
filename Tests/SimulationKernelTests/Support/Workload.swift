import Quantities
import SimulationKernel
import TestSupport

/// Where the events of a test fall.
enum Workload: CaseIterable {
    /// Exponential delays of mean 1 s; ties are rare.
    case exponential
    /// The delays of a real run: constants of very different length next to exponential ones.
    case mixedWithConstants
    /// Everything at one instant, in one priority: only the sequence orders.
    case simultaneous
    /// Each delay shorter than the one before.
    case falling
    /// Few instants and all 256 priorities.
    case tiesOfPriority
    /// Many events at one of a few far instants, some at `never`.
    case bursts
}

/// The events of a workload, one after the other; the number of each is its subject.
struct WorkloadStream {
    private let workload: Workload
    private var stream: TestStream
    private var made = 0

    init(_ workload: Workload, seed: UInt64) {
        self.workload = workload
        stream = TestStream(seed: seed)
    }

    mutating func next(after now: Instant) -> (word: EventWord, time: Instant, priority: EventPriority) {
        made += 1
        let word = EventWord(kind: UInt8(stream.next(below: 64)), subject: UInt32(made % EventWord.subjectLimit))
        var rank = stream.next(below: 4)
        var time = now
        switch workload {
        case .exponential:
            time = now + exponential()
        case .mixedWithConstants:
            let constants: [TimeSpan] = [.zero, .milliseconds(500), .minutes(3), .minutes(15), .hours(8)]
            let choice = stream.next(below: constants.count + 1)
            time = now + (choice < constants.count ? constants[choice] : exponential())
        case .simultaneous:
            rank = 1
        case .falling:
            time = now + TimeSpan(microseconds: max(0, 1_000_000 - Int64(made)))
        case .tiesOfPriority:
            time = now + TimeSpan(microseconds: Int64(stream.next(below: 3)))
            rank = stream.next(below: 256)
        case .bursts:
            let second = stream.next(below: 9)
            time = second == 8 ? .never : max(now, Instant.start + .seconds(Int64(second) * 1000))
        }
        return (word, time, EventPriority(rank: UInt8(rank)))
    }

    /// Nearly exponential, mean about 1 s, from integers alone: leading zeros for the octave, the rest laid linearly in it.
    private mutating func exponential() -> TimeSpan {
        let draw = stream.next() | 1
        let octave = draw.leadingZeroBitCount
        let rest = Int64((draw << octave & .max >> 1) >> 43)
        return TimeSpan(microseconds: ((Int64(octave) << 20) + (1 << 20) - rest) * 693_147 >> 20)
    }
}
