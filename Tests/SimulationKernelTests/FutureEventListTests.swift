import Quantities
import SimulationKernel
import TestSupport
import Testing

@Suite struct FutureEventListTests {
    /// A difference between the list and its oracle.
    private struct Difference: Error {}

    /// Two lists with the same operations, which must give the same events.
    private struct Pair: ~Copyable {
        var list = FutureEventList()
        var oracle = PlainEventHeap()
        var takenCount = 0

        mutating func schedule(_ event: (word: EventWord, time: Instant, priority: EventPriority)) {
            list.schedule(event.word, at: event.time, priority: event.priority)
            oracle.schedule(event.word, at: event.time, priority: event.priority)
        }

        /// Takes one event from both.
        mutating func popFirst(through horizon: Instant) throws -> TakenEvent? {
            let taken = list.popFirst(through: horizon).map { TakenEvent(time: $0.time, word: $0.word) }
            let expected = oracle.popFirst(through: horizon)
            // A plain comparison first, because expectations are too slow for millions of events.
            if taken != expected || list.count != oracle.count {
                try #require(taken == expected, "event \(takenCount)")
                try #require(list.count == oracle.count, "after event \(takenCount)")
            }
            guard let taken else { return nil }
            let isTied = oracle.nextTime == taken.time
            if list.hasTie() != isTied {
                Issue.record("event \(takenCount) \(isTied ? "has" : "has no") tie")
                throw Difference()
            }
            takenCount += 1
            return taken
        }
    }

    /// Sizes around which the list changes its structure: the lane, the first slots, larger chunks; and a large one.
    static let sizes = [0, 1, 2, 23, 24, 64, 65, 96, 97, 500, 2049, 4097, 100_000]

    /// The hold model: a fixed number of pending events; take one, schedule one, and drain at the end.
    @Test(.enabled(if: Loop.isFull), arguments: Workload.allCases, sizes)
    func holdModelAgainstHeap(workload: Workload, size: Int) throws {
        var pair = Pair()
        var source = WorkloadStream(workload, seed: UInt64(size))
        for _ in 0..<size { pair.schedule(source.next(after: .start)) }
        let operations = size == 100_000 ? 5000 : 1000
        for _ in 0..<operations {
            guard let taken = try pair.popFirst(through: .never) else { break }
            pair.schedule(source.next(after: taken.time))
        }
        while try pair.popFirst(through: .never) != nil {}
        #expect(pair.takenCount == (size == 0 ? 0 : size + operations))
        #expect(pair.list.count == 0)
    }

    /// Growing, shrinking, running empty and stopping at horizons, in random order.
    @Test(arguments: Workload.allCases, 0..<8 as Range<UInt64>)
    func interleavedAgainstHeap(workload: Workload, seed: UInt64) throws {
        var pair = Pair()
        var source = WorkloadStream(workload, seed: seed)
        var stream = TestStream(seed: ~seed)
        var now = Instant.start
        for round in 0..<40 {
            let pushShare = [80, 20, 50, 0][round % 4]
            for _ in 0..<100 {
                if stream.next(below: 100) < pushShare {
                    pair.schedule(source.next(after: now))
                } else {
                    let reach = TimeSpan(microseconds: Int64(stream.next(below: 2_000_000)))
                    let horizon = stream.next(below: 8) == 0 ? Instant.never : now + reach
                    now = try pair.popFirst(through: horizon)?.time ?? now
                    if now == .never {
                        // After the last instant there is no later one to schedule at.
                        now = .start
                    }
                }
            }
        }
        while try pair.popFirst(through: .never) != nil {}
        #expect(pair.list.count == 0)
    }

    /// Every sequence of six operations: schedule at one of two instants with one of two priorities, or take.
    @Test func allShortSequencesAgainstHeap() throws {
        let operationCount = 5
        let length = 6
        var takenCount = 0
        for code in 0..<15_625 {
            var pair = Pair()
            var rest = code
            for step in 0..<length {
                let operation = rest % operationCount
                rest /= operationCount
                if operation == 4 {
                    _ = try pair.popFirst(through: .never)
                } else {
                    let word = EventWord(kind: 0, subject: UInt32(step))
                    let time = Instant(microseconds: Int64(operation / 2))
                    pair.schedule((word, time, EventPriority(rank: UInt8(operation % 2))))
                }
            }
            while try pair.popFirst(through: .never) != nil {}
            takenCount += pair.takenCount
        }
        // Four of five operations schedule an event, and each event is taken once.
        #expect(takenCount == 15_625 * 6 * 4 / 5)
    }

    /// A trajectory whose hash was computed by an independent program (Python's `heapq`).
    @Test func goldenTrajectory() throws {
        var list = FutureEventList()
        var stream = TestStream(seed: 2026)
        var trajectory = Fingerprint()
        for subject in 0..<3000 {
            let time = Instant(microseconds: Int64(stream.next(below: 1000)))
            let priority = EventPriority(rank: UInt8(stream.next(below: 4)))
            list.schedule(EventWord(kind: 7, subject: UInt32(subject)), at: time, priority: priority)
        }
        for subject in 3000..<9000 {
            let first = list.popFirst(through: .never)
            let taken = try #require(first)
            trajectory.combine(time: taken.time, event: taken.word.kind, subject: UInt64(taken.word.subject))
            let time = taken.time + TimeSpan(microseconds: Int64(stream.next(below: 1000)))
            let priority = EventPriority(rank: UInt8(stream.next(below: 4)))
            list.schedule(EventWord(kind: 9, subject: UInt32(subject)), at: time, priority: priority)
        }
        #expect(list.count == 3000)
        #expect(trajectory.value == 0xA3CB_D841_8DE4_E90A)
    }

    @Test func tiesAreFirstInFirstOut() {
        var list = FutureEventList()
        let time = Instant(microseconds: 5)
        for subject in 0..<100 as Range<UInt32> {
            list.schedule(EventWord(kind: 1, subject: subject), at: time, priority: EventPriority(rank: 3))
        }
        list.schedule(EventWord(kind: 2, subject: 0), at: time, priority: EventPriority(rank: 0))
        list.schedule(EventWord(kind: 3, subject: 0), at: time, priority: EventPriority(rank: 15))
        var kinds: [UInt8] = []
        var subjects: [UInt32] = []
        while let taken = list.popFirst(through: .never) {
            kinds.append(taken.word.kind)
            subjects.append(taken.word.subject)
        }
        #expect(kinds == [2] + Array(repeating: 1, count: 100) + [3])
        #expect(subjects == [0] + Array(0..<100) + [0])
    }

    @Test(arguments: [
        // horizon, instants taken
        (Instant(microseconds: 9), [] as [Int64]),
        (Instant(microseconds: 10), [10]),
        (Instant(microseconds: 11), [10]),
        (Instant(microseconds: 20), [10, 20]),
        (Instant(microseconds: .max - 1), [10, 20]),
        (.never, [10, 20, .max]),
    ])
    func theHorizonIsIncludedAndOnlyNeverReachesNever(horizon: Instant, instants: [Int64]) {
        var list = FutureEventList()
        for instant in [.never, Instant(microseconds: 20), Instant(microseconds: 10)] {
            list.schedule(EventWord(kind: 0, subject: 0), at: instant, priority: EventPriority(rank: 0))
        }
        var taken: [Int64] = []
        while let event = list.popFirst(through: horizon) {
            taken.append(event.time.microseconds)
        }
        #expect(taken == instants)
        #expect(list.count == 3 - instants.count)
    }

    /// Without late arrivals, the upcoming events are the ones that come, as far as they are known.
    @Test(arguments: [1, 20, 1000, 50_000])
    func upcomingEventsComeUp(size: Int) {
        var list = FutureEventList()
        var source = WorkloadStream(.exponential, seed: 11)
        for _ in 0..<size {
            let event = source.next(after: .start)
            list.schedule(event.word, at: event.time, priority: event.priority)
        }
        var expected: [EventWord] = []
        var toldCount = 0
        while list.count > 0 {
            if expected.isEmpty {
                // The slot may have to be opened first.
                _ = list.popFirst(through: .never)
                for distance in 0..<40 {
                    guard let word = list.upcoming(distance) else { break }
                    expected.append(word)
                }
                toldCount += expected.count
            } else {
                let taken = list.popFirst(through: .never)?.word
                #expect(taken == expected.removeFirst())
            }
        }
        #expect(toldCount >= size / 2)
    }

    @Test func nothingIsToldOfWhatIsNotThere() {
        var list = FutureEventList()
        #expect(list.upcoming(0) == nil)
        list.schedule(EventWord(kind: 1, subject: 2), at: .start, priority: EventPriority(rank: 0))
        #expect(list.upcoming(0) == EventWord(kind: 1, subject: 2))
        #expect(list.upcoming(1) == nil)
        #expect(list.upcoming(-1) == nil)
        #expect(list.upcoming(.max) == nil)
        #expect(list.upcoming(.min) == nil)
    }
}
