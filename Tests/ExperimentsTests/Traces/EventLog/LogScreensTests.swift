import LiveActivityModel
import Testing

@testable import Traces

@Suite("Reports of apps in event logs")
struct LogScreensTests {
    /// A push of an activity with times since the start of the ride [s].
    struct Push {
        var at: Double
        var kind = StoryLine.PushKind.update
        var priority = 10
        var content: Double
        var status = 200
        /// The time from the request to the screen; nil if the app reports nothing.
        var shown: Double? = 0.6
    }

    /// Rides of six updates, one each half a minute, which phones show after 0.6 s; the seventh ride can differ.
    private static func calibration(
        rides: Int = 40,
        token: Double? = nil,
        clock: (Int) -> Double = { _ in 0 },
        step: Int64 = 1,
        _ change: (inout [Push]) -> Void = { _ in }
    ) -> LogCalibration {
        var events: [LogEvent] = []
        for ride in 1...rides {
            func add(_ kind: LogEvent.Kind, _ at: Double, _ change: (inout LogEvent) -> Void = { _ in }) {
                let time = Int64(((Double(ride) * 1000 + at) * 1e6).rounded())
                var event = LogEvent(kind, at: time / step * step, ride: UInt64(ride))
                change(&event)
                events.append(event)
            }
            add(.rideRequested, 0)
            add(.stage, 0)
            add(.tokenPosted, 1)
            var pushes = (0..<6).map { Push(at: 30 + Double($0) * 30, content: 30 + Double($0) * 30) }
            if ride == 7 {
                change(&pushes)
                if let token { add(.tokenPosted, token) }
            }
            for (number, push) in pushes.enumerated() {
                let id = UInt64(ride * 100 + number)
                add(.push, push.at) {
                    ($0.push, $0.pushKind, $0.priority) = (id, push.kind, push.priority)
                    $0.generatedAt = Int64((Double(ride) * 1000 + push.content) * 1e6)
                }
                add(.answer, push.at + 0.1) { ($0.push, $0.status) = (id, push.status) }
                if let shown = push.shown { add(.shown, push.at + shown + clock(ride)) { $0.push = id } }
            }
            add(.rideEnded, 300)
        }
        var digest = LogDigest()
        for event in events.enumerated().sorted(by: { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }) {
            digest.add(event.element)
        }
        digest.finish()
        return LogCalibration(digest, cleaning: LogCleaning(), stages: ["trip"], reasons: [""], name: "x")
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let lost: Int
        let count: Int
        var token: Double?
        var change: @Sendable (inout [Push]) -> Void = { _ in }
    }

    @Test(
        "A push counts as lost only if nothing else can explain that it is not shown",
        arguments: [
            Case(testDescription: "all are shown", lost: 0, count: 159),
            Case(testDescription: "lost", lost: 1, count: 157) { $0[2].shown = nil },
            Case(testDescription: "two in a row: neither is known", lost: 0, count: 155) {
                ($0[2].shown, $0[3].shown) = (nil, nil)
            },
            Case(testDescription: "newer content of the app itself", lost: 0, count: 156) {
                for number in 0..<3 { $0[number].shown = nil }
            },
            Case(testDescription: "overtaken by the next", lost: 0, count: 156) {
                ($0[2].shown, $0[2].at, $0[2].content) = (nil, 119, 119)
            },
            Case(testDescription: "stored for a phone that is off, and replaced", lost: 0, count: 156) {
                ($0[2].shown, $0[3].shown) = (nil, 20)
            },
            Case(testDescription: "the old token", lost: 0, count: 156, token: 95) { $0[2].shown = nil },
            Case(testDescription: "a token before it", lost: 1, count: 157, token: 85) { $0[2].shown = nil },
            Case(testDescription: "no answer", lost: 0, count: 156) { ($0[2].shown, $0[2].status) = (nil, 0) },
            Case(testDescription: "rejected", lost: 0, count: 156) { ($0[2].shown, $0[2].status) = (nil, 410) },
            Case(testDescription: "the push before it had no answer, and this may repeat it", lost: 0, count: 156) {
                ($0[1].status, $0[2].shown) = (0, nil)
            },
            Case(testDescription: "the same content as before", lost: 0, count: 156) {
                ($0[2].shown, $0[2].content) = (nil, 60)
            },
            Case(testDescription: "older content than before", lost: 0, count: 156) {
                ($0[2].shown, $0[2].content) = (nil, 50)
            },
            Case(testDescription: "the end came next", lost: 0, count: 155) {
                $0[2].shown = nil
                ($0[3].kind, $0[3].shown) = (.end, nil)
                $0.removeLast(2)
            },
            Case(testDescription: "the last of all", lost: 0, count: 155) {
                $0[2].shown = nil
                $0.removeLast(3)
            },
            Case(testDescription: "another priority with few pushes", lost: 0, count: 156) {
                ($0[2].shown, $0[2].priority) = (nil, 5)
            },
        ]
    )
    func loss(_ example: Case) throws {
        let calibration = Self.calibration(token: example.token, example.change)
        let loss = try #require(calibration.values.first { $0.key == "apns.loss" })
        #expect(loss.count == example.count)
        #expect((loss.estimate * Double(loss.count)).rounded() == Double(example.lost))
        #expect(loss.interval?.contains(loss.estimate) ?? false)
        #expect(!calibration.values.contains { $0.key == "apns.considerate_loss" })
        #expect(calibration.values.first { $0.key == "apns.latency" }?.estimate == 600_000)
    }

    @Test("A phone whose clock is off is left out, also if it reports before the push", arguments: [-100.0, 100])
    func wrongClock(clock: Double) throws {
        let calibration = Self.calibration(clock: { $0 == 7 ? clock : 0 })
        let latency = try #require(calibration.values.first { $0.key == "apns.latency" })
        #expect(latency.estimate == 600_000 && latency.count == 233)
        #expect(calibration.notes.contains { $0.contains("1 of 40") }, "\(calibration.notes)")
        #expect(calibration.values.first { $0.key == "apns.loss" }?.count == 155)
    }

    @Test("Clocks that differ, or whole seconds, show no latency, but losses")
    func unknownLatency() throws {
        func lose(_ pushes: inout [Push]) { pushes[2].shown = nil }
        for calibration in [
            Self.calibration(clock: { Double($0 % 9) - 4 }, lose), Self.calibration(step: 1_000_000, lose),
        ] {
            #expect(!calibration.values.contains { $0.key == "apns.latency" })
            #expect(calibration.assumptions.contains { $0.sentence.hasPrefix("latency:") })
            let loss = try #require(calibration.values.first { $0.key == "apns.loss" })
            #expect((loss.estimate * Double(loss.count)).rounded() == 1)
        }
    }

    @Test("Few reports show neither")
    func few() {
        let calibration = Self.calibration(rides: 3)
        #expect(!calibration.values.contains { $0.key.hasPrefix("apns.l") })
        #expect(
            calibration.assumptions.count { $0.sentence.hasPrefix("latency:") || $0.sentence.hasPrefix("loss:") } == 2
        )
    }
}
