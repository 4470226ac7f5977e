import Quantities
import SimulationKernel
import Testing

@Suite struct EventLoopTests {
    private func word(_ subject: UInt32) -> EventWord { EventWord(kind: 1, subject: subject) }

    @Test func aNewRunStandsAtTheStart() {
        var loop = EventLoop()
        #expect(loop.now == .start)
        #expect(loop.pendingCount == 0)
        #expect(loop.recordedCount == 0)
        #expect(loop.fingerprint == Fingerprint())
        #expect(loop.next(through: .never) == nil)
        #expect(loop.now == .start)
    }

    @Test func theClockFollowsTheEventsUpToTheHorizon() {
        var loop = EventLoop()
        let rank = EventPriority(rank: 1)
        for microseconds in [30, 10, 20, 21] as [Int64] {
            loop.schedule(word(UInt32(microseconds)), at: Instant(microseconds: microseconds), priority: rank)
        }
        let horizon = Instant(microseconds: 20)
        var seen: [UInt32] = []
        while let next = loop.next(through: horizon) {
            seen.append(next.subject)
            #expect(loop.now.microseconds == Int64(next.subject))
        }
        #expect(seen == [10, 20])
        #expect(loop.pendingCount == 2)
        loop.advance(to: Instant(microseconds: 20))
        loop.advance(to: Instant(microseconds: 21))
        #expect(loop.now == Instant(microseconds: 21))
        // Draining: the remaining events come up, however late.
        #expect(loop.next(through: .never) == word(21))
        #expect(loop.next(through: .never) == word(30))
        #expect(loop.next(through: .never) == nil)
        #expect(loop.now == Instant(microseconds: 30))
    }

    @Test func anEventMayScheduleAnotherForItsOwnInstant() {
        var loop = EventLoop()
        let instant = Instant(microseconds: 5)
        loop.schedule(word(0), at: instant, priority: EventPriority(rank: 2))
        loop.schedule(word(1), at: instant, priority: EventPriority(rank: 2))
        #expect(loop.next(through: instant) == word(0))
        // A lower rank overtakes pending events, an equal one queues behind them.
        loop.schedule(word(2), at: instant, priority: EventPriority(rank: 2))
        loop.schedule(word(3), at: instant, priority: EventPriority(rank: 0))
        #expect(loop.next(through: instant) == word(3))
        #expect(loop.next(through: instant) == word(1))
        #expect(loop.next(through: instant) == word(2))
        #expect(loop.now == instant)
    }

    @Test func whatIsUpcomingIsToldAndComesInOrder() {
        var loop = EventLoop()
        for subject in 0..<6 as Range<UInt32> {
            let instant = Instant(microseconds: Int64(subject) * 10)
            loop.schedule(word(subject), at: instant, priority: EventPriority(rank: 0))
        }
        #expect(loop.upcoming(0) == word(0))
        #expect(loop.upcoming(5) == word(5))
        #expect(loop.upcoming(6) == nil)
        #expect(loop.pendingCount == 6)
        var seen: [UInt32] = []
        while let next = loop.next(through: .never) { seen.append(next.subject) }
        #expect(seen == [0, 1, 2, 3, 4, 5])
    }

    @Test func onlyRecordedEventsCount() {
        var loop = EventLoop()
        for microseconds in 1...4 as ClosedRange<Int64> {
            let instant = Instant(microseconds: microseconds)
            loop.schedule(word(UInt32(microseconds)), at: instant, priority: EventPriority(rank: 0))
        }
        var expected = Fingerprint()
        while let next = loop.next(through: .never) {
            guard next.subject.isMultiple(of: 2) else { continue }
            loop.record(event: 9, subject: UInt64(next.subject) << 32)
            expected.add(time: loop.now, event: 9, subject: UInt64(next.subject) << 32)
        }
        #expect(loop.recordedCount == 2)
        #expect(loop.fingerprint == expected)
        #expect(loop.fingerprint != Fingerprint())
    }

    @Test func timeDoesNotRunBackwards() async {
        await #expect(processExitsWith: .failure) {
            var loop = EventLoop()
            loop.advance(to: Instant(microseconds: 2))
            loop.schedule(
                EventWord(kind: 0, subject: 0),
                at: Instant(microseconds: 1),
                priority: EventPriority(rank: 0)
            )
        }
        await #expect(processExitsWith: .failure) {
            var loop = EventLoop()
            loop.advance(to: Instant(microseconds: 2))
            loop.advance(to: Instant(microseconds: 1))
        }
    }
}
