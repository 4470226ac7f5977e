import LiveActivityModel
import NIOCore
import NIOEmbedded
import Quantities
import SimulationKernel
import Testing

@testable import LoadGenerator

@Suite("A replay of a log's pushes")
struct PushReplayTests {
    /// A target that notes its requests and accepts them at once.
    private final class Target: LoadTarget {
        private(set) var requests: [LoadRequest] = []

        func submit(_ request: LoadRequest, for lane: LoadLane<Target>) {
            requests.append(request)
            let (number, due, now) = (request.number, request.due, request.now)
            lane.loop.execute {
                let outcome = APNsOutcome.answered(APNsAnswer(status: 200))
                lane.completed([APNsCompletion(number: number, outcome: outcome, due: due, sent: now, done: now)])
            }
        }
    }

    /// Times [µs], each with its ride.
    private static let log: [(at: Int64, ride: UInt64)] = [
        (0, 1), (0, 2), (1500, 1), (400_000, 1), (2_000_000, 2), (2_000_001, 1), (61_000_000, 1),
    ]

    private static func replay(
        _ log: [(at: Int64, ride: UInt64)] = log,
        speed: Double = 1,
        seed: UInt64 = 1,
        limit: TimeSpan? = nil
    ) throws -> PushReplay {
        var builder = try PushReplayBuilder(speed: speed, seed: seed, limit: limit)
        for (number, push) in log.enumerated() {
            try builder.add(
                at: push.at,
                ride: push.ride,
                kind: number == 0 ? .start : .update,
                priority: number == 1 ? 5 : 10,
                payloadBytes: number == 2 ? 900 : nil
            )
        }
        return try builder.finish()
    }

    private static func pushes(_ replay: PushReplay) -> [ReplayPush] {
        (0..<replay.count).compactMap { replay.push($0) }
    }

    @Test("Pushes keep their times, kinds, priorities and lengths, and a ride its one number")
    func pushes() throws {
        let replay = try Self.replay()
        let pushes = Self.pushes(replay)
        #expect(pushes.map(\.at) == Self.log.map(\.at) && replay.push(pushes.count) == nil)
        #expect(pushes.map(\.kind) == [.start] + Array(repeating: .update, count: 6))
        #expect(pushes.map(\.priority) == [10, 5, 10, 10, 10, 10, 10])
        #expect(pushes.map(\.payloadBytes) == [0, 0, 900, 0, 0, 0, 0])
        let numbers = pushes.map(\.ride)
        #expect(Set(numbers).count == 2 && numbers[0] == numbers[2] && numbers[1] == numbers[4])
        #expect(numbers.allSatisfy { $0 > 2 && $0 < 1 << 63 })
        let others = Self.pushes(try Self.replay(seed: 2)).map(\.ride)
        #expect(Set(others).isDisjoint(with: numbers))
        #expect(replay.failure == nil)
    }

    @Test("Due times are the log's, divided by the speed", arguments: [1, 10, 0.5])
    func dueTimes(speed: Double) throws {
        let replay = try Self.replay(speed: speed)
        var arrivals = ArrivalTimes(replay)
        var dues: [Int64] = []
        while let due = arrivals.next() { dues.append(due) }
        #expect(dues == Self.log.map { Int64(Double($0.at) * 1000 / speed) })
        #expect(arrivals.next() == nil)
    }

    @Test("Each push is made at its due time by one of all lanes, and a load ends with the last", arguments: [1, 2, 3])
    func lanes(count: Int) throws {
        let loop = EmbeddedEventLoop()
        let schedule = LoadSchedule(.replay(try Self.replay(speed: 10)))
        let targets = (0..<count).map { _ in Target() }
        let begin = loop.now
        let lanes = targets.enumerated()
            .map { index, target in
                let lane = LoadLane(schedule, target, on: loop, index: index, of: count)
                lane.start(at: begin, unixMicroseconds: 0)
                return lane
            }
        loop.advanceTime(by: .milliseconds(6099))
        #expect(!lanes.allSatisfy { $0.isDone })
        loop.advanceTime(by: .milliseconds(2))
        #expect(lanes.allSatisfy { $0.isDone })
        let requests = targets.flatMap(\.requests).sorted { $0.arrival < $1.arrival }
        #expect(requests.map(\.arrival) == Array(0..<7))
        #expect(requests.map { ($0.due - begin).nanoseconds } == Self.log.map { $0.at * 100 })
        // A lane gathers what is due within 0.1 ms.
        #expect(requests.allSatisfy { ($0.now - $0.due).nanoseconds <= 100_000 })
    }

    @Test(
        "The plan has the log's number of pushes in each second and ends with the second of the last, or at the limit"
    )
    func plan() throws {
        let plan = try Self.replay().plan
        #expect(plan.total == 7 && plan.duration == .seconds(62))
        #expect(plan.dueCount(at: 999_999_999) == 4 && plan.dueCount(at: 1_999_999_999) == 4)
        #expect(plan.dueCount(at: 2_999_999_999) == 6 && plan.dueCount(at: 61_999_999_999) == 7)
        #expect(plan.dueCount(at: 999_999) == 2 && plan.dueCount(at: 1_999_999) == 3)
        let cut = try Self.replay(Array(Self.log.prefix(6)), limit: .seconds(10)).plan
        #expect(cut.total == 6 && cut.duration == .seconds(3))
        let short = try Self.replay(Array(Self.log.prefix(3)), limit: .milliseconds(2)).plan
        #expect(short.total == 3 && short.duration == .milliseconds(2))
        #expect(try Self.replay([(0, 1)]).plan.duration == .seconds(1))
        // A week has steps of ten seconds, within which ten pushes in one second count as evenly spaced.
        let week = (0..<604_800)
            .map { (number: Int) -> (at: Int64, ride: UInt64) in
                let (ten, rest) = number.quotientAndRemainder(dividingBy: 10)
                return (Int64(ten) * 10_000_000 + Int64(rest) * 100_000, 1)
            }
        let long = try Self.replay(week).plan
        #expect(long.total == 604_800 && long.dueCount(at: 99_999_999_999) == 100)
        #expect(long.dueCount(at: 90_000_000_000) == 91 && long.dueCount(at: 94_999_999_999) == 95)
        // Up to 55 hours, each second has its own number.
        let days = try Self.replay(Array(week.prefix(190_000))).plan
        #expect(days.dueCount(at: 90_999_999_999) == 100 && days.dueCount(at: 89_999_999_999) == 90)
    }

    @Test("Timestamps of a ride rise by a second from push to push; other rides keep the clock's")
    func stamps() throws {
        let replay = try Self.replay()
        #expect(Self.pushes(replay).map(\.stamp) == [0, 0, 1, 2, 2, 3, 61])
        #expect(replay.longestLead == .seconds(2))
        let fast = try Self.replay(speed: 10)
        #expect(Self.pushes(fast).map(\.stamp) == [0, 0, 1, 2, 1, 3, 6] && fast.longestLead == .seconds(3))
        // Many rides: the last timestamps that are in the past are forgotten, the others are not.
        let many = (0..<200_000).map { (at: Int64($0) * 10, ride: UInt64($0 % 100_000)) }
        let stamps = Self.pushes(try Self.replay(many)).map(\.stamp)
        #expect(stamps.prefix(100_000).allSatisfy { $0 == 0 } && stamps.suffix(100_000).allSatisfy { $0 == 1 })
    }

    @Test("A replay that takes longer than a load can is refused")
    func tooLong() throws {
        #expect(throws: PushReplayBuilder.Failure.tooLong(speed: 0.001)) {
            try Self.replay([(0, 1), (400_000_000_000_000, 1)], speed: 0.001)
        }
    }
}
