import LiveActivityModel
import Statistics
import Testing

@testable import Traces

/// The log of two hours: a ride every 12 s with one stage, a token, and an update every 10 s until its end after about 8 minutes.
private struct MadeUpDay {
    static let second: Int64 = 1_000_000
    private static let ttl = 60 * second
    /// The end of the day.
    static let length = 7200 * second

    /// The status and the reason of the answer to a request; 0 for none.
    var answer: (_ at: Int64, _ number: UInt64) -> (status: Int, reason: Int) = { _, _ in (200, 0) }
    var tokenDelay: (_ at: Int64) -> Int64 = { _ in 2 * second }
    /// The time from content to its first request, by the clock of the request's host.
    var wait: (_ at: Int64, _ ride: UInt64) -> Int64 = { _, _ in 0 }
    /// `true` for one of ten rides.
    var isSparse = false
    /// The times in which the sender begins nothing.
    var pause: Range<Int64> = 0..<0
    /// `true` for an update every 100 s alone, so that the monitor has to recover activities 20 s after their stale dates.
    var isMonitored = false
    /// The times in which the monitor attempts nothing; `holdsEnds` if it also sends no end.
    var monitorPause: Range<Int64> = 0..<0
    var holdsEnds = false

    private func draw(_ ride: UInt64, _ index: UInt64, below: Int64) -> Int64 {
        var state = (ride &* 1000 &+ index) &* 0x9E37_79B9_7F4A_7C15
        state = (state ^ state >> 31) &* 0xBF58_476D_1CE4_E5B9
        return Int64((state ^ state >> 29) % UInt64(below))
    }

    private func events(ofRide ride: UInt64) -> [LogEvent] {
        let second = Self.second
        let start = Int64(ride) * 12 * second + draw(ride, 0, below: 6 * second)
        let end = start + 480 * second + draw(ride, 1, below: 120 * second)
        var events = [
            LogEvent(.rideRequested, at: start, ride: ride), LogEvent(.stage, at: start, ride: ride),
            LogEvent(.activityStarted, at: start + second, ride: ride), LogEvent(.rideEnded, at: end, ride: ride),
        ]
        let token = start + second + tokenDelay(start) + draw(ride, 2, below: second)
        guard token < end else { return events }
        events.append(LogEvent(.tokenPosted, at: token, ride: ride))
        var number: UInt64 = 0
        func send(_ kind: StoryLine.PushKind, _ content: Int64) -> Int {
            number += 1
            let id = ride * 1000 + number
            let (status, reason) = answer(content, id)
            var push = LogEvent(.push, at: content + (kind == .update ? wait(content, ride) : 0), ride: ride)
            (push.push, push.pushKind) = (id, kind)
            (push.generatedAt, push.staleDate) = (content, content + Self.ttl)
            var response = LogEvent(.answer, at: push.at + (status == 0 ? 8 * second : 100_000), ride: ride)
            (response.push, response.status, response.reason) = (id, status, reason)
            events += [push, response]
            return status
        }
        guard !isMonitored else {
            for at in stride(from: token, to: end, by: Int(100 * second)) {
                _ = send(.update, at)
                let due = at + Self.ttl + 20 * second
                let scan =
                    (monitorPause.contains(due) ? monitorPause.upperBound : due) + draw(ride, 3, below: 5 * second)
                if scan < min(at + 100 * second, end) { _ = send(.retry, scan) }
            }
            _ = send(.end, holdsEnds && monitorPause.contains(end) ? monitorPause.upperBound : end)
            return events
        }
        // The monitor ends an activity four minutes after its last accepted content, and then no update is sent.
        var (last, hasGivenUp) = (start, false)
        for at in stride(from: token, to: end, by: Int(10 * second)) where !pause.contains(at) && !hasGivenUp {
            if at - last > 240 * second {
                hasGivenUp = true
                _ = send(.end, at)
            } else if send(.update, at) == 200 {
                last = at
            }
        }
        if !hasGivenUp { _ = send(.end, end) }
        return events
    }

    var digest: LogDigest {
        var digest = LogDigest(origin: 0)
        let events = stride(from: UInt64(1), to: 540, by: isSparse ? 10 : 1).flatMap(events(ofRide:))
            .sorted { ($0.at, $0.ride, $0.push) < ($1.at, $1.ride, $1.push) }
        for event in events where event.at < Self.length { digest.add(event) }
        digest.finish()
        return digest
    }

    var calibration: LogCalibration {
        LogCalibration(
            digest,
            cleaning: LogCleaning(),
            stages: ["ride"],
            reasons: ["", "TooManyRequests", "ExpiredProviderToken"],
            name: "day"
        )
    }
}

@Suite("Finds incidents in event logs")
struct LogIncidentsTests {
    private static let second = MadeUpDay.second
    private static let silence = 3607_300_000..<Int64(4_322_900_000)

    /// Returns `true` for a share of the requests.
    private static func happens(_ share: Double, _ number: UInt64) -> Bool {
        Double((number &* 0x9E37_79B9_7F4A_7C15) >> 40) < share * 16_777_216
    }

    private static func day(silentIn silence: Range<Int64>) -> MadeUpDay {
        var day = MadeUpDay()
        day.answer = { at, _ in silence.contains(at) ? (0, 0) : (200, 0) }
        return day
    }

    @Test("A silence in which the monitor gives up activities is one incident: later, fewer updates and ends are due")
    func silence() {
        let incidents = LogIncidents(Self.day(silentIn: Self.silence).digest).incidents
        #expect(incidents.map(\.kind) == [.apnsSilent])
    }

    @Test("A sender that pauses is found while APNs answers")
    func pause() {
        var day = MadeUpDay()
        day.pause = Self.silence
        let incidents = LogIncidents(day.digest).incidents
        #expect(incidents.map(\.kind) == [.senderPaused])
        #expect(incidents.allSatisfy { $0.beginning.contains(Self.silence.lowerBound) })
        #expect(incidents.allSatisfy { $0.ending.contains(Self.silence.upperBound) })
    }

    @Test(
        "A monitor that attempts nothing is found by what was due, also if the ends of rides go on; a silence of APNs is none",
        arguments: [(true, false), (true, true), (false, false)]
    )
    func monitorPause(pauses: Bool, holdsEnds: Bool) {
        var day = pauses ? MadeUpDay() : Self.day(silentIn: Self.silence)
        day.isMonitored = true
        day.holdsEnds = holdsEnds
        if pauses { day.monitorPause = Self.silence }
        let incidents = LogIncidents(day.digest).incidents
        #expect(incidents.map(\.kind) == [pauses ? .monitorPaused : .apnsSilent])
        #expect(incidents.map(\.endsGoOn) == [pauses && !holdsEnds])
        #expect(day.calibration.yaml.contains("the log's ends of rides went on") == (pauses && !holdsEnds))
        for incident in incidents where pauses {
            #expect(abs(incident.from - Self.silence.lowerBound) < 20 * Self.second, "\(incident)")
            #expect(abs(incident.until - Self.silence.upperBound) < 20 * Self.second, "\(incident)")
        }
    }

    @Test("The intervals of bounds hold the truth at any place in a bin", arguments: 0..<5)
    func bounds(offset: Int64) {
        let shift = offset * Self.second
        let silence = Self.silence.lowerBound + shift..<Self.silence.upperBound + shift
        let incidents = LogIncidents(Self.day(silentIn: silence).digest).incidents
        #expect(incidents.count == 1)
        #expect(incidents.allSatisfy { $0.beginning.contains(silence.lowerBound) })
        #expect(incidents.allSatisfy { $0.ending.contains(silence.upperBound) })
    }

    @Test("The share of a reason is one of the requests with an answer, and a burst of it is an incident")
    func refusals() {
        let burst = 1_500 * Self.second..<2_400 * Self.second
        let answer = { (at: Int64, number: UInt64) -> (status: Int, reason: Int) in
            if Self.silence.contains(at) { return (0, 0) }
            return Self.happens(1 / (burst.contains(at) ? 3.0 : 100), number) ? (429, 1) : (200, 0)
        }
        var day = MadeUpDay()
        day.answer = answer
        let calibration = day.calibration
        let incidents = calibration.incidents.incidents
        #expect(incidents.map(\.kind) == [.apnsUnavailable, .apnsSilent])
        #expect(
            incidents.first.map { $0.beginning.contains(burst.lowerBound) && $0.ending.contains(burst.upperBound) }
                == true
        )
        #expect(incidents.first?.sizeInterval?.contains(1 / 3.0) == true)
        #expect(calibration.yaml.contains("the answers are 429 TooManyRequests"))
        let value = calibration.values.first { $0.key == "apns.reasons.TooManyRequests" }
        #expect(value?.interval?.contains(0.01) == true)
        let answered = calibration.digest.bins.enumerated()
            .filter { !calibration.incidents.cover(Int64($0.offset) * 5 * Self.second, [.apnsUnavailable]) }
            .reduce(0) { $0 + $1.element.accepted + $1.element.unavailable + $1.element.rejected }
        #expect(value?.count == answered)
    }

    @Test("Rejections that are rare all day are no incident, although a bin has few requests")
    func rareRefusals() {
        var day = MadeUpDay()
        day.answer = { _, number in Self.happens(0.01, number) ? (429, 1) : (200, 0) }
        day.isSparse = true
        #expect(LogIncidents(day.digest).incidents.isEmpty)
    }

    @Test("A stretch of rejections for which no fault exists is stated, and left out of the usual share")
    func otherRefusals() {
        var day = MadeUpDay()
        day.answer = { at, number in
            Self.happens(Self.silence.contains(at) ? 0.5 : 0.005, number) ? (403, 2) : (200, 0)
        }
        let calibration = day.calibration
        #expect(calibration.incidents.incidents.isEmpty)
        #expect(calibration.findings.count == 1)
        #expect(calibration.findings.first?.contains("were rejected with 403 ExpiredProviderToken") == true)
        let value = calibration.values.first { $0.key == "apns.reasons.ExpiredProviderToken" }
        #expect(value?.interval?.contains(0.005) == true)
    }

    @Test("Tokens that come late for a while are stated, and left out of usual delays")
    func lateTokens() {
        var day = MadeUpDay()
        day.tokenDelay = { at in Self.silence.contains(at) ? 150 * Self.second : 2 * Self.second }
        let calibration = day.calibration
        #expect(calibration.incidents.incidents.isEmpty)
        #expect(calibration.findings.count == 1)
        #expect(calibration.findings.first?.contains("came late") == true)
        #expect(calibration.yaml.contains("# tokens of activities that started"))
        #expect(calibration.usualTokenDelays.allSatisfy { $0.time < 4 * Self.second })
    }

    @Test("A clock that differs by a fixed time is stated, and is no full sender", arguments: [Int64(4), -4])
    func clocks(offset: Int64) {
        var day = MadeUpDay()
        day.wait = { _, ride in ride % 5 == 0 ? offset * Self.second : 0 }
        let calibration = day.calibration
        #expect(!calibration.yaml.contains("the sender was full"))
        #expect(calibration.findings.count == 1)
        #expect(calibration.findings.first?.contains("4s \(offset < 0 ? "before" : "after") their content") == true)
    }

    @Test("A sender is full if content waits while most of its requests are in flight", arguments: [true, false])
    func fullSender(isFull: Bool) {
        var digest = LogDigest(origin: 0)
        digest.add(LogEvent(.rideRequested, at: 0, ride: 1))
        digest.add(LogEvent(.tokenPosted, at: 0, ride: 1))
        // Groups of ten updates; three requests at a time, and the others wait; or all wait, one after the other.
        for group in Int64(1)...40 {
            for place in Int64(0)..<10 {
                let content = group * 20 * Self.second
                let step = isFull ? place / 3 : place + 1
                var push = LogEvent(.push, at: content + step * 200_000 + place % 3, ride: 1)
                (push.push, push.generatedAt) = (UInt64(group * 100 + place), content + place)
                push.staleDate = content + 60 * Self.second
                var answer = LogEvent(.answer, at: push.at + 190_000, ride: 1)
                (answer.push, answer.status) = (push.push, 200)
                digest.add(push)
                if isFull, place % 3 < 2, place < 9 { continue }
                for earlier in stride(from: isFull ? min(2, place % 3) : 0, through: 0, by: -1) {
                    answer.push = push.push - UInt64(earlier)
                    answer.at += 1
                    digest.add(answer)
                }
            }
        }
        // Once, three requests were in flight.
        if !isFull {
            for number in UInt64(1)...3 {
                var push = LogEvent(.push, at: 900 * Self.second + Int64(number), ride: 1)
                (push.push, push.pushKind) = (number, .retry)
                digest.add(push)
            }
        }
        digest.finish()
        #expect(digest.peakInFlight == 3)
        let calibration = LogCalibration(digest, cleaning: LogCleaning(), stages: [], reasons: [], name: "full")
        #expect(calibration.yaml.contains("the sender was full") == isFull)
        #expect(calibration.yaml.contains("but not while most of the at most 3 requests were in flight") != isFull)
    }

    @Test("Repeated content is no wait, also if no row has the number of the attempt")
    func repeatedContent() {
        var digest = LogDigest(origin: 0)
        digest.add(LogEvent(.rideRequested, at: 0, ride: 1))
        for (id, at) in [(UInt64(1), Int64(10)), (2, 18), (3, 26)] {
            var push = LogEvent(.push, at: at * Self.second, ride: 1)
            (push.push, push.generatedAt) = (id, 10 * Self.second)
            digest.add(push)
        }
        #expect(digest.waits.elements.map(\.time) == [0])
        #expect(digest.bins.reduce(0) { $0 + $1.waits } == 1)
    }

    @Test("Content of an earlier stage that is sent after a wait is no refresh of the stage in which it is sent")
    func contentOfEarlierStage() {
        var digest = LogDigest(origin: 0)
        var events = [LogEvent(.rideRequested, at: 0, ride: 1), LogEvent(.stage, at: 0, ride: 1)]
        events.append(LogEvent(.tokenPosted, at: Self.second, ride: 1))
        var next = LogEvent(.stage, at: 40 * Self.second, ride: 1)
        next.stage = 1
        events.append(next)
        for (number, (content, at)) in [(Int64(10), Int64(10)), (40, 40), (38, 42)].enumerated() {
            var push = LogEvent(.push, at: at * Self.second, ride: 1)
            (push.push, push.generatedAt) = (UInt64(number + 1), content * Self.second)
            events.append(push)
        }
        for event in events.sorted(by: { $0.at < $1.at }) { digest.add(event) }
        digest.add(LogEvent(.rideEnded, at: 60 * Self.second, ride: 1))
        digest.finish()
        #expect(
            digest.firstRefreshes[1]?.elements == [.init(at: 40 * Self.second, time: 20 * Self.second, isEvent: false)]
        )
        #expect(digest.refreshes[1] == nil)
    }
}
