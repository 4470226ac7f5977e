import Dashboard
import Evaluation
import FreshnessCore
import LiveActivityModel
import MonitorServer
import Quantities
import Reporting
import Results

/// The time series of a monitor, second by second, as its page shows it.
struct MonitorCourse: Sendable {
    /// The start options that the page lists.
    let settings: [(name: String, value: String)]
    private var windows: [LoadCourse.Window] = []
    private var glances = FreshnessGlances()
    private var before = [0, 0, 0]
    private var elapsed = TimeSpan.zero

    /// The number of windows to keep: the last hour, plus less than a minute before it.
    private static let mostWindows = 3600
    /// The number of windows that are dropped at a time, so that a chart's axis need not move each second.
    private static let dropped = 60

    /// Creates the time series of a monitor that has just started.
    init(settings: [(name: String, value: String)]) { self.settings = settings }

    /// Leaves a snapshot on the page's board each second, until the task is cancelled.
    static func show(_ monitor: Monitor, on dashboard: Dashboard, settings: [(name: String, value: String)]) async {
        let began = ContinuousClock.now
        var course = MonitorCourse(settings: settings)
        while (try? await Task.sleep(for: .seconds(1))) != nil {
            let report = await monitor.report()
            let snapshot = course.append(report, at: TimeSpan(began.duration(to: .now)))
            dashboard.board.put(snapshot)
        }
    }

    /// Adds the monitor's activity since the previous report.
    mutating func append(_ report: MonitorReport, at now: TimeSpan) -> LoadSnapshot {
        let counts = report.counts
        let refused = counts.refused.reduce(0, +)
        let outcomes = [counts.accepted, refused, counts.unanswered]
        windows.append(
            LoadCourse.Window(
                start: elapsed.microseconds,
                length: max(1, (now - elapsed).microseconds),
                asked: nil,
                done: counts.accepted + refused - before[0] - before[1],
                latency: nil,
                outcomes: zip(outcomes, before).map { $0 - $1 }
            )
        )
        if windows.count >= Self.mostWindows + Self.dropped { windows.removeFirst(Self.dropped) }
        (before, elapsed) = (outcomes, now)
        var belief = FreshnessGlance.Belief()
        (belief.fresh, belief.recoverable, belief.severe) = (
            report.classes.fresh, report.classes.recoverable, report.classes.severe
        )
        glances.append(FreshnessGlance(at: now, belief: belief))
        var results = LoadReport(load: "monitor", seed: 0, settings: settings, rows: Self.rows(of: report))
        results.course = LoadCourse(
            items: "pushes",
            done: "answered",
            outcomes: ["accepted", "refused", "no answer"],
            windows: windows,
            percentile99: nil
        )
        results.course?.isTimed = false
        if windows[0].start > 0 { results.course?.stretch = "the last hour" }
        let progress = LoadSnapshot.Progress(
            stage: .running,
            elapsed: now + TimeSpan(microseconds: 1),
            planned: nil,
            inFlight: report.inFlight,
            waiting: report.waiting
        )
        return LoadSnapshot(progress, results, glances: glances)
    }

    private static func rows(of report: MonitorReport) -> [SummaryRow] {
        func row(_ metric: String, _ count: Int, scope: String = "all") -> SummaryRow {
            SummaryRow(metric, .integer(Int64(count)), scope: scope)
        }
        let counts = report.counts
        return [row("apns_response_count", counts.accepted, scope: "status:200")]
            + zip(APNsReason.allCases, counts.refused)
            .map { row("apns_response_count", $1, scope: "reason:\($0.rawValue)") }
            + [row("apns_response_missing_count", counts.unanswered, scope: "why:no_answer")]
    }
}
