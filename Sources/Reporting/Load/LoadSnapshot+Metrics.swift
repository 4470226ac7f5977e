import Experiments
import Quantities
import TextFormats

/// A test in real time as Prometheus reads it while it runs.
extension LoadSnapshot {
    /// The snapshot as OpenMetrics text; docs/loads.md lists what is in it.
    ///
    /// Counts are those of the seconds that are over, and do not fall while one load goes on. Each trial of a search for a
    /// limit is a load of its own and begins at nothing, which Prometheus takes for a restart.
    public var metrics: String {
        var text = OpenMetricsText()
        text.add(
            "freshet_load",
            kind: .info,
            help: "The test in real time, by its command.",
            suffix: "_info",
            labels: [("load", results.name)],
            value: "1"
        )
        func seconds(_ name: String, _ help: String, _ span: TimeSpan?) {
            guard let span else { return }
            let value = FixedPoint.seconds(microseconds: span.microseconds)
            text.add(name, kind: .gauge, unit: "seconds", help: help, labels: [], value: value)
        }
        seconds("freshet_load_elapsed", "How long the load has been running.", progress.elapsed)
        seconds("freshet_load_planned", "How long the load is to run.", progress.planned)
        addCourse(to: &text)
        func gauge(_ name: String, _ help: String, _ value: Int?) {
            if let value { text.gauge("freshet_load_\(name)", help, [([], value)]) }
        }
        gauge("in_flight", "Requests without an answer.", progress.inFlight)
        gauge("waiting", "Requests that wait to be sent.", progress.waiting)
        addRetries(to: &text)
        addLatency(to: &text)
        if let look = glances.last { Self.add(look, to: &text) }
        text.gauge(
            "freshet_load_threshold_holds",
            "Whether a threshold or a check holds over the load so far: 1 or 0; left out while it has no value, or requests "
                + "without an answer could still break it.",
            results.outcomes.filter { ![.undefined, .notSure, .notMeasured].contains($0.verdict) }
                .map { ([("threshold", $0.name)], $0.holds ? 1 : 0) }
        )
        return text.text
    }

    private func addCourse(to text: inout OpenMetricsText) {
        guard let course = results.course else { return }
        let asked = course.windows.compactMap(\.asked)
        if !asked.isEmpty {
            text.counter("freshet_load_asked", "What was due by the plan.", [([], asked.reduce(0, +))])
        }
        text.counter(
            "freshet_load_done",
            "What was \(course.done), of \(course.items).",
            [([], course.windows.reduce(0) { $0 + $1.done })]
        )
        text.counter(
            "freshet_load_outcomes",
            "What became of \(course.items).",
            zip(course.outcomes, course.totals(of: course.windows)).map { ([("outcome", $0)], $1) }
        )
    }

    private func addRetries(to text: inout OpenMetricsText) {
        func count(_ metric: String, scope: String = "all") -> Int? {
            let row = results.rows.first { $0.metric == metric && $0.scope == scope && $0.stat == "total" }
            guard case .integer(let count)? = row?.value else { return nil }
            return Int(count)
        }
        if let retries = count("pushes_sent_count", scope: "kind:retry") {
            text.counter("freshet_load_retries", "Pushes that were sent again.", [([], retries)])
        }
        if let withheld = count("repeats_withheld_count") ?? count("retries_withheld_count") {
            text.counter("freshet_load_retries_withheld", "Retries that the budget held back.", [([], withheld)])
        }
    }

    /// The metrics that are latencies from the due time, the first that a load has.
    private static let latencies = ["request_latency_us", "update_latency_us"]

    private func addLatency(to text: inout OpenMetricsText) {
        let known = results.histograms.filter { Self.latencies.contains($0.metric) }
        guard let latency = known.first else { return }
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
                "Activities on the scenario's screens, by what these show.",
                shown.map { ([("shows", $0)], $1) }
            )
        }
        if let belief = look.belief {
            let classes = [
                ("fresh", belief.fresh), ("recoverable", belief.recoverable), ("severe", belief.severe),
            ]
            text.gauge(
                "freshet_load_instances",
                "Watched instances, by what the server believes of them.",
                classes.map { ([("class", $0)], $1) }
            )
        }
    }
}

extension LoadResults {
    /// The means by metric, over everything, as `summary.csv` has them.
    fileprivate var means: [String: String] {
        let means = rows.filter { $0.scope == "all" && $0.stat == "mean" && $0.value != nil }
        return Dictionary(means.map { ($0.metric, CSVText.field($0.value)) }) { first, _ in first }
    }
}
