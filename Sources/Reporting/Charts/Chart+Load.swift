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
        let y = Chart.quantity("value", axis: ["title": .string("\(course.items) [1/s]"), "tickCount": 6])
        return chart("rate", course.rateSentence, subtitle, line(rows, y: y, series: series, dashed: "requested"))
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
        let label =
            "datum.value < 1000 ? format(datum.value, '~r') + ' µs' : datum.value < 1e6 "
            + "? format(datum.value / 1000, '~r') + ' ms' : format(datum.value / 1e6, '~r') + ' s'"
        let worst = drawn.windows.count < course.windows.count ? ", the worst second of each" : ""
        let axis = LogAxis(
            drawn.windows.compactMap(\.latency).flatMap { [$0.median, $0.longest] }
                .map { max(LoadPlot.shortestDrawn, $0) }
        )
        let y = Chart.quantity(
            "value",
            axis: ["title": "latency from the due time", "labelExpr": .string(label), "values": axis.ticks],
            scale: ["type": "log", "domain": axis.domain, "nice": false]
        )
        return chart("latency", sentence, subtitle + worst, line(rows, y: y, series: series))
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
            name: "outcomes",
            title: course.outcomeSentence,
            subtitle: subtitle,
            titleFrame: "bounds",
            body: ["spacing": 14, "vconcat": .array(plots), "resolve": ["scale": ["color": "independent"]]]
        )
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

    private func timeAxis(hasTitle: Bool = true) -> JSONValue {
        Chart.quantity(
            "from",
            axis: ["title": hasTitle ? .string("since the beginning [\(unit.name)]") : .null, "tickCount": 10],
            scale: [
                "domain": [time(stretch.lowerBound), time(stretch.upperBound)],
                "nice": false,
                "zero": false,
            ]
        )
    }

    /// Returns lines over time, with faults, and with uncounted parts in grey.
    private func chart(_ name: String, _ title: String, _ subtitle: String, _ lines: JSONValue) -> Chart {
        Chart(
            name: name,
            title: title,
            subtitle: subtitle,
            layers: unmeasured + Chart.faultLayers(faults, x: timeAxis()) + [lines] + unmeasuredName
                + Chart.faultNames(faults, x: timeAxis()),
            resolve: ["scale": ["y": "independent"]]
        )
    }

    private func line(
        _ rows: [JSONValue],
        y: JSONValue,
        series: [(name: String, colour: Chart.Colour)],
        dashed: String? = nil
    ) -> JSONValue {
        var encoding: [String: JSONValue] = ["x": timeAxis(), "y": y, "color": Chart.colours(series)]
        if let dashed {
            // Series are distinguished without colour too, and visible if one line covers the other.
            encoding["strokeDash"] = Chart.series(series.map { ($0.name, $0.name == dashed ? [6, 4] : [1, 0]) })
        }
        return Chart.layer(rows, ["type": "line", "strokeWidth": 2, "strokeJoin": "round"], .object(encoding))
    }

    private func stack(
        _ rows: [JSONValue],
        title: String,
        series: [(name: String, colour: Chart.Colour)],
        height: Int64,
        isLast: Bool
    ) -> JSONValue {
        var encoding: [String: JSONValue] = [
            "x": timeAxis(hasTitle: isLast),
            "y": Chart.quantity("value", axis: ["title": .string(title), "tickCount": 5]),
            "order": Chart.quantity("order"),
        ]
        // A series named by the axis needs no legend.
        if title != "\(series[0].name) [1/s]" { encoding["color"] = Chart.colours(series) }
        return [
            "width": .integer(Chart.width), "height": .integer(height), "data": ["values": .array(rows)],
            "mark": ["type": "area", "interpolate": "step-after", "clip": true, "color": series[0].colour.json],
            "encoding": .object(encoding),
        ]
    }

    /// The parts that are shown but not counted, in grey.
    private var unmeasured: [JSONValue] {
        unmeasuredSpan.map { [Chart.shade([$0], opacity: 0.2, x: timeAxis())] } ?? []
    }

    private var unmeasuredName: [JSONValue] {
        guard let span = unmeasuredSpan else { return [] }
        return Chart.textLayers(
            [span],
            mark: Chart.hanging("left", offset: 4),
            encoding: ["x": timeAxis(), "y": Chart.bottomTextLine, "text": ["field": "name"]]
        )
    }

    /// The faults, with their names above the name of the uncounted part.
    private var faults: [JSONValue] {
        Chart.faultRows(course.faults, within: stretch, firstLine: unmeasuredSpan == nil ? 0 : 1, time: time)
    }

    private var unmeasuredSpan: JSONValue? {
        guard let first = drawn.windows.first, let last = drawn.windows.last, first.start < course.measuredFrom else {
            return nil
        }
        return [
            "from": time(first.start), "until": time(min(course.measuredFrom, last.start + last.length)),
            "line": 0, "name": "not measured",
        ]
    }
}
