import Evaluation
import TextFormats

/// The time series of a load in real time.
extension Chart {
    /// Returns the charts of a load in order of display: rate, and latency and outcomes if they were measured.
    ///
    /// Windows are merged if there are more than a screen can show.
    ///
    /// - Parameter subtitle: The subject: the command and its options.
    static func charts(_ course: LoadCourse, subtitle: String) -> [Chart] {
        guard !course.windows.isEmpty else { return [] }
        let load = LoadPlot(course, subtitle: subtitle)
        return [load.rate] + (course.latencySentence.map { [load.latency($0)] } ?? [])
            + (course.outcomes.isEmpty ? [] : [load.outcomes])
    }
}

extension Chart {
    /// Returns the unit of a time axis up to an instant [µs]: its name, and its length in microseconds.
    static func timeUnit(upTo end: Int64) -> (name: String, length: Double) {
        switch end {
        case ..<600_000_000: ("s", 1e6)
        case ..<36_000_000_000: ("min", 60e6)
        default: ("h", 3600e6)
        }
    }
}

/// The common parts of a load's charts.
private struct LoadPlot {
    /// The whole time series, for titles.
    private let course: LoadCourse
    /// The time series in as many windows as can be drawn.
    private let drawn: LoadCourse
    private let subtitle: String
    /// The unit of the time axis: its name, and its length in microseconds.
    private let unit: (name: String, length: Double)

    /// The minimum of drawn latencies [µs]: shorter ones are drawn here, so that a logarithmic axis has room for the
    /// others.
    private static let shortestDrawn = 0.1

    /// The number of outcomes with a colour of their own.
    private static let mostOutcomes = 5

    init(_ course: LoadCourse, subtitle: String) {
        self.course = course
        drawn = course.coarser(atMost: Chart.largestStepCount)
        let steps = Set(drawn.windows.dropLast().map { ($0.length + 500_000) / 1_000_000 })
        let step = max(1, steps.max() ?? 1)
        self.subtitle = "\(subtitle); in steps of \(Format.span(step * 1_000_000))"
        let end = max(course.until ?? 0, drawn.windows.last.map { $0.start + $0.length } ?? 0)
        unit = Chart.timeUnit(upTo: end)
    }

    // MARK: - Charts

    /// The requested and the achieved rate.
    var rate: Chart {
        let hasPlan = drawn.windows.contains { $0.asked != nil }
        let series: [(name: String, colour: Chart.Colour)] =
            (hasPlan ? [("requested", .orange)] : []) + [(course.done, .blue)]
        let rows = segments { window -> [(series: String, value: Double?)] in
            // The last answers after the end of the plan fill no window. As a rate they would suggest that the endpoint
            // had stopped.
            let isRest = hasPlan && window.asked == nil && window.start == drawn.windows.last?.start
            return (hasPlan ? [("requested", window.asked.map { perSecond($0, window) })] : [])
                + [(course.done, isRest ? nil : perSecond(window.done, window))]
        }
        return chart(
            "rate",
            course.rateSentence,
            subtitle,
            rows,
            series,
            // Series are distinguished without colour too, and visible if one line covers the other.
            [
                "y": "rate", "label": .string("\(course.items) [1/s]"),
                "dash": .array(series.map { $0.name == "requested" ? [6, 4] : [1, 0] }),
            ]
        )
    }

    /// Returns percentiles of the latency on a logarithmic axis.
    func latency(_ sentence: String) -> Chart {
        let series: [(name: String, colour: Chart.Colour)] = [
            ("max", .vermillion), ("p99", .orange), ("p50", .blue),
        ]
        let rows = segments { window in
            [
                ("max", window.latency?.longest), ("p99", window.latency?.percentile99),
                ("p50", window.latency?.median),
            ]
            .map { ($0, $1.map { max(LoadPlot.shortestDrawn, $0) }) }
        }
        let worst = drawn.windows.count < course.windows.count ? ", the worst second of each" : ""
        let axis = LogAxis(
            drawn.windows.compactMap(\.latency).flatMap { [$0.median, $0.longest] }
                .map { max(LoadPlot.shortestDrawn, $0) }
        )
        return chart(
            "latency",
            sentence,
            subtitle + worst,
            rows,
            series,
            ["y": "latency", "domain": axis.domain, "ticks": axis.ticks]
        )
    }

    /// The outcomes; the desired one has a plot of its own, because the others would be invisible beside it.
    var outcomes: Chart {
        var plots: [JSONValue] = []
        let rest = rest
        if let hopedFor = course.outcomes.first {
            plots.append(
                stack(
                    steps { window in [(hopedFor, perSecond(window.outcomes[0], window))] },
                    title: "\(hopedFor) [1/s]",
                    series: [(hopedFor, .skyBlue)],
                    height: rest == nil ? 260 : 120,
                    isLast: rest == nil
                )
            )
        }
        if let rest { plots.append(rest) }
        return Chart(
            template: "load-outcomes",
            name: "outcomes",
            title: course.outcomeSentence,
            subtitle: subtitle + byDueTime,
            ["plots": .array(plots), "timeDomain": timeDomain]
        )
    }

    /// The rule by which outcomes are placed; while a load runs, the newest seconds lack the outcomes of requests in flight.
    private var byDueTime: String {
        guard course.countsByDueTime else { return "" }
        return course.until == nil ? ", by due time" : ", by due time, without requests in flight"
    }

    /// The other outcomes, the most frequent first; nil if there are none.
    private var rest: JSONValue? {
        let all = course.totals(of: drawn.windows)
        let ways = all.indices.dropFirst().filter { all[$0] > 0 }.sorted { (all[$1], $0) < (all[$0], $1) }
        guard !ways.isEmpty else { return nil }
        // The name of an area, and the outcomes that it combines.
        var parts = ways.prefix(LoadPlot.mostOutcomes).map { (name: course.outcomes[$0], ways: [$0]) }
        let others = Array(ways.dropFirst(parts.count))
        if !others.isEmpty { parts.append(("other", others)) }
        let colours: [Chart.Colour] = [.vermillion, .orange, .reddishPurple, .bluishGreen, .blue, .grey]
        let rows = steps { window in
            parts.map { part in (part.name, perSecond(part.ways.reduce(0) { $0 + window.outcomes[$1] }, window)) }
        }
        return stack(
            rows,
            title: "others [1/s]",
            series: zip(parts, colours).map { ($0.name, $1) },
            height: 140,
            isLast: true
        )
    }

    // MARK: - Parts

    private func perSecond(_ count: Int, _ window: LoadCourse.Window) -> Double {
        Double(count) * 1e6 / Double(max(1, window.length))
    }

    private func time(_ microseconds: Int64) -> JSONValue { .decimal(Double(microseconds) / unit.length, places: 6) }

    /// Returns rows for step areas: a value holds from its row to the next, so the last one is repeated at the end.
    private func steps(_ values: (LoadCourse.Window) -> [(series: String, value: Double?)]) -> [JSONValue] {
        let end = drawn.windows.suffix(1).flatMap { rows(at: $0.start + $0.length, values($0)) }
        return drawn.windows.flatMap { rows(at: $0.start, values($0)) } + end
    }

    /// Returns rows for step lines: both ends of each window, so that a window without a value leaves a gap.
    private func segments(_ values: (LoadCourse.Window) -> [(series: String, value: Double?)]) -> [JSONValue] {
        drawn.windows.flatMap { rows(at: $0.start, values($0)) + rows(at: $0.start + $0.length, values($0)) }
    }

    private func rows(at instant: Int64, _ values: [(series: String, value: Double?)]) -> [JSONValue] {
        values.enumerated()
            .map { order, entry in
                [
                    "from": time(instant), "value": entry.value.map { .decimal($0, places: 3) } ?? .null,
                    "series": .string(entry.series), "order": .integer(Int64(order)),
                ]
            }
    }

    /// The range of the time axis [µs].
    private var stretch: Range<Int64> {
        let (first, last) = (drawn.windows.first, drawn.windows.last)
        let start = first?.start ?? 0
        return start..<max(start, course.until ?? 0, last.map { $0.start + $0.length } ?? 0)
    }

    private var timeDomain: JSONValue { [time(stretch.lowerBound), time(stretch.upperBound)] }

    private var timeTitle: JSONValue { .string("since the beginning [\(unit.name)]") }

    /// Returns lines over time, with faults, and with uncounted parts in grey.
    private func chart(
        _ name: String,
        _ title: String,
        _ subtitle: String,
        _ rows: [JSONValue],
        _ series: [(name: String, colour: Chart.Colour)],
        _ values: Chart.Values
    ) -> Chart {
        // The names of faults are above the name of the uncounted part.
        let faults = Chart.faults(
            course.faults,
            within: stretch,
            firstLine: unmeasured.isEmpty ? 0 : 1,
            time: time
        )
        return Chart(
            template: "load-lines",
            name: name,
            title: title,
            subtitle: subtitle,
            [
                "rows": .array(rows), "faults": .array(faults), "unmeasured": .array(unmeasured),
                "timeDomain": timeDomain, "timeTitle": timeTitle,
            ],
            Chart.series(series),
            values
        )
    }

    private func stack(
        _ rows: [JSONValue],
        title: String,
        series: [(name: String, colour: Chart.Colour)],
        height: Int64,
        isLast: Bool
    ) -> JSONValue {
        let plot: Chart.Values = [
            "rows": .array(rows), "label": .string(title), "height": .integer(height), "first": series[0].colour.json,
            "timeTitle": isLast ? timeTitle : .null,
        ]
        // A series named by the axis needs no legend.
        return .object(title == "\(series[0].name) [1/s]" ? plot : plot.merging(Chart.series(series)) { $1 })
    }

    /// The part that is shown but not counted; empty if everything counts.
    private var unmeasured: [JSONValue] {
        guard let first = drawn.windows.first, let last = drawn.windows.last, first.start < course.measuredFrom else {
            return []
        }
        return [
            [
                "from": time(first.start), "until": time(min(course.measuredFrom, last.start + last.length)),
                "line": 0, "name": "not measured",
            ]
        ]
    }
}
