import Quantities
import SimulationKernel
import TestSupport
import Testing

/// The calendar compared with the plain heap: the same events in the same order, by one hash for the whole run.
@Suite struct FutureEventListTrajectoryTests {
    /// Two lists with the same operations, each with its fingerprint.
    private struct Race: ~Copyable {
        var list = FutureEventList()
        var heap = PlainEventHeap()
        var trajectory = Fingerprint()
        var expected = Fingerprint()
        var now = Instant.start

        mutating func schedule(_ event: (word: EventWord, time: Instant, priority: EventPriority)) {
            list.schedule(event.word, at: event.time, priority: event.priority)
            heap.schedule(event.word, at: event.time, priority: event.priority)
        }

        /// Takes one event from both; nil when the heap has none up to the horizon.
        mutating func take(through horizon: Instant = .never) -> TakenEvent? {
            let taken = list.popFirst(through: horizon)
            let other = heap.popFirst(through: horizon)
            if let taken {
                trajectory.combine(time: taken.time, event: taken.word.kind, subject: UInt64(taken.word.subject))
                now = taken.time
            }
            if let other {
                expected.combine(time: other.time, event: other.word.kind, subject: UInt64(other.word.subject))
            }
            // If one runs empty before the other, they differ.
            if (taken == nil) != (other == nil) {
                expected.combine(.max)
            }
            return other
        }

        /// The error; nil if both had the same history and the list is valid.
        func disagreement() -> String? {
            if trajectory != expected { return "the trajectories differ" }
            if list.count != heap.count { return "\(list.count) instead of \(heap.count) are pending" }
            return list.invariantViolation()
        }

        func expectAgreement(_ place: String = "", at location: SourceLocation = #_sourceLocation) {
            let disagreement = disagreement()
            #expect(disagreement == nil, "\(place)", sourceLocation: location)
        }
    }

    /// Take one, schedule one, for every distribution, from no events to sizes with chunks of every length.
    @Test(.enabled(if: Loop.isFull), arguments: Workload.allCases, [0, 1, 2, 50, 100, 1000, 5000, 70_000])
    func holdModel(workload: Workload, size: Int) {
        var race = Race()
        var source = WorkloadStream(workload, seed: UInt64(size))
        for _ in 0..<size { race.schedule(source.next(after: .start)) }
        for _ in 0..<(size == 0 ? 0 : 2 * size + 1000) {
            guard race.take() != nil else { break }
            race.schedule(source.next(after: race.now))
        }
        race.expectAgreement()
        while race.take() != nil {}
        race.expectAgreement()
    }

    /// A million pending events, and a population that shrinks and grows by a thousand.
    @Test(.enabled(if: Loop.isFull), arguments: [Workload.exponential, .mixedWithConstants])
    func growingAndShrinkingByAThousand(workload: Workload) {
        var race = Race()
        var source = WorkloadStream(workload, seed: 3)
        for size in [300, 300_000, 300, 100_000, 100, 0, 1_000_000, 0] {
            while race.heap.count < size { race.schedule(source.next(after: race.now)) }
            for _ in 0..<min(size, 5000) {
                guard race.take() != nil else { break }
                race.schedule(source.next(after: race.now))
            }
            while race.heap.count > size, race.take() != nil {}
            race.expectAgreement("at \(size)")
        }
    }

    /// Stops at horizons; the events scheduled there are before all pending ones, and before the stop.
    @Test(.enabled(if: Loop.isFull), arguments: Workload.allCases, 0..<6 as Range<UInt64>)
    func stopsAndArrivalsBeforeWhatIsPending(workload: Workload, seed: UInt64) {
        var race = Race()
        var source = WorkloadStream(workload, seed: seed)
        var stream = TestStream(seed: ~seed)
        for _ in 0..<(100 << seed) { race.schedule(source.next(after: .start)) }
        for _ in 0..<300 {
            let span: Int64 = 1 << Int64(stream.next(below: 36))
            let horizon = race.now + TimeSpan(microseconds: span)
            for _ in 0..<stream.next(below: 100) where race.take(through: horizon) != nil {
                if stream.yes(90) { race.schedule(source.next(after: race.now)) }
            }
            guard race.now != .never else { break }
            for number in 0..<stream.next(below: 20) {
                let time = race.now + TimeSpan(microseconds: Int64(stream.next(below: Int(span))))
                let word = EventWord(kind: 63, subject: UInt32(number))
                race.schedule((word, time, EventPriority(rank: UInt8(stream.next(below: 16)))))
            }
            if race.disagreement() != nil { break }
        }
        race.expectAgreement()
        while race.take() != nil {}
        race.expectAgreement()
    }

    /// Filled and drained repeatedly, each time later and with a different width.
    @Test func emptyAndRefill() {
        var race = Race()
        var stream = TestStream(seed: 9)
        for round in 0..<60 {
            let span = 1 << (round * 7 % 45)
            for subject in 0..<(1 << (round % 13)) {
                let time = race.now + TimeSpan(microseconds: Int64(stream.next(below: span)))
                race.schedule((EventWord(kind: 1, subject: UInt32(subject)), time, EventPriority(rank: 1)))
            }
            while race.take() != nil {}
        }
        race.expectAgreement()
    }

    /// Alarms that are moved and cancelled leave obsolete events behind, the same ones in both lists.
    @Test(.enabled(if: Loop.isFull)) func movedAndCalledOffAlarms() {
        var race = Race()
        var stream = TestStream(seed: 4)
        var alarms = Array(repeating: Alarm(), count: 3000)
        func event(_ subject: Int, _ at: Instant) -> (word: EventWord, time: Instant, priority: EventPriority) {
            (EventWord(kind: 5, subject: UInt32(subject)), at, EventPriority(rank: 6))
        }
        var rings = Fingerprint()
        var ghosts = 0
        for _ in 0..<100_000 {
            for _ in 0..<2 {
                let subject = stream.next(below: alarms.count)
                let at = race.now + TimeSpan(microseconds: 1 + Int64(stream.next(below: 1 << stream.next(below: 34))))
                if stream.yes(20) {
                    alarms[subject].callOff()
                } else if alarms[subject].set(for: at) {
                    race.schedule(event(subject, at))
                }
            }
            guard let taken = race.take() else { continue }
            let subject = Int(taken.word.subject)
            switch alarms[subject].ring(at: race.now) {
            case .rings: rings.combine(time: race.now, event: 5, subject: UInt64(subject))
            case .early(let at): race.schedule(event(subject, at))
            case .off: ghosts += 1
            }
        }
        race.expectAgreement()
        #expect(rings != Fingerprint())
        #expect(ghosts > 0)
    }

    /// Slots with every number of events from 1 to 300, including ties, so that each sorting method is used.
    @Test func slotsOfEveryLength() {
        var race = Race()
        var stream = TestStream(seed: 5)
        for length in 1...300 {
            for subject in 0..<length {
                let time = race.now + .minutes(1) + TimeSpan(microseconds: Int64(stream.next(below: 2 * length)))
                let priority = EventPriority(rank: UInt8(stream.next(below: 3)))
                race.schedule((EventWord(kind: 2, subject: UInt32(subject)), time, priority))
            }
            while race.take() != nil {}
        }
        race.expectAgreement()
    }

    /// A crowd in the open slot, in random order and with all priorities, goes to the heap behind the lane.
    @Test(.enabled(if: Loop.isFull)) func crowdsOfLateArrivals() {
        var race = Race()
        var stream = TestStream(seed: 6)
        func event(_ delay: Int) -> (word: EventWord, time: Instant, priority: EventPriority) {
            let word = EventWord(kind: 3, subject: UInt32(stream.next(below: 1000)))
            let time = race.now + TimeSpan(microseconds: Int64(stream.next(below: delay)))
            return (word, time, EventPriority(rank: UInt8(stream.next(below: EventPriority.rankLimit))))
        }
        for _ in 0..<2000 { race.schedule(event(3_600_000_000)) }
        for round in 0..<20 {
            for _ in 0..<3000 { race.schedule(event(round.isMultiple(of: 2) ? 300 : 1)) }
            race.expectAgreement("round \(round), filled")
            for _ in 0..<2900 where race.take() != nil {
                if stream.yes(50) { race.schedule(event(200)) }
            }
            race.expectAgreement("round \(round), taken")
        }
        while race.take() != nil {}
        race.expectAgreement()
    }
}
