import Quantities
import TestSupport
import Testing

@testable import LiveActivityModel

@Suite("When streams are taken and come back")
struct StreamCalendarTests {
    /// What is to be read, kept as a list: returns come before what is taken at their instant.
    private struct Plain {
        var requests: [(begin: Int64, span: Int64)] = []
        var returns: [Int64] = []

        mutating func removeFirst(upTo now: Int64) -> (at: Int64, isTaken: Bool)? {
            let begin = requests.map(\.begin).min() ?? .max
            let returned = returns.min() ?? .max
            if returned <= begin {
                guard returned <= now, let index = returns.firstIndex(of: returned) else { return nil }
                returns.remove(at: index)
                return (returned, false)
            }
            guard begin < now, let index = requests.firstIndex(where: { $0.begin == begin }) else { return nil }
            returns.append(begin + requests.remove(at: index).span)
            return (begin, true)
        }
    }

    private static func described(_ change: StreamCalendar.Change) -> (at: Int64, isTaken: Bool) {
        switch change {
        case .taken(let instant): (instant.microseconds, true)
        case .returned(let instant): (instant.microseconds, false)
        }
    }

    /// Clocks that stand still, creep and leap; requests near and far, crowded and alone, some at one instant.
    @Test("They are read in order, whatever is added in between", arguments: 0..<24 as Range<UInt64>)
    func order(seed: UInt64) {
        var stream = TestStream(seed: seed)
        var calendar = StreamCalendar(holdsRequests: true)
        var plain = Plain()
        var now: Int64 = 0
        let farthest: UInt64 = [1000, 1_000_000, 60_000_000, 1_600_000_000][Int(seed % 4)]
        for _ in 0..<300 {
            let step: UInt64 = [0, 1, 100_000, 30_000_000, 3_000_000_000][Int(stream.next() % 5)]
            now += Int64(stream.next() % (step + 1))
            while let expected = plain.removeFirst(upTo: now) {
                let change = calendar.removeFirst(upTo: Instant(microseconds: now)).map(Self.described)
                #expect(change?.at == expected.at && change?.isTaken == expected.isTaken)
            }
            let (rest, bound) = (calendar.removeFirst(upTo: Instant(microseconds: now)), calendar.bound)
            #expect(rest == nil)
            #expect(bound.microseconds >= now)
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

    @Test("Followed as a level it is the same", arguments: 0..<24 as Range<UInt64>)
    func level(seed: UInt64) {
        var stream = TestStream(seed: seed)
        var calendar = StreamCalendar(holdsRequests: true)
        var plain = Plain()
        var now: Int64 = 0
        var level = StreamCalendar.Level(streams: 0, most: 0)
        var (streams, most, requests) = (0, 0, 0)
        for _ in 0..<300 {
            now += Int64(stream.next() % 3_000_000)
            let includesReturns = stream.next() % 2 == 0
            while true {
                let next = min(plain.requests.map(\.begin).min() ?? .max, plain.returns.min() ?? .max)
                guard next < now || includesReturns, let change = plain.removeFirst(upTo: now) else { break }
                streams += change.isTaken ? 1 : -1
                requests += change.isTaken ? 1 : 0
                most = max(most, streams)
            }
            calendar.follow(before: Instant(microseconds: now), includesReturns: includesReturns, &level)
            #expect((level.streams, level.most, level.requests) == (streams, most, requests))
            let (bound, left) = (calendar.bound.microseconds, calendar.requestCount)
            #expect(bound <= min(plain.requests.map(\.begin).min() ?? .max, plain.returns.min() ?? .max))
            #expect(bound >= now && left == plain.requests.count)
            for _ in 0..<stream.next() % 20 {
                let begin = now + Int64(stream.next() % 20_000_000)
                let span = 1 + Int64(stream.next() % 900_000)
                calendar.addRequest(at: Instant(microseconds: begin), taking: TimeSpan(microseconds: span))
                plain.requests.append((begin, span))
            }
        }
    }

    @Test("Returns can be taken out alone")
    func returns() {
        var calendar = StreamCalendar(holdsRequests: false)
        for at in [5, 3, 9, 3] as [Int64] { calendar.addReturn(at: Instant(microseconds: at)) }
        var taken: [Int64] = []
        calendar.removeReturns { taken.append($0.microseconds) }
        #expect(taken == [3, 3, 5, 9])
        let rest = calendar.removeFirst(upTo: Instant(microseconds: 1000))
        #expect(rest == nil)
    }
}
