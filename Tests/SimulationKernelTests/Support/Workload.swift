import Quantities
import SimulationKernel
import TestSupport

/// The distribution of the events of a test.
enum Workload: CaseIterable {
    /// Exponential delays of mean 1 s; ties are rare.
    case exponential
    /// The delays of a real run: constants of very different lengths in addition to exponential ones.
    case mixedWithConstants
    /// Everything at one instant, with one priority: only the sequence decides.
    case simultaneous
    /// Each delay is shorter than the previous one.
    case falling
    /// Few instants and all priorities.
    case tiesOfPriority
    /// Many events at one of a few far instants, some at `never`.
    case bursts
    /// Half a second or a quarter of an hour.
    case bimodal
    /// Uniform up to 2 s.
    case uniform
    /// A thousand near events for each one a month later.
    case oneFar
    /// From now to thousands of years later, each power of two with the same probability.
    case allScales
    /// Always the same delay.
    case constant
    /// Calls, pushes and stages of rides: 0.2 s, 0.6 s, a quarter to a whole minute, minutes, an hour.
    case rides
}

/// The events of a workload in order; the number of each is its subject.
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
            rank = stream.next(below: EventPriority.rankLimit)
        case .bursts:
            let second = stream.next(below: 9)
            time = second == 8 ? .never : max(now, Instant.start + .seconds(Int64(second) * 1000))
        case .bimodal:
            time = now + (stream.yes(50) ? .milliseconds(500) : .minutes(15))
        case .uniform:
            time = now + TimeSpan(microseconds: Int64(stream.next(below: 2_000_000)))
        case .oneFar:
            time = stream.next(below: 1000) == 0 ? now + .hours(720) : now + exponential()
        case .allScales:
            time = now + TimeSpan(microseconds: Int64(stream.next() >> UInt64(3 + stream.next(below: 61))))
        case .constant:
            time = now + .seconds(1)
        case .rides:
            switch stream.next(below: 10) {
            case 0...2: time = now + .milliseconds(100) + TimeSpan(microseconds: exponential().microseconds / 8)
            case 3...5: time = now + .milliseconds(200) + TimeSpan(microseconds: exponential().microseconds / 2)
            case 6...7: time = now + .seconds(Int64(15 + stream.next(below: 46)))
            case 8: time = now + .minutes(Int64(1 + stream.next(below: 10)))
            default: time = now + (stream.next(below: 8) == 0 ? .hours(1) : .seconds(1))
            }
        }
        return (word, time, EventPriority(rank: UInt8(rank)))
    }

    /// Nearly exponential with a mean of about 1 s, from integers alone: leading zeros for the octave, linear
    /// interpolation within it.
    private mutating func exponential() -> TimeSpan {
        let draw = stream.next() | 1
        let octave = draw.leadingZeroBitCount
        let rest = Int64((draw << octave & .max >> 1) >> 43)
        return TimeSpan(microseconds: ((Int64(octave) << 20) + (1 << 20) - rest) * 693_147 >> 20)
    }
}
