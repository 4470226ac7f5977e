import FreshnessCore
import Quantities
import SimulationKernel
import Testing

@testable import LiveActivityModel

@Suite("A sender on its own")
struct SenderStationTests {
    private static func at(_ seconds: Int64) -> Instant { .start + .seconds(seconds) }

    private static func station(_ change: (inout Scenario.Sender) -> Void = { _ in }) throws -> SenderStation {
        var sender = Scenario.Sender()
        sender.streams = 2
        change(&sender)
        return SenderStation(
            SenderStation.Limits(sender),
            limiter: try sender.rateLimit?.bucket(),
            repeatBudget: try sender.retryBudget?.budget()
        )
    }

    private static func offer(
        _ push: UInt32,
        rank: Int = 1,
        activity: UInt64 = 0,
        kind: StoryLine.PushKind = .update
    ) -> SenderStation.Offer {
        SenderStation.Offer(push: push, rank: rank, activity: activity, kind: kind)
    }

    /// A push that was offered at second 0, in its nth request.
    private static func passage(attempt: Int = 0) -> SenderPassage {
        var passage = SenderPassage(offeredAt: at(0))
        for _ in 0..<attempt { passage.repeats(at: at(0)) }
        return passage
    }

    /// Begins a request at second 0; returns its connection.
    private static func begin(_ push: UInt32, _ station: inout SenderStation) -> UInt32 {
        var passage = passage()
        return station.begin(offer(push), &passage, at: at(0))
    }

    /// The turn of a waiting push at second 0.
    private static func turn(of push: UInt32, isWanted: Bool, _ station: inout SenderStation) -> SenderStation.Turn {
        var passage = passage()
        return station.turn(of: offer(push), &passage, isWanted: isWanted, at: at(0))
    }

    /// Ends a request and releases its stream.
    private static func end(_ push: SenderStation.Offer, of station: inout SenderStation) {
        var passage = passage()
        station.ended(push, &passage)
    }

    @Test("A sender has room while nothing waits and less than a quarter of the streams are in use")
    func room() throws {
        var station = try Self.station { $0.connections = 8 }
        let streams = station.streamLimit
        #expect(station.hasRoom(besides: Int32(streams / 4 - 1)) && station.isAtRest)
        _ = Self.begin(1, &station)
        #expect(!station.hasRoom(besides: Int32(streams / 4 - 1)) && !station.isAtRest)
    }

    /// Offers a push at second 0 and begins its request if the station says so.
    @discardableResult
    private static func offer(
        _ push: UInt32,
        rank: Int = 1,
        activity: UInt64 = 0,
        kind: StoryLine.PushKind = .update,
        begun: Int64 = 0,
        isWanted: Bool = true,
        to station: inout SenderStation
    ) -> SenderStation.Admission {
        let push = offer(push, rank: rank, activity: activity, kind: kind)
        var passage = passage()
        let admission = station.offered(push, &passage, isWanted: isWanted, isPaused: false, at: at(0))
        switch admission {
        case .begins, .interrupts, .replaces: _ = station.begin(push, &passage, at: at(begun))
        default: break
        }
        return admission
    }

    /// The turns of all pushes that can begin at an instant.
    private static func turns(_ station: inout SenderStation, rank: Int = 1, at now: Int64 = 0) -> [String] {
        var lines: [String] = []
        while let next = station.nextInLine {
            var passage = passage()
            let turn = station.turn(of: offer(next, rank: rank), &passage, isWanted: true, at: at(now))
            lines.append("\(next) \(turn)")
            guard case .begins = turn else { break }
            _ = station.begin(offer(next, rank: rank), &passage, at: at(now))
        }
        return lines
    }

    // MARK: - Streams

    @Test("As many begin as there are streams; the rest wait, better ranks first")
    func streams() throws {
        var station = try Self.station()
        #expect(Self.offer(1, to: &station) == .begins)
        #expect(Self.offer(2, to: &station) == .begins)
        #expect(station.isSaturated)
        #expect(Self.offer(3, rank: 1, to: &station) == .waits)
        #expect(Self.offer(4, rank: 0, to: &station) == .waits)
        #expect(station.nextInLine == nil)
        Self.end(Self.offer(1), of: &station)
        #expect(station.nextInLine == 4)
        #expect(station.waitingCount == 2)
        #expect(Self.turns(&station, rank: 0) == ["4 begins"])
    }

    @Test("A free stream goes to a waiting push first")
    func noOvertaking() throws {
        var station = try Self.station()
        for push in 1...3 as ClosedRange<UInt32> { Self.offer(push, to: &station) }
        Self.end(Self.offer(1), of: &station)
        #expect(Self.offer(4, rank: 1, to: &station) == .waits)
        #expect(Self.offer(5, rank: 0, to: &station) == .begins)
    }

    @Test("A push that is no longer needed does not begin")
    func unwanted() throws {
        var station = try Self.station { $0.streams = 1 }
        #expect(Self.offer(1, isWanted: false, to: &station) == .unwanted)
        Self.offer(2, to: &station)
        Self.offer(3, to: &station)
        Self.end(Self.offer(2), of: &station)
        #expect(Self.turn(of: 3, isWanted: false, &station) == .unwanted)
        #expect(station.waitingCount == 0)
        #expect(station.inFlight == 0)
    }

    @Test("While the sender is paused all pushes wait")
    func paused() throws {
        var station = try Self.station()
        var passage = Self.passage()
        #expect(station.offered(Self.offer(1), &passage, isWanted: true, isPaused: true, at: Self.at(0)) == .waits)
    }

    // MARK: - A full queue

    @Test("A full queue drops the new push, or the oldest of the worst rank, unless the new one is worse")
    func overflow() throws {
        for overflow in Scenario.Overflow.allCases {
            var station = try Self.station {
                $0.streams = 1
                $0.queueLimit = 2
                $0.overflow = overflow
            }
            for push in 1...3 as ClosedRange<UInt32> { Self.offer(push, rank: 1, to: &station) }
            #expect(Self.offer(4, rank: 1, to: &station) == (overflow == .dropNewest ? .full : .displaces(2)))
            #expect(Self.offer(5, rank: 2, to: &station) == .full)
            #expect(station.waitingCount == 2)
        }
    }

    @Test("Without a queue a push that cannot begin is dropped")
    func noQueue() throws {
        var station = try Self.station {
            $0.streams = 1
            $0.queueLimit = 0
            $0.overflow = .dropOldest
        }
        #expect(Self.offer(1, to: &station) == .begins)
        #expect(Self.offer(2, to: &station) == .full)
    }

    // MARK: - Preemption

    @Test("A better rank interrupts the newest request of the worst, which goes first in its rank")
    func resume() throws {
        var station = try Self.station { $0.preempt = .resume }
        for push in 1...3 as ClosedRange<UInt32> { Self.offer(push, rank: 5, to: &station) }
        #expect(Self.offer(4, rank: 5, to: &station) == .waits)
        #expect(Self.offer(5, rank: 0, to: &station) == .interrupts(2))
        #expect(station.inFlight == 2)
        Self.end(Self.offer(5, rank: 0), of: &station)
        #expect(station.nextInLine == 2)
    }

    @Test("If no stream is free a push replaces the oldest content request of its own activity")
    func replace() throws {
        var station = try Self.station { $0.preempt = .replace }
        #expect(Self.offer(1, activity: 7, begun: 3, to: &station) == .begins)
        #expect(Self.offer(2, rank: 3, activity: 7, begun: 1, to: &station) == .begins)
        #expect(Self.offer(3, activity: 7, begun: 4, to: &station) == .replaces(2))
        #expect(Self.offer(4, activity: 7, kind: .end, begun: 5, to: &station) == .replaces(1))
        #expect(station.inFlight == 2)
        #expect(Self.offer(5, activity: 7, to: &station) == .replaces(3))
    }

    @Test("Of two equally old requests the one of the better rank is replaced, and within a rank the first")
    func replacedAtOnce() throws {
        var station = try Self.station {
            $0.preempt = .replace
            $0.streams = 3
        }
        Self.offer(1, rank: 3, to: &station)
        Self.offer(2, rank: 1, to: &station)
        Self.offer(3, rank: 1, to: &station)
        #expect(Self.offer(4, rank: 5, to: &station) == .replaces(2))
    }

    @Test("Another activity's request is not replaced, nor an end or a start; and a start replaces nothing")
    func notReplaced() throws {
        var station = try Self.station {
            $0.preempt = .replace
            $0.streams = 3
        }
        Self.offer(1, activity: 1, kind: .end, to: &station)
        Self.offer(2, activity: 1, kind: .start, to: &station)
        Self.offer(3, activity: 2, to: &station)
        #expect(Self.offer(4, activity: 1, to: &station) == .waits)
        #expect(Self.offer(5, activity: 2, kind: .start, to: &station) == .waits)
        #expect(Self.offer(6, activity: 2, isWanted: false, to: &station) == .waits)
        #expect(Self.offer(7, activity: 2, kind: .retry, to: &station) == .replaces(3))
    }

    // MARK: - The rate limit

    private static func limited(_ excess: Scenario.Excess) throws -> SenderStation {
        try station {
            var limit = Scenario.RateLimit()
            limit.perSecond = 1
            limit.burst = 1
            limit.excess = excess
            $0.rateLimit = limit
        }
    }

    @Test("Above the rate limit pushes are dropped")
    func policing() throws {
        var station = try Self.limited(.drop)
        #expect(Self.offer(1, to: &station) == .begins)
        #expect(Self.offer(2, to: &station) == .rateLimited)
    }

    @Test("Above the rate limit pushes wait, and the sender requests one timer")
    func shaping() throws {
        var station = try Self.limited(.wait)
        #expect(Self.offer(1, to: &station) == .begins)
        #expect(Self.offer(2, to: &station) == .waits)
        let awaits = SenderStation.Turn.awaitsToken(wakeAt: Self.at(1))
        #expect(Self.turn(of: 2, isWanted: true, &station) == awaits)
        let isAwaiting = SenderStation.Turn.awaitsToken(wakeAt: nil)
        #expect(Self.turn(of: 2, isWanted: true, &station) == isAwaiting)
        #expect(station.tokenDue(at: Self.at(1)) == .rings)
        #expect(Self.turns(&station, at: 1) == ["2 begins"])
    }

    // MARK: - Responses

    @Test("A response exactly at the timeout is received; a later one is not", arguments: [9, 10, 11] as [Int64])
    func hearing(second: Int64) throws {
        let heard = try Self.station { $0.timeout = .seconds(10) }.limits
            .hearing(ofRequestAt: Self.at(0), answeredAt: Self.at(second))
        #expect(heard.at == Self.at(min(second, 10)))
        #expect(heard.isTimeOut == (second > 10))
    }

    @Test("A request is retried while attempts are left and it is needed")
    func repeats() throws {
        var station = try Self.station { $0.attempts = 2 }
        #expect(station.unanswered(Self.passage(), isWanted: true, at: Self.at(0)) == .yes)
        #expect(station.unanswered(Self.passage(), isWanted: false, at: Self.at(0)) == .no)
        #expect(station.unanswered(Self.passage(attempt: 1), isWanted: true, at: Self.at(0)) == .no)
    }

    @Test("A request that APNs names as unprocessed is retried once, regardless of any limit")
    func unprocessed() throws {
        var station = try Self.station()
        #expect(station.unanswered(Self.passage(), isUnprocessed: true, isWanted: true, at: Self.at(0)) == .yes)
        #expect(station.unanswered(Self.passage(), isUnprocessed: true, isWanted: false, at: Self.at(0)) == .no)
        #expect(
            station.unanswered(Self.passage(attempt: 1), isUnprocessed: true, isWanted: true, at: Self.at(0)) == .no
        )
    }

    @Test("Sent pushes earn the retry budget")
    func repeatBudget() throws {
        var station = try Self.station {
            $0.attempts = 9
            var budget = Scenario.Budget()
            budget.capacity = 1
            budget.perSecond = 0
            budget.perPush = 1
            $0.retryBudget = budget
        }
        #expect(station.unanswered(Self.passage(), isWanted: true, at: Self.at(0)) == .yes)
        #expect(station.unanswered(Self.passage(), isWanted: true, at: Self.at(0)) == .withheld)
        _ = Self.begin(9, &station)
        #expect(station.unanswered(Self.passage(), isWanted: true, at: Self.at(0)) == .yes)
    }

    // MARK: - Connections

    @Test("Connections are used in rotation, except for lost ones")
    func connections() throws {
        var station = try Self.station { $0.connections = 3 }
        #expect((1...3).map { Self.begin($0, &station) } == [1, 2, 0])
        station.lose(2, by: 7)
        station.lose(2, by: 8)
        #expect(station.streamLimit == 4)
        #expect(station.fault(of: 2) == 7)
        #expect((4...6).map { Self.begin($0, &station) } == [1, 0, 1])
        station.reconnect(after: 8)
        #expect(station.streamLimit == 4)
        station.reconnect(after: 7)
        #expect(station.streamLimit == 6)
    }
}
