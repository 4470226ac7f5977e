import LiveActivityModel
import Statistics
import Testing

@testable import Traces

@Suite("Digests event logs")
struct LogDigestTests {
    private static let second: Int64 = 1_000_000

    /// A ride of one stage with a token after 2 s, updates at 10 s and 40 s, and its end at 100 s.
    private static func ride(_ digest: inout LogDigest) {
        func event(_ kind: LogEvent.Kind, _ at: Int64, _ change: (inout LogEvent) -> Void = { _ in }) {
            var event = LogEvent(kind, at: at * second, ride: 1)
            change(&event)
            digest.add(event)
        }
        event(.rideRequested, 0)
        event(.stage, 0)
        event(.activityStarted, 1)
        event(.tokenPosted, 3)
        for (number, at) in [Int64(10), 40].enumerated() {
            event(.push, at) {
                $0.push = UInt64(number + 1)
                ($0.generatedAt, $0.staleDate) = (at * second, (at + 20) * second)
            }
            event(.answer, at + 1) {
                $0.push = UInt64(number + 1)
                $0.status = 200
            }
        }
        event(.rideEnded, 100)
        digest.finish()
    }

    @Test("Times between events, and the belief in freshness, of a ride known by hand")
    func byHand() {
        var digest = LogDigest(origin: 0, freshLimit: 5 * Self.second)
        Self.ride(&digest)
        #expect(digest.rides.elements.map(\.stages.first?.length) == [100 * Self.second])
        #expect(digest.startDelays.elements == [.init(at: 0, time: Self.second, isEvent: true)])
        #expect(digest.tokenDelays.elements.map(\.value) == [2 * Self.second])
        #expect(digest.ttls.elements == [20 * Self.second, 20 * Self.second])
        #expect(digest.latencies.elements.map(\.value) == [Self.second, Self.second])
        // From the token to the end of the ride.
        #expect(digest.bins.reduce(0) { $0 + $1.watched } == 97_000_000)
        // Each content counts from its acceptance to five seconds past its stale date: 11 … 35 s and 41 … 65 s.
        #expect(digest.bins.reduce(0) { $0 + $1.fresh } == 48_000_000)
        #expect(digest.peakInFlight == 1)
    }

    @Test("A refresh that the end of a stage cuts off is an observation without an event")
    func cut() {
        var digest = LogDigest(origin: 0)
        Self.ride(&digest)
        // The app started with content of the first stage, so the first refresh counts from the beginning of the stage.
        let first = LogDigest.Timing(at: 0, time: 10 * Self.second, isEvent: true)
        let next = LogDigest.Timing(at: 10 * Self.second, time: 30 * Self.second, isEvent: true)
        let last = LogDigest.Timing(at: 40 * Self.second, time: 60 * Self.second, isEvent: false)
        #expect(digest.firstRefreshes[0]?.elements == [first])
        #expect(digest.refreshes[0]?.elements == [next, last])
    }

    @Test("An update that a server sends when it receives a token is no refresh")
    func afterToken() {
        var digest = LogDigest()
        digest.add(LogEvent(.rideRequested, at: 0, ride: 1))
        digest.add(LogEvent(.stage, at: 0, ride: 1))
        digest.add(LogEvent(.activityStarted, at: Self.second, ride: 1))
        digest.add(LogEvent(.tokenPosted, at: 3 * Self.second, ride: 1))
        for at in [3 * Self.second + 10_000, 33 * Self.second, 63 * Self.second] {
            digest.add(LogEvent(.push, at: at, ride: 1))
        }
        digest.finish()
        #expect(digest.firstRefreshes[0] == nil)
        #expect(
            digest.refreshes[0]?.elements.first == .init(at: 33 * Self.second, time: 30 * Self.second, isEvent: true)
        )
    }

    @Test("A refresh that a stage change cuts off is an observation of the stage that ends")
    func cutByStage() {
        var digest = LogDigest(origin: 0)
        var events = [LogEvent(.rideRequested, at: 0, ride: 1), LogEvent(.stage, at: 0, ride: 1)]
        for at in [Int64(10), 20, 35] { events.append(LogEvent(.push, at: at * Self.second, ride: 1)) }
        var next = LogEvent(.stage, at: 42 * Self.second, ride: 1)
        next.stage = 1
        events.append(next)
        for event in events { digest.add(event) }
        // The first update comes long after the beginning of the stage, so it is not known since when it was awaited.
        let expected = [(20, 15, true), (35, 7, false)]
            .map { LogDigest.Timing(at: $0.0 * Self.second, time: $0.1 * Self.second, isEvent: $0.2) }
        #expect(digest.refreshes[0]?.elements == expected)
        #expect(digest.refreshes[1] == nil)
    }

    @Test("A repeated row counts once, and an answer without a push is noted")
    func repeated() {
        var digest = LogDigest()
        var request = LogEvent(.rideRequested, at: 0, ride: 1)
        digest.add(request)
        digest.add(request)
        request = LogEvent(.answer, at: 5, ride: 1)
        request.push = 9
        digest.add(request)
        digest.finish()
        #expect(digest.bins.reduce(0) { $0 + $1.requests } == 1)
        #expect(digest.findings.map(\.finding) == [.duplicate, .answerWithoutPush, .openAtEnd])
    }

    @Test(
        "A start by a clock that is behind counts from the request, and a clock that is ahead does not lengthen the log"
    )
    func startFirst() {
        var digest = LogDigest()
        digest.add(LogEvent(.rideRequested, at: 0, ride: 2))
        digest.add(LogEvent(.activityStarted, at: Self.second, ride: 1))
        digest.add(LogEvent(.rideRequested, at: 3 * Self.second, ride: 1))
        digest.add(LogEvent(.tokenPosted, at: 5 * Self.second, ride: 1))
        digest.add(LogEvent(.activityStarted, at: 400 * Self.second, ride: 2))
        #expect(digest.startDelays.elements.map(\.time) == [0, 400 * Self.second])
        #expect(digest.tokenDelays.elements.map(\.value) == [2 * Self.second])
        #expect(digest.end == 5 * Self.second)
        #expect(digest.findings.map(\.finding) == [.startFirst])
    }

    @Test("Content without a stale date, or before it, gives no time from the stale date to an end")
    func noStaleDate() {
        var digest = LogDigest()
        digest.add(LogEvent(.rideRequested, at: 0, ride: 1))
        digest.add(LogEvent(.tokenPosted, at: 0, ride: 1))
        for (at, stale) in [(Int64(1), LogEvent.none), (2, 100 * Self.second)] {
            var push = LogEvent(.push, at: at * Self.second, ride: 1)
            (push.push, push.staleDate) = (UInt64(at), stale)
            digest.add(push)
            var answer = LogEvent(.answer, at: at * Self.second + 1, ride: 1)
            (answer.push, answer.status) = (UInt64(at), 200)
            digest.add(answer)
            for kind in [StoryLine.PushKind.retry, .end] {
                var push = LogEvent(.push, at: at * Self.second + 2, ride: 1)
                (push.push, push.pushKind) = (UInt64(at) + 10 + UInt64(kind.rawValue), kind)
                digest.add(push)
            }
        }
        #expect(digest.severeDelays.count == 0 && digest.retryDelays.count == 0)
    }

    /// Adds a request without an id, and its answer if it came.
    private static func push(_ digest: inout LogDigest, at: Int64, answeredAt answer: Int64? = nil, fields: UInt64 = 1)
    {
        var push = LogEvent(.push, at: at, ride: 1)
        push.fields = fields
        digest.add(push)
        guard let answer else { return }
        var row = LogEvent(.answer, at: answer, ride: 1)
        (row.status, row.fields) = (200, fields)
        digest.add(row)
    }

    @Test("An answer without an id belongs to the only request in flight; of several, to the earliest, and is counted")
    func answersWithoutID() {
        var digest = LogDigest()
        digest.add(LogEvent(.rideRequested, at: 0, ride: 1))
        Self.push(&digest, at: 10, answeredAt: 15)
        #expect(digest.findings.map(\.finding) == [])
        Self.push(&digest, at: 100)
        Self.push(&digest, at: 130, answeredAt: 150, fields: 2)
        #expect(digest.latencies.elements.map(\.value) == [5, 50])
        #expect(digest.findings.map(\.finding) == [.answerUncertain])
    }

    @Test("The answer to a request without an id does not count for an earlier one whose answer is missing")
    func missingAnswer() {
        var digest = LogDigest()
        digest.add(LogEvent(.rideRequested, at: 0, ride: 1))
        for number in 1...Int64(20) {
            Self.push(&digest, at: number * Self.second, answeredAt: number * Self.second + 100)
        }
        Self.push(&digest, at: 30 * Self.second)
        Self.push(&digest, at: 60 * Self.second, answeredAt: 60 * Self.second + 120)
        #expect(digest.latencies.elements.last?.value == 120)
    }

    @Test("Rows without an id are repeated only if all their fields are equal, and are counted apart")
    func repeatedWithoutID() {
        var digest = LogDigest()
        digest.add(LogEvent(.rideRequested, at: 0, ride: 1))
        for fields in [UInt64(1), 2, 1] { Self.push(&digest, at: 10, fields: fields) }
        #expect(digest.bins[0].pushes == 2)
        #expect(digest.findings.map(\.finding) == [.duplicateWithoutID])
    }

    @Test(
        "The step of the times is a second, a millisecond or a microsecond",
        arguments: zip([3_000_000, 3_002_000, 3_002_001], [Int64(1_000_000), 1000, 1])
    )
    func resolution(at: Int64, step: Int64) {
        var digest = LogDigest()
        digest.add(LogEvent(.rideRequested, at: 0, ride: 1))
        digest.add(LogEvent(.push, at: at, ride: 1))
        #expect(digest.resolution == step)
    }

    @Test("Finer times of apps and rides do not make the sender's whole seconds finer")
    func resolutionOfOthers() {
        var digest = LogDigest()
        digest.add(LogEvent(.rideRequested, at: 1_002_003, ride: 1))
        digest.add(LogEvent(.activityStarted, at: 1_500_000, ride: 1))
        digest.add(LogEvent(.push, at: 2 * Self.second, ride: 1))
        digest.add(LogEvent(.shown, at: 2_001_000, ride: 1))
        #expect(digest.resolution == Self.second)
    }

    @Test(
        "In a log with starts, a token whose start is missing gives no delay; in a log without, delays count from the request",
        arguments: [true, false]
    )
    func tokenWithoutStart(hasStarts: Bool) {
        var digest = LogDigest(origin: 0)
        for ride in [UInt64(1), 2] {
            digest.add(LogEvent(.rideRequested, at: 0, ride: ride))
            if hasStarts, ride == 2 { digest.add(LogEvent(.activityStarted, at: 7 * Self.second, ride: ride)) }
            digest.add(LogEvent(.tokenPosted, at: 9 * Self.second, ride: ride))
        }
        digest.finish()
        let expected = hasStarts ? [2 * Self.second] : [9 * Self.second, 9 * Self.second]
        #expect(digest.tokenDelays.elements.map(\.value) == expected)
        #expect(digest.tokenDelayOutcomes.elements.map(\.time) == expected)
        #expect(digest.bins.reduce(0) { $0 + $1.tokens } == 2)
    }

    @Test("Content counts as stale after the assumed time, if a log has no stale dates")
    func assumedTTL() {
        func fresh(_ ttl: Int64?) -> Int {
            var digest = LogDigest(freshLimit: 5 * Self.second, assumedTTL: ttl)
            digest.add(LogEvent(.rideRequested, at: 0, ride: 1))
            digest.add(LogEvent(.tokenPosted, at: 0, ride: 1))
            Self.push(&digest, at: 10 * Self.second, answeredAt: 11 * Self.second)
            digest.add(LogEvent(.rideEnded, at: 100 * Self.second, ride: 1))
            digest.finish()
            return digest.bins.reduce(0) { $0 + $1.fresh }
        }
        // From the acceptance to 5 s past 30 s after the push; without a stale date to the end of the ride.
        #expect(fresh(30 * Self.second) == 34_000_000)
        #expect(fresh(nil) == 89_000_000)
    }

    @Test(
        "Content with which an app starts counts as fresh until its stale date, if the log states it and both sides count it",
        arguments: [(Int64(40), true, 42), (nil, true, 0), (40, false, 0), (1, true, 3)]
    )
    func initialContent(stale: Int64?, counts: Bool, seconds: Int) {
        let own = LogDigest(origin: 0, freshLimit: 5 * Self.second)
        let compared = LogDigest(
            simulatedFrom: 0,
            to: 100 * Self.second,
            freshLimit: 5 * Self.second,
            resolution: 1,
            binLength: 5 * Self.second,
            countsInitialContent: counts
        )
        for var digest in counts ? [own, compared] : [compared] {
            digest.add(LogEvent(.rideRequested, at: 0, ride: 1))
            var start = LogEvent(.activityStarted, at: Self.second, ride: 1)
            if let stale { start.staleDate = stale * Self.second }
            digest.add(start)
            digest.add(LogEvent(.tokenPosted, at: 3 * Self.second, ride: 1))
            digest.add(LogEvent(.rideEnded, at: 100 * Self.second, ride: 1))
            digest.finish()
            // From the token to five seconds past the stale date.
            #expect(digest.bins.reduce(0) { $0 + $1.fresh } == seconds * 1_000_000)
            #expect(digest.bins.reduce(0) { $0 + $1.watched } == 97_000_000)
            #expect(digest.statesInitialContent == (stale != nil && counts))
        }
    }

    @Test(
        "An end that an app reports after its initial content is stale counts as one, until APNs has accepted other content"
    )
    func endOfInitialContent() {
        for hasPush in [false, true] {
            var digest = LogDigest(freshLimit: 5 * Self.second)
            digest.add(LogEvent(.rideRequested, at: 0, ride: 1))
            var start = LogEvent(.activityStarted, at: Self.second, ride: 1)
            start.staleDate = 10 * Self.second
            digest.add(start)
            digest.add(LogEvent(.tokenPosted, at: 3 * Self.second, ride: 1))
            if hasPush {
                var push = LogEvent(.push, at: 4 * Self.second, ride: 1)
                (push.push, push.staleDate) = (1, 12 * Self.second)
                digest.add(push)
                var answer = LogEvent(.answer, at: 5 * Self.second, ride: 1)
                (answer.push, answer.status) = (1, 200)
                digest.add(answer)
            }
            digest.add(LogEvent(.activityEnded, at: 100 * Self.second, ride: 1))
            #expect((digest.initialEnds.elements + digest.earlyEnds.elements).map(\.isEvent) == [!hasPush])
        }
    }

    @Test("A token is answered if an update follows at once, although the stage is shown already")
    func tokensAnswered() {
        for (delay, answered) in [(Int64(100), 1), (600_000, 0)] {
            var digest = LogDigest()
            digest.add(LogEvent(.rideRequested, at: 0, ride: 1))
            digest.add(LogEvent(.stage, at: 0, ride: 1))
            digest.add(LogEvent(.activityStarted, at: Self.second, ride: 1))
            digest.add(LogEvent(.tokenPosted, at: 3 * Self.second, ride: 1))
            Self.push(&digest, at: 3 * Self.second + delay)
            #expect(digest.tokensReceived == 1 && digest.tokensAnswered == answered)
        }
    }

    @Test("The first attempt to recover an activity without an update counts from its start")
    func firstRetry() {
        var digest = LogDigest()
        digest.add(LogEvent(.rideRequested, at: 0, ride: 1))
        digest.add(LogEvent(.activityStarted, at: Self.second, ride: 1))
        digest.add(LogEvent(.tokenPosted, at: 2 * Self.second, ride: 1))
        var retry = LogEvent(.push, at: 181 * Self.second, ride: 1)
        (retry.push, retry.pushKind) = (1, .retry)
        digest.add(retry)
        #expect(digest.firstRetryDelays.elements == [180 * Self.second])
        #expect(digest.retryDelays.count == 0)
    }

    @Test("An interval covers its bins, whole or in part")
    func occupancy() {
        var occupancy = LogDigest.Occupancy(binLength: 5 * Self.second)
        occupancy.add(3_000_000, 16_000_000)
        occupancy.add(6_000_000, 7_000_000)
        occupancy.add(9_000_000, 9_000_000)
        #expect(occupancy.times == [2_000_000, 6_000_000, 5_000_000, 1_000_000])
    }

    @Test("A simulated log has the same bins as a recorded one, whatever the order of its rides")
    func simulated() {
        func events(ofRide ride: UInt64, from start: Int64) -> [LogEvent] {
            var events = [
                LogEvent(.rideRequested, at: start, ride: ride), LogEvent(.tokenPosted, at: start + 7, ride: ride),
            ]
            for at in [start + 20 * Self.second, start + 50 * Self.second] {
                var push = LogEvent(.push, at: at, ride: ride)
                (push.push, push.staleDate) = (UInt64(at), at + 15 * Self.second)
                var answer = LogEvent(.answer, at: at + 200, ride: ride)
                (answer.push, answer.status) = (UInt64(at), 200)
                events += [push, answer]
            }
            return events + [LogEvent(.rideEnded, at: start + 100 * Self.second, ride: ride)]
        }
        let rides = (0..<5).map { events(ofRide: UInt64($0) + 1, from: Int64($0) * 13 * Self.second) }
        var recorded = LogDigest(origin: 0)
        for event in rides.flatMap({ $0 }).sorted(by: { $0.at < $1.at }) { recorded.add(event) }
        recorded.finish()
        var simulated = LogDigest(
            simulatedFrom: 0,
            to: recorded.end,
            freshLimit: 60 * Self.second,
            resolution: 1,
            binLength: 5 * Self.second
        )
        for event in rides.reversed().flatMap({ $0 }) { simulated.add(event) }
        simulated.finish()
        func compared(_ digest: LogDigest) -> [[Int]] {
            digest.bins.map { [$0.requests, $0.pushes, $0.accepted, $0.watched, $0.fresh, $0.scaledLogLatency] }
        }
        #expect(compared(recorded) == compared(simulated))
        #expect(recorded.bins.reduce(0) { $0 + $1.fresh } > 0)
    }

    @Test("A ride without a request in the log began before it")
    func begun() {
        var digest = LogDigest()
        digest.add(LogEvent(.stage, at: 0, ride: 1))
        digest.add(LogEvent(.rideEnded, at: 50, ride: 1))
        digest.finish()
        #expect(digest.findings.map(\.finding) == [.beganBefore])
        #expect(digest.rides.count == 0)
    }

    @Test("A sample of a stream is bounded, uniform and always the same")
    func reservoir() {
        func sample() -> Reservoir<Int64> {
            var reservoir = Reservoir<Int64>(capacity: 1000)
            for number in 0..<100_000 { reservoir.add(Int64(number)) }
            return reservoir
        }
        let one = sample()
        #expect(one.elements.count == 1000 && one.count == 100_000)
        #expect(one.elements == sample().elements)
        let mean = Double(one.elements.reduce(0, +)) / 1000
        // The standard error of the mean is 913.
        #expect(abs(mean - 50_000) < 3000)
    }
}
