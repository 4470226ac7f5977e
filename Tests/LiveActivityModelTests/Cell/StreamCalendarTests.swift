import Quantities
import TestSupport
import Testing

@testable import LiveActivityModel

@Suite("The times at which streams are taken and come back")
struct StreamCalendarTests {
    /// The expected changes, kept as two lists.
    private struct Plain {
        var requests: [(begin: Int64, span: Int64)] = []
        var returns: [Int64] = []
        var level = StreamCalendar.Level(streams: 0, most: 0)

        /// The next change; returns come before requests at the same instant.
        var next: Int64 { min(requests.map(\.begin).min() ?? .max, returns.min() ?? .max) }

        mutating func follow(before now: Int64, includesReturns: Bool) {
            while true {
                let next = next
                if next < now || next == now && includesReturns, let index = returns.firstIndex(of: next) {
                    returns.remove(at: index)
                    level.streams -= 1
                } else if next < now, let index = requests.firstIndex(where: { $0.begin == next }) {
                    returns.append(next + requests.remove(at: index).span)
                    level.streams += 1
                    level.requests += 1
                    level.most = max(level.most, level.streams)
                } else {
                    return
                }
            }
        }
    }

    /// Read as in a cell, which reads nothing before its time, while the ring of slots wraps around.
    @Test("After a long idle time, a request at the maximum distance begins at its instant")
    func silence() {
        var calendar = StreamCalendar(holdsRequests: true)
        var level = StreamCalendar.Level(streams: 0, most: 0)
        func requests(at minutes: Int64) -> Int {
            let now = Instant.start + .minutes(minutes)
            if calendar.bound <= now { calendar.follow(before: now, includesReturns: true, &level) }
            return level.requests
        }
        calendar.addRequest(at: .start + .minutes(20), taking: .seconds(1))
        #expect(requests(at: 0) == 0)
        #expect(requests(at: 19) == 0)
        calendar.addRequest(at: .start + .minutes(44), taking: .seconds(1))
        #expect(requests(at: 21) == 1)
        #expect(requests(at: 43) == 1)
        #expect(requests(at: 45) == 2)
    }

    /// Clocks that stop, advance slowly and jump; requests near and far, dense and sparse, some at one instant.
    @Test("Changes are read in order, whatever is added in between", arguments: 0..<48 as Range<UInt64>)
    func level(seed: UInt64) {
        var stream = TestStream(seed: seed)
        var calendar = StreamCalendar(holdsRequests: true)
        var plain = Plain()
        var now: Int64 = 0
        var level = plain.level
        let farthest: UInt64 = [1000, 1_000_000, 60_000_000, 1_600_000_000][Int(seed % 4)]
        for _ in 0..<300 {
            let step: UInt64 = [0, 1, 100_000, 30_000_000, 3_000_000_000][Int(stream.next() % 5)]
            now += Int64(stream.next() % (step + 1))
            let includesReturns = stream.next() % 2 == 0
            plain.follow(before: now, includesReturns: includesReturns)
            calendar.follow(before: Instant(microseconds: now), includesReturns: includesReturns, &level)
            #expect(level == plain.level)
            let (bound, nextReturn) = (calendar.bound.microseconds, calendar.nextReturn.microseconds)
            #expect(now <= bound && bound <= plain.next)
            #expect(nextReturn == plain.returns.min() ?? .max)
            let requestCount = calendar.requestCount
            #expect(requestCount == plain.requests.count)
            for _ in 0..<stream.next() % 40 {
                let begin = now + Int64(stream.next() % farthest)
                let span = 1 + Int64(stream.next() % 300_000)
                calendar.addRequest(at: Instant(microseconds: begin), taking: TimeSpan(microseconds: span))
                plain.requests.append((begin, span))
            }
            if stream.next() % 4 == 0 {
                let returned = now + Int64(stream.next() % 1_000_000)
                calendar.addReturn(at: Instant(microseconds: returned))
                plain.returns.append(returned)
            }
        }
    }

    /// Such a calendar has no slots, and searches none.
    @Test("Without requests, only returns are read")
    func returnsAlone() {
        for _ in 0..<1000 {
            var calendar = StreamCalendar(holdsRequests: false)
            var level = StreamCalendar.Level(streams: 2, most: 0)
            calendar.addReturn(at: Instant(microseconds: 5))
            calendar.follow(before: Instant(microseconds: 7), includesReturns: true, &level)
            let bound = calendar.bound
            #expect(level.streams == 1 && bound == .start + TimeSpan(microseconds: 256 << 20))
        }
    }

    @Test("After returns are removed, an earlier one is read")
    func earlierThanTakenOut() {
        var calendar = StreamCalendar(holdsRequests: false)
        for at in [50, 60] as [Int64] { calendar.addReturn(at: Instant(microseconds: at)) }
        _ = calendar.removeReturns()
        calendar.addReturn(at: Instant(microseconds: 20))
        let next = calendar.nextReturn.microseconds
        #expect(next == 20)
    }

    @Test("A request at the maximum distance, added at the maximum lag, begins at its instant")
    func farthest() {
        var calendar = StreamCalendar(holdsRequests: true)
        var plain = Plain()
        var level = plain.level
        var now = Instant.start
        for step in 0..<4000 {
            now = now + .milliseconds(1000 + Int64(step % 7) * 100)
            if calendar.isBehind(now) {
                calendar.follow(before: now, includesReturns: true, &level)
                plain.follow(before: now.microseconds, includesReturns: true)
                #expect(level == plain.level)
            }
            let far = StreamCalendar.reach(from: now).microseconds - 1
            for begin in [now.microseconds, far] {
                calendar.addRequest(at: Instant(microseconds: begin), taking: .seconds(2))
                plain.requests.append((begin, 2_000_000))
            }
        }
        #expect(level.requests > 4000)
    }

    @Test("Returns can be removed alone")
    func returns() {
        var calendar = StreamCalendar(holdsRequests: false)
        for at in [5, 3, 9, 3] as [Int64] { calendar.addReturn(at: Instant(microseconds: at)) }
        let (taken, nextReturn) = (calendar.removeReturns(), calendar.nextReturn)
        #expect(taken.map(\.microseconds) == [3, 3, 5, 9])
        #expect(nextReturn == .never)
    }
}
