import Quantities
import SimulationKernel
import TestSupport
import Testing

@Suite struct ReminderTests {
    private func at(_ microseconds: Int64) -> Instant { Instant(microseconds: microseconds) }

    @Test func aLaterReminderNeedsNoEvent() {
        var reminder = Reminder()
        #expect(reminder.next == .never)
        #expect(reminder.remind(at: at(10)) == true)
        #expect(reminder.remind(at: at(25)) == false)
        #expect(reminder.remind(at: at(10)) == false)
        #expect(reminder.next == at(10))
        #expect(reminder.comesUp(at: at(10)) == true)
        #expect(reminder.next == .never)
        #expect(reminder.remind(at: at(25)) == true)
    }

    @Test func anEarlierReminderOvertakesTheEventThatIsPending() {
        var reminder = Reminder()
        #expect(reminder.remind(at: at(10)) == true)
        #expect(reminder.remind(at: at(5)) == true)
        #expect(reminder.next == at(5))
        #expect(reminder.comesUp(at: at(5)) == true)
        #expect(reminder.comesUp(at: at(10)) == false)
    }

    @Test func anEventAtAnInstantThatIsRemindedOfTwiceIsLookedAtOnce() {
        var reminder = Reminder()
        #expect(reminder.remind(at: at(10)) == true)
        #expect(reminder.remind(at: at(5)) == true)
        #expect(reminder.comesUp(at: at(5)) == true)
        #expect(reminder.remind(at: at(10)) == true)
        #expect(reminder.comesUp(at: at(10)) == true)
        #expect(reminder.comesUp(at: at(10)) == false)
    }

    @Test func neverIsNoReminder() {
        var reminder = Reminder()
        #expect(reminder.remind(at: .never) == false)
        #expect(reminder.next == .never)
        #expect(reminder.remind(at: at(3)) == true)
        #expect(reminder.remind(at: .never) == false)
        #expect(reminder.next == at(3))
    }

    /// An entity with a deadline that moves, and its pending events.
    private struct World: AppointmentWorld {
        static let operationCount = 7

        var reminder = Reminder()
        /// When the entity has to act; nil if it has nothing to do.
        var deadline: Int64?
        var now: Int64 = 0
        /// Pending events by instant.
        var pending: [Int] = Array(repeating: 0, count: 24)
        var isSound = true

        var pendingCount: Int { pending.reduce(0, +) }
        var isSettled: Bool { deadline == nil }

        mutating func remind() {
            if reminder.remind(at: deadline.map(Instant.init(microseconds:)) ?? .never) {
                pending[Int(deadline ?? 0)] += 1
            }
        }

        /// Brings up all events of the current instant, then lets time pass; by then every subject that had to act has
        /// acted.
        mutating func elapse() {
            while pending[Int(now)] > 0 {
                pending[Int(now)] -= 1
                guard reminder.comesUp(at: Instant(microseconds: now)) else { continue }
                if deadline == now {
                    deadline = nil
                } else {
                    remind()
                }
            }
            isSound = isSound && deadline != now
            now += 1
        }

        /// 0...3 move the deadline to that much later than now, 4 removes it, 5 and 6 let time pass.
        mutating func perform(_ operation: Int) {
            switch operation {
            case 0...3:
                let isNearer = deadline.map { now + Int64(operation) < $0 } ?? true
                deadline = now + Int64(operation)
                // A deadline that moves later need not be reported.
                if isNearer {
                    remind()
                }
            case 4: deadline = nil
            case 5: elapse()
            default:
                elapse()
                elapse()
            }
            // The reminder is not later than the deadline.
            isSound = isSound && deadline.map { reminder.next <= Instant(microseconds: $0) } ?? true
        }
    }

    /// All sequences of up to six operations: the entity acts exactly when it has to, although it does not report
    /// deadlines that move later.
    @Test(.enabled(if: Loop.isFull)) func allShortSequencesActExactlyWhenDue() {
        let explored = exploreShortSequences(of: World.self, upTo: 6)
        #expect(explored.counterexample == nil)
        #expect(explored.count == [1, 7, 49, 343, 2401, 16807, 117_649].reduce(0, +))
    }

    /// As with content that each update renews: one pending event, regardless of the number of moves.
    @Test func aDeadlineThatOnlyMovesAwayKeepsOnePendingEvent() {
        for seed in 0..<100 as Range<UInt64> {
            var stream = TestStream(seed: seed)
            var reminder = Reminder()
            var due: Int64 = 50
            var pending: Int64? = reminder.remind(at: at(due)) ? due : nil
            for now in 1...Int64(1000) {
                if stream.yes(30) {
                    due = max(due, now) + stream.number(1...40)
                    #expect(reminder.remind(at: at(due)) == (pending == nil))
                    pending = pending ?? due
                }
                if pending == now {
                    #expect(reminder.comesUp(at: at(now)) == true)
                    pending = due > now && reminder.remind(at: at(due)) ? due : nil
                    #expect(due <= now || pending == due)
                }
                #expect(reminder.next == pending.map(at) ?? .never)
            }
        }
    }
}
