import Quantities
import Reporting
import Results
import ScenarioLanguage
import Shell
import Testing

@testable import Evaluation
@testable import LoadCommands

@Suite("A threshold that fails ends a load")
struct ThresholdWatchTests {
    private static func progress(_ seconds: Int64, _ stage: LoadSnapshot.Stage = .running) -> LoadSnapshot.Progress {
        LoadSnapshot.Progress(stage: stage, elapsed: .seconds(seconds), planned: .minutes(1))
    }

    private static func load(_ thresholds: [String], sent: Int, errors: Double?) throws -> LoadReport {
        var load = LoadReport(
            load: "load apns",
            seed: 1,
            settings: [],
            rows: [.count("pushes_sent_count", sent), .number("errors_ratio", "ratio", errors)]
        )
        load.results.judge(try thresholds.map { try Check(parsing: $0) })
        return load
    }

    /// The early end of a load that has started.
    private static var end: EarlyEnd {
        let end = EarlyEnd()
        end.workBegins()
        return end
    }

    @Test(
        "Not before --abort-after, not while waiting for the last answers, once a second, by the first failing threshold"
    )
    func asks() throws {
        let end = Self.end
        let watch = ThresholdWatch(grace: .seconds(5), end: end)
        let good = try Self.load(["errors_ratio < 1%"], sent: 9, errors: 0)
        let bad = try Self.load(["pushes_sent_count > 100", "errors_ratio < 1%"], sent: 9, errors: 0.5)
        watch.look(at: Self.progress(4)) { bad }
        watch.look(at: Self.progress(70, .draining)) { bad }
        watch.look(at: Self.progress(5)) { good }
        // The next check is due at 6 s.
        watch.look(at: Self.progress(5)) { bad }
        #expect(end.cause == nil)
        watch.look(at: Self.progress(6)) { bad }
        #expect(end.cause == .threshold("errors_ratio < 1%"))
    }

    @Test("The waits of requests in flight break a limit on latency before they are given up, as they do at the end")
    func inFlight() throws {
        var load = try Self.load([], sent: 900, errors: nil)
        load.rows += [
            SummaryRow(scope: "all", metric: "request_latency_us", stat: "p99", unit: "us", value: .integer(140_000)),
            .count("apns_response_missing_count", 0),
        ]
        load.results.judge([try Check(parsing: "request_latency_us.p99 < 500ms")])
        #expect(load.outcomes.map(\.holds) == [true])
        func isEnded(wait: Int64) -> Bool {
            let end = Self.end
            var progress = LoadSnapshot.Progress(
                stage: .running,
                elapsed: .seconds(9),
                planned: .minutes(1),
                inFlight: 100
            )
            progress.waits = [LoadSnapshot.Wait(time: wait, count: 100)]
            ThresholdWatch(grace: .zero, end: end).look(at: progress) { load }
            return end.isAsked
        }
        #expect(isEnded(wait: 600_000) && !isEnded(wait: 400_000))
    }

    @Test(
        "A count that can still rise does not fail for being low, and a metric without a value does not fail",
        arguments: [
            ("pushes_sent_count > 100", false), ("pushes_sent_count >= 100", false),
            ("pushes_sent_count == 100", false),
            ("pushes_sent_count == 8", true), ("pushes_sent_count < 9", true), ("errors_ratio > 99%", false),
        ]
    )
    func rising(threshold: String, isBroken: Bool) throws {
        let end = Self.end
        let load = try Self.load([threshold], sent: 9, errors: nil)
        ThresholdWatch(grace: .zero, end: end).look(at: Self.progress(1)) { load }
        #expect(end.isAsked == isBroken)
    }
}
