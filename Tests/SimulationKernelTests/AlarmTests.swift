import Quantities
import SimulationKernel
import TestSupport
import Testing

@Suite struct AlarmTests {
    private func at(_ microseconds: Int64) -> Instant { Instant(microseconds: microseconds) }

    @Test func anAlarmThatMovesLaterReusesItsEvent() {
        var alarm = Alarm()
        #expect(alarm.due == .never)
        #expect(alarm.set(for: at(10)) == true)
        #expect(alarm.set(for: at(25)) == false)
        #expect(alarm.set(for: at(20)) == false)
        #expect(alarm.due == at(20))
        #expect(alarm.ring(at: at(10)) == .early(at(20)))
        #expect(alarm.ring(at: at(20)) == .rings)
        #expect(alarm.due == .never)
    }

    @Test func anAlarmThatMovesEarlierNeedsAnotherEvent() {
        var alarm = Alarm()
        #expect(alarm.set(for: at(10)) == true)
        #expect(alarm.set(for: at(5)) == true)
        #expect(alarm.ring(at: at(5)) == .rings)
        #expect(alarm.ring(at: at(10)) == .off)
    }

    @Test func anAlarmThatIsCalledOffStaysSilent() {
        var alarm = Alarm()
        #expect(alarm.set(for: at(10)) == true)
        alarm.callOff()
        #expect(alarm.due == .never)
        #expect(alarm.ring(at: at(10)) == .off)
        #expect(alarm.set(for: at(12)) == true)
        #expect(alarm.ring(at: at(12)) == .rings)
    }

    @Test func anAlarmThatIsNotedNeedsNoEventUntilItIsSet() {
        var alarm = Alarm()
        alarm.note(at(20))
        #expect(alarm.due == at(20) && alarm.next == .never)
        #expect(alarm.set(for: alarm.due) == true)
        alarm.note(at(30))
        #expect(alarm.ring(at: at(20)) == .early(at(30)))
        #expect(alarm.ring(at: at(30)) == .rings)
    }

    @Test func settingForNeverIsCallingOff() {
        var alarm = Alarm()
        #expect(alarm.set(for: .never) == false)
        #expect(alarm.set(for: at(10)) == true)
        #expect(alarm.set(for: .never) == false)
        #expect(alarm.due == .never)
        #expect(alarm.ring(at: at(10)) == .off)
    }

    /// An alarm with its pending events, and the reference: the instant at which it should ring.
    private struct World: AppointmentWorld {
        static let operationCount = 8

        var alarm = Alarm()
        var due: Int64?
        var now: Int64 = 0
        /// Pending events by instant.
        var pending: [Int] = Array(repeating: 0, count: 16)
        var isSound = true

        var pendingCount: Int { pending.reduce(0, +) }
        var isSettled: Bool { due == nil }

        mutating func set(for instant: Int64) {
            due = instant
            if alarm.set(for: Instant(microseconds: instant)) {
                pending[Int(instant)] += 1
            }
        }

        /// Brings up one event of the current instant, if there is one.
        mutating func deliverOne() -> Bool {
            guard pending[Int(now)] > 0 else { return false }
            pending[Int(now)] -= 1
            switch alarm.ring(at: Instant(microseconds: now)) {
            case .rings:
                isSound = isSound && due == now
                due = nil
            case .early(let instant):
                isSound = isSound && instant.microseconds == due && instant.microseconds > now
                pending[Int(instant.microseconds)] += 1
            case .off:
                break
            }
            return true
        }

        mutating func elapse() {
            while deliverOne() {}
            isSound = isSound && due != now
            now += 1
        }

        /// 0...3 set the alarm that much later than now, 4 cancels it, 5 delivers one event, 6 and 7 let time pass.
        mutating func perform(_ operation: Int) {
            switch operation {
            case 0...3: set(for: now + Int64(operation))
            case 4:
                due = nil
                alarm.callOff()
            case 5: _ = deliverOne()
            case 6: elapse()
            default:
                elapse()
                elapse()
            }
            isSound = isSound && alarm.due == due.map(Instant.init(microseconds:)) ?? .never
        }
    }

    /// All sequences of up to six operations: the alarm rings exactly when it is due, and is never lost.
    @Test(.enabled(if: Loop.isFull)) func allShortSequencesRingExactlyWhenDue() {
        let explored = exploreShortSequences(of: World.self, upTo: 6)
        #expect(explored.counterexample == nil)
        #expect(explored.count == (0...6).reduce(0) { sum, length in sum + 1 << (3 * length) })
    }

    /// As with a stale date that each update moves later: one pending event, regardless of the number of moves.
    @Test func anAlarmThatOnlyMovesLaterKeepsOnePendingEvent() {
        for seed in 0..<200 as Range<UInt64> {
            var stream = TestStream(seed: seed)
            var alarm = Alarm()
            var now: Int64 = 0
            var due: Int64 = 0
            var pending: [Int64] = []
            var ringCount = 0
            for _ in 0..<200 {
                due = max(due, now) + 1 + Int64(stream.next(below: 50))
                if alarm.set(for: Instant(microseconds: due)) {
                    pending.append(due)
                }
                #expect(pending.count == 1)
                now += Int64(stream.next(below: 60))
                while let next = pending.first, next <= now {
                    pending.removeFirst()
                    switch alarm.ring(at: Instant(microseconds: next)) {
                    case .rings:
                        #expect(next == due)
                        ringCount += 1
                    case .early(let instant):
                        pending.append(instant.microseconds)
                    case .off:
                        Issue.record("seed \(seed): an obsolete event at \(next)")
                    }
                }
                #expect(alarm.due == (due <= now ? .never : Instant(microseconds: due)))
            }
            #expect(ringCount > 0)
        }
    }
}
