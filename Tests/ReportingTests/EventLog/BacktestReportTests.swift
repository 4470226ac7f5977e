import Foundation
import InputFiles
import LiveActivityModel
import Testing
import TextFormats

@testable import Reporting
@testable import Studies
@testable import Traces

@Suite("Reports of backtests")
struct BacktestReportTests {
    private static let minute: Int64 = 60_000_000

    private static func comparison(
        _ measure: Backtest.Measure = .believedFresh,
        log: Double,
        model: Double,
        half: Double,
        deviation: Double? = nil
    ) -> Backtest.Comparison {
        Backtest.Comparison(
            measure: measure,
            log: log,
            model: model,
            interval: (model - half)...(model + half),
            deviation: deviation ?? half / 2
        )
    }

    /// A backtest with windows of five minutes from 18:00 on.
    ///
    /// - Parameter windows: The log's and the model's believed freshness.
    private static func backtest(
        _ totals: [Backtest.Comparison],
        windows: [(log: Double, model: Double)] = [],
        watched: [Int] = [],
        gaps: [Range<Int64>] = [],
        unmatched: Backtest.Unmatched = .init()
    ) -> Backtest {
        let start = 18 * 60 * minute
        return Backtest(
            totals: totals,
            windows: windows.enumerated()
                .map { index, window in
                    Backtest.Window(
                        at: start + Int64(index) * 5 * minute,
                        comparisons: [comparison(log: window.log, model: window.model, half: 0.01)],
                        watched: index < watched.count ? watched[index] : 1000
                    )
                },
            windowLength: 5 * minute,
            leftOut: 0,
            gaps: gaps,
            leftOutInGaps: gaps.isEmpty ? 0 : 9,
            replications: 10,
            tracedRides: 100,
            freshLimit: minute,
            assumedTTL: nil,
            countsInitialContent: true,
            span: start..<(start + 60 * minute),
            unmatched: unmatched
        )
    }

    private static func verdict(_ backtest: Backtest, _ cleaning: LogCleaning = LogCleaning()) -> String {
        BacktestReport(backtest, cleaning: cleaning, name: "day").verdict
    }

    @Test("A scenario reproduces a log only if the interval is narrow, and no quantity and no window is far off")
    func judgement() {
        let near = Self.comparison(log: 0.9, model: 0.905, half: 0.009)
        let even = [(0.9, 0.9), (0.9, 0.9), (0.9, 0.9), (0.9, 0.9)]
        let cases: [(Backtest.Judgement, Backtest, String)] = [
            (.unknown, Self.backtest([]), "The log has no time in which the server watched an activity"),
            (
                .reproduces, Self.backtest([near], windows: even),
                "The scenario day reproduces the log's believed freshness within 0.50 points"
            ),
            (
                .misses, Self.backtest([Self.comparison(log: 0.9, model: 0.92, half: 0.009)]),
                "The scenario day misses the log's believed freshness by 2.00 points"
            ),
            (
                .cannotDecide, Self.backtest([Self.comparison(log: 0.9, model: 0.905, half: 0.011, deviation: 0.005)]),
                "The backtest cannot decide"
            ),
            (
                .missesQuantities,
                Self.backtest([near, Self.comparison(.retries, log: 1000, model: 500, half: 20)], windows: even),
                "The scenario day misses the log, although its believed freshness is within 0.50 points"
            ),
            // Outside of the interval, but by less than a tenth; far off by less than two half-widths; 90 ms of a wait.
            (
                .reproduces, Self.backtest([near, Self.comparison(.retries, log: 1000, model: 950, half: 20)]),
                "the largest disagreement: attempts"
            ),
            (
                .reproduces, Self.backtest([near, Self.comparison(.retries, log: 1000, model: 500, half: 300)]),
                "the largest disagreement: attempts"
            ),
            (
                .reproduces, Self.backtest([near, Self.comparison(.wait, log: 100_000, model: 10_000, half: 20_000)]),
                "mean wait"
            ),
            (
                .missesQuantities,
                Self.backtest([near, Self.comparison(.wait, log: 120_000, model: 10_000, half: 20_000)]), "mean wait"
            ),
            // The quantity that decides is named, although another is more half-widths away.
            (
                .missesQuantities,
                Self.backtest([
                    near, Self.comparison(.latency, log: 11.53, model: 11.57, half: 0.001),
                    Self.comparison(.wait, log: 4000, model: 388_100, half: 60_000),
                ]), "the largest disagreement: mean wait in the sender"
            ),
            (
                .misses,
                Self.backtest([
                    Self.comparison(log: 0.9, model: 0.92, half: 0.009),
                    Self.comparison(.retries, log: 1000, model: 500, half: 20),
                ]), "the largest disagreement: believed fresh, of watched time during rides"
            ),
            (
                .missesWindows, Self.backtest([near], windows: [(0.5, 0.9), (0.9, 0.5), (0.9, 0.9)]),
                "misses the log's course, although its believed freshness is within 0.50 points of the log's over all windows"
            ),
        ]
        for (expected, backtest, text) in cases {
            #expect(backtest.judgement == expected)
            #expect(Self.verdict(backtest).contains(text), "\(Self.verdict(backtest))")
        }
    }

    @Test("Waits that are all in a pause of the sender have it as their cause; others have the sender's size")
    func pauseWaits() {
        let near = Self.comparison(log: 0.9, model: 0.905, half: 0.009)
        let wait = Self.comparison(.wait, log: 4000, model: 388_100, half: 60_000)
        let at = (18 * 60 + 10) * Self.minute
        for (outside, isPause) in [(5000.0, true), (300_000, false)] {
            var backtest = Self.backtest([near, wait])
            backtest.faults = [.init(kind: .senderPaused, time: at...(at + 4 * Self.minute))]
            backtest.waitOutsidePauses = Self.comparison(.wait, log: 4000, model: outside, half: 20_000)
            let text = BacktestReport(backtest, cleaning: LogCleaning(), name: "day").markdown
            #expect(
                text.contains(
                    "All of it comes from the scenario's sender_paused at 18:10 for 4m: without these windows the mean waits are 4.0 ms "
                        + "in the log and 5.0 ms in the model. The fault keeps the content of the pause"
                ) == isPause,
                "\(text)"
            )
            #expect(text.contains("Check `sender.connections`") != isPause)
        }
    }

    @Test("The chart has a step for each window, a gap where windows are left out, and the scenario's faults")
    func chart() throws {
        let near = Self.comparison(log: 0.9, model: 0.905, half: 0.009)
        var backtest = Self.backtest([near], windows: [(0.9, 0.95), (0.8, 0.85)])
        let at = (18 * 60 + 7) * Self.minute
        backtest.faults = [.init(kind: .apnsSilent, time: at...(at + Self.minute))]
        let layers = try DrawnLayer.layers(of: Chart.backtest(backtest, name: "day", local: { $0 }).text)
        let minute = 60_000.0
        #expect(layers.first { $0.mark == "rule" }?.rows.first?["from"] as? Double == (18 * 60 + 7) * minute)
        let bands = layers.first { $0.rows.first?["low"] != nil }?.rows ?? []
        #expect(bands.map { $0["low"] as? Double } == [94, 84])
        #expect(bands.map { $0["until"] as? Double } == [1085 * minute, 1090 * minute])
        let rows = layers.first { $0.mark == "line" }?.rows ?? []
        #expect(rows.prefix(4).map { $0["percent"] as? Double } == [90, 95, 80, 85])
        #expect(rows.count == 26 && rows.dropFirst(4).allSatisfy { $0["percent"] is NSNull })
    }

    @Test("The report says what the belief covers, and how the metric of a run differs")
    func scope() {
        let near = Self.comparison(log: 0.9, model: 0.905, half: 0.009)
        let text = BacktestReport(Self.backtest([near]), cleaning: LogCleaning(), name: "day").markdown
        #expect(text.contains("| believed fresh, of watched time during rides"))
        #expect(text.contains("`fresh_time_ratio` of a run also counts cards that stay after their ride"))
    }

    @Test(
        "More replications are advised only if they can narrow the interval",
        arguments: [(0.005, "raise --replications"), (0.006, "a log with more rides does")]
    )
    func advice(deviation: Double, advice: String) {
        let total = Self.comparison(log: 0.9, model: 0.905, half: 0.02, deviation: deviation)
        let verdict = Self.verdict(Self.backtest([total]))
        #expect(
            verdict.hasPrefix("The backtest cannot decide if the scenario day reproduces the log's believed freshness")
        )
        #expect(verdict.contains(advice), "\(verdict)")
    }

    @Test("Windows that cancel out are named with the largest difference; one with hardly any watched time is not")
    func windows() {
        let near = Self.comparison(log: 0.9, model: 0.905, half: 0.009)
        let one = Self.backtest(
            [near],
            windows: [(0.9, 0.9), (0, 0.999), (0.905, 0.02), (1, 0)],
            watched: [100_000, 1000, 1000, 10]
        )
        #expect(one.farWindows.isEmpty)
        let two = Self.backtest(
            [near],
            windows: [(0.9, 0.9), (0, 0.999), (0.905, 0.02), (1, 0)],
            watched: [100_000, 10_000, 10_000, 10]
        )
        let verdict = Self.verdict(two)
        #expect(
            verdict.contains(
                "2 windows differ far beyond noise, by 15.70 points of all watched time; believed freshness differs most at 18:05"
            ),
            "\(verdict)"
        )
        #expect(verdict.contains("(log 0.00 %, model 99.90 %)"))
        #expect(
            BacktestReport(two, cleaning: LogCleaning(), name: "day").json.text
                .contains("\"judgement\": \"misses_windows\"")
        )
    }

    @Test("The time and the windows of gaps are in the verdict")
    func gaps() {
        let near = Self.comparison(log: 0.9, model: 0.905, half: 0.009)
        let gap = (18 * 60 + 10) * Self.minute..<(18 * 60 + 45) * Self.minute
        let verdict = Self.verdict(Self.backtest([near], windows: [(0.9, 0.9), (0.9, 0.9), (0.9, 0.9)], gaps: [gap]))
        #expect(
            verdict.contains("The log has no row for 35m (18:10 to 18:45): 9 of 12 windows are not compared"),
            "\(verdict)"
        )
    }

    @Test("Faults at whose time the log shows no incident, and incidents without a fault, are in the verdict")
    func faults() {
        let near = Self.comparison(log: 0.9, model: 0.905, half: 0.009)
        func disturbance(_ kind: Scenario.Fault.Kind, _ minute: Int64, for length: Int64) -> Backtest.Disturbance {
            let at = (18 * 60 + minute) * Self.minute
            return Backtest.Disturbance(kind: kind, time: at...(at + length * Self.minute))
        }
        var unmatched = Backtest.Unmatched()
        unmatched.faults = [disturbance(.apnsSilent, 70, for: 15)]
        unmatched.incidents = [disturbance(.connectionLost, 45, for: 0)]
        for hasMatches in [true, false] {
            unmatched.hasMatches = hasMatches
            let verdict = Self.verdict(Self.backtest([near], unmatched: unmatched))
            #expect(
                verdict.contains(
                    "The scenario has faults where the log shows no incident: apns_silent at 19:10 for 15m."
                ),
                "\(verdict)"
            )
            #expect(
                verdict.contains("The log shows incidents where the scenario has no fault: connection_lost at 18:45.")
            )
            #expect(verdict.contains("The scenario seems to have the faults of another day") != hasMatches)
        }
        #expect(!Self.verdict(Self.backtest([near])).contains("fault"))
    }

    @Test("Windows have the zone's time of day before and after its clock changes, and UTC in the CSV")
    func clock() {
        let day: Int64 = 86_400_000_000
        // 2026-11-01T00:00:00-04:00.
        let midnight = 20_758 * day + 4 * 60 * Self.minute
        var clock = LogClock(zone: ZonedClock.named("America/New_York"))
        clock.offset = -4 * 60 * Self.minute
        var cleaning = LogCleaning()
        cleaning.clock = clock
        let near = Self.comparison(log: 0.9, model: 0.905, half: 0.009)
        let windows = [0, 5, 25]
            .map { hour in
                Backtest.Window(
                    at: midnight - 4 * 60 * Self.minute + hour * 60 * Self.minute,
                    comparisons: [near],
                    watched: 1
                )
            }
        let backtest = Backtest(
            totals: [near],
            windows: windows,
            windowLength: 5 * Self.minute,
            leftOut: 0,
            gaps: [],
            leftOutInGaps: 0,
            replications: 2,
            tracedRides: 1,
            freshLimit: 0,
            assumedTTL: nil,
            countsInitialContent: true,
            span: windows[0].at..<(windows[2].at + 1),
            unmatched: .init()
        )
        let report = BacktestReport(backtest, cleaning: cleaning, name: "day")
        #expect(report.csv.contains("\n\(midnight),believedFresh,"))
        #expect(report.csv.contains("\n\(midnight + 300 * Self.minute),believedFresh,"))
        #expect(
            report.markdown.contains("| 00:00  ") && report.markdown.contains("| 04:00  ")
                && report.markdown.contains("| 00:00 (day 2)"),
            "\(report.markdown)"
        )
        cleaning.clock = nil
        #expect(
            BacktestReport(backtest, cleaning: cleaning, name: "day").csv.contains("\n\(windows[0].at),believedFresh,")
        )
    }
}
