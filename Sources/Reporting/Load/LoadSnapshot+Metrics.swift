import Evaluation
import Quantities
import Results
import TextFormats

/// A real-time test as metrics for Prometheus while it runs.
extension LoadSnapshot {
    /// The snapshot as OpenMetrics text; docs/loads.md lists its metrics.
    ///
    /// Counts cover the finished seconds and do not fall during a load. Each trial of a search for a limit is a load of
    /// its own and begins at 0, which Prometheus takes for a restart.
    public var metrics: String {
        var text = OpenMetricsText()
        text.info("freshet_load", "The real-time test, by its command.", [("load", results.name)])
        func seconds(_ name: String, _ help: String, _ span: TimeSpan?) {
            guard let span else { return }
            let value = FixedPoint.seconds(microseconds: span.microseconds)
            text.add(name, kind: .gauge, unit: "seconds", help: help, labels: [], value: value)
        }
        seconds("freshet_load_elapsed", "Time since the load began.", progress.elapsed)
        seconds("freshet_load_planned", "Planned duration of the load.", progress.planned)
        addCourse(to: &text)
        func gauge(_ name: String, _ help: String, _ value: Int?) {
            if let value { text.gauge("freshet_load_\(name)", help, [([], value)]) }
        }
        gauge("in_flight", "Requests without an answer.", progress.inFlight)
        gauge("waiting", "Requests waiting to be sent.", progress.waiting)
        addRetries(to: &text)
        addLatency(to: &text)
        if let look = glances.last { Self.add(look, to: &text) }
        text.gauge(
            "freshet_load_threshold_holds",
            "1 if a threshold or a check holds over the load so far, else 0; absent while it has no value or requests "
                + "without an answer could still break it.",
            results.outcomes.filter { ![.undefined, .notSure, .notMeasured].contains($0.verdict) }
                .map { ([("threshold", $0.check.name)], $0.holds ? 1 : 0) }
        )
        return text.text
    }

    private func addCourse(to text: inout OpenMetricsText) {
        guard let course = results.course else { return }
        let asked = course.windows.compactMap(\.asked)
        if !asked.isEmpty {
            text.counter("freshet_load_asked", "Requests due according to the plan.", [([], asked.reduce(0, +))])
        }
        text.counter(
            "freshet_load_done",
            "Count of \(course.done) \(course.items).",
            [([], course.windows.reduce(0) { $0 + $1.done })]
        )
        text.counter(
            "freshet_load_outcomes",
            "Count of \(course.items) by outcome.",
            zip(course.outcomes, course.totals(of: course.windows)).map { ([("outcome", $0)], $1) }
        )
    }

    private func addRetries(to text: inout OpenMetricsText) {
        func count(_ metric: String, scope: String = "all") -> Int? {
            guard case .integer(let count)? = results.rows.row(metric, "total", scope: scope)?.value else { return nil }
            return Int(count)
        }
        if let retries = count("pushes_sent_count", scope: "kind:retry") {
            text.counter("freshet_load_retries", "Retries of pushes.", [([], retries)])
        }
        if let withheld = count("repeats_withheld_count") ?? count("retries_withheld_count") {
            text.counter("freshet_load_retries_withheld", "Retries that the budget held back.", [([], withheld)])
        }
    }

    private func addLatency(to text: inout OpenMetricsText) {
        guard let latency = results.histograms.first(where: { $0.metric == "request_latency_us" }) else { return }
        var histograms = CumulativeHistograms(isLive: true)
        histograms.add(latency)
        histograms.write(to: &text, named: "load_latency", labels: [], means: results.means)
    }

    private static func add(_ look: FreshnessGlance, to text: inout OpenMetricsText) {
        if let screens = look.screens {
            let shown = [
                ("fresh", screens.fresh), ("stale", screens.stale), ("wrong_stage", screens.wrongStage),
                ("left_behind", screens.leftBehind),
            ]
            text.gauge(
                "freshet_load_screens",
                "Activities on the scenario's screens, by state.",
                shown.map { ([("shows", $0)], $1) }
            )
        }
        if let belief = look.belief {
            let classes = [
                ("fresh", belief.fresh), ("recoverable", belief.recoverable), ("severe", belief.severe),
            ]
            text.gauge(
                "freshet_load_instances",
                "Watched instances, by the server's belief.",
                classes.map { ([("class", $0)], $1) }
            )
        }
    }
}

extension RecordedResults {
    /// The means by metric over everything, as in `summary.csv`.
    fileprivate var means: [String: String] {
        let means = rows.filter { $0.scope == "all" && $0.stat == "mean" && $0.value != nil }
        return Dictionary(means.map { ($0.metric, CSVText.field($0.value)) }) { first, _ in first }
    }
}
