import Evaluation
import LiveActivityModel
import NIOCore
import Quantities
import Reporting
import Testing
import Wire

@testable import LoadCommands
@testable import LoadGenerator

@Suite("A load before, during and after faults")
struct LoadAPNsPhaseTests {
    private static func span(_ from: Int64, _ until: Int64) -> FaultSpan {
        FaultSpan(kind: .apnsSilent, from: from, until: until)
    }

    /// Four requests, one per second: the first two have answers after 100 ms, the others none.
    private static func outcome(_ faults: [FaultSpan] = []) -> LoadAPNsOutcome {
        var tally = LoadTally()
        tally.faults = FaultPeriods(faults)
        for (second, outcome) in [APNsOutcome.answered(APNsAnswer(status: 200)), .timedOut].enumerated()
            .flatMap({ index, outcome in (0..<2).map { (Int64($0 + 2 * index), outcome) } })
        {
            let due = NIODeadline.uptimeNanoseconds(1_000_000_000) + .seconds(second)
            let done = due + .milliseconds(100)
            tally.record(
                APNsCompletion(number: 0, outcome: outcome, due: due, sent: due, done: done),
                dueAfter: second * 1_000_000_000
            )
        }
        return LoadAPNsOutcome(tally: tally, duration: .seconds(4), beganAt: 1_000_000)
    }

    @Test("Each phase has its answers, errors and latencies; the stand-in's wall-clock times count from the beginning")
    func rows() throws {
        #expect(Self.outcome().phaseRows.isEmpty && Self.outcome().noteOnPhases == nil)
        var fault = Scenario.Fault(kind: .apnsSilent, at: .seconds(20))
        fault.duration = .seconds(15)
        // At ten times the speed, it begins two seconds after the stand-in and ends one and a half seconds later.
        let faults = [ReadyFile.Fault(fault, since: 1_000_000, speed: 10)]
        let met = Self.outcome(faults.map { $0.span(since: 1_000_000) }).meeting(faults)
        #expect(met.faults == [Self.span(2_000_000, 3_500_000)])
        func value(_ metric: String, _ phase: String, _ stat: String) -> Double? {
            met.rows.first { $0.metric == metric && $0.scope == "phase:\(phase)" && $0.stat == stat }?.value?.double
        }
        #expect(value("apns_response_count", "before", "total") == 2)
        #expect(value("apns_response_count", "during", "total") == 0)
        #expect(value("apns_response_missing_count", "during", "total") == 2)
        #expect(value("errors_ratio", "during", "ratio") == 1)
        #expect(value("errors_ratio", "after", "ratio") == nil)
        let p99 = try #require(value("request_latency_us", "before", "p99"))
        #expect((99_000...101_000).contains(p99))
        var results = LoadReport(load: "load apns", seed: 1, settings: [], rows: met.rows)
        met.describe(&results)
        #expect(results.course?.faults == met.faults)
        let note = "The stand-in plays faults, which the charts mark. After the beginning of the load: "
        #expect(results.notes.contains { $0.hasPrefix(note + "apns_silent from 2 s to 3.50 s. ") }, "\(results.notes)")
    }

    @Test("A fault during which all requests without an answer were due is named at the top")
    func explanation() {
        func explanation(_ from: Int64, _ until: Int64) -> String? {
            let faults = [Self.span(from, until)]
            var outcome = Self.outcome(faults)
            outcome.faults = faults
            return outcome.explanation
        }
        #expect(
            explanation(2_000_000, 3_500_000)
                == "All 2 requests without an answer were due during a fault of the stand-in, after the beginning of the load: "
                + "apns_silent from 2 s to 3.50 s."
        )
        // One of them was due before it.
        #expect(explanation(2_500_000, 3_500_000) == nil && explanation(0, 1_000_000) == nil)
        #expect(Self.outcome().explanation == nil)
    }

    @Test(
        "The note says if no fault fell into the measured time",
        arguments: [
            (4_000_000, 9_000_000, "The next fault begins 4 s after the beginning of the load."),
            (-9_000_000, 1_000_000, "All faults were over before."),
            (-9_000_000, 1_000_001, nil), (3_999_999, 3_999_999, nil),
        ] as [(Int64, Int64, String?)]
    )
    func missed(from: Int64, until: Int64, end: String?) throws {
        var outcome = Self.outcome()
        (outcome.warmUp, outcome.faults) = (.seconds(1), [Self.span(from, until)])
        let note = try #require(outcome.noteOnPhases)
        #expect(note.contains("no fault fell into the measured time of this load") == (end != nil), "\(note)")
        if let end { #expect(note.hasSuffix(end), "\(note)") }
        #expect(note.contains("apns_silent from before the load to ") == (until == 1_000_001), "\(note)")
    }

    @Test("A latency of a phase with unanswered requests is a bound, and fails a threshold")
    func thresholds() throws {
        let rows = Self.outcome().rows
        let faults = [Self.span(1_000_000, 2_500_000)]
        var met = Self.outcome(faults)
        met.faults = faults
        let during = try Check(parsing: "request_latency_us{phase:during}.p99 < 1s").outcome(in: met.rows)
        #expect(!during.holds && during.unanswered?.missing == 1 && during.unanswered?.all == 2)
        // The request without an answer has waited for 100 ms.
        #expect(during.unanswered?.bound == 100_000)
        let before = try Check(parsing: "request_latency_us{phase:before}.p99 < 1s").outcome(in: met.rows)
        #expect(before.holds && before.unanswered == nil)
        #expect(throws: ResponseError.self) {
            try Check(parsing: "request_latency_us{phase:before}.p99 < 1s").outcome(in: rows)
        }
    }
}
