import Experiments
import LiveActivityModel
import Quantities
import TextFormats

/// Charts over the time of day.
extension Chart {
    /// What screens showed fresh and what the monitor believed fresh, with the faults.
    static func freshness(_ result: RunResult) -> Chart {
        let steps = TimeSteps(result, atMost: largestStepCount).whileRidesArrive
        let clock = ClockTime(result.scenario)
        let shown = "fresh on phones"
        let believed = "fresh, the monitor believes"
        var rows: [JSONValue] = []
        for step in steps {
            func row(_ series: String, _ share: Double?) -> JSONValue {
                let middle = Instant(microseconds: step.from.microseconds + step.length.microseconds / 2)
                return [
                    "from": .integer(clock.axisMilliseconds(middle)),
                    "percent": share.map { .decimal($0 * 100, places: 3) } ?? .null,
                    "series": .string(series),
                ]
            }
            rows.append(row(shown, step.share(.displayedFreshTime, of: .displayedTime)))
            rows.append(row(believed, step.share(.freshTime, of: .monitoredTime)))
        }
        let lines: JSONValue = [
            "data": ["values": .array(rows)],
            "mark": ["type": "line", "strokeWidth": 2],
            "encoding": [
                "x": timeAxis(result, steps),
                "y": percentAxis("share of live time [%]"),
                "color": colours([(believed, .orange), (shown, .blue)]),
            ],
        ]
        let times = result.total.times
        let isShown = times.displayed > 0
        return Chart(
            name: "freshness",
            title: isShown
                ? "Fresh on phones \(Prose.percent(times.displayedFresh, of: times.displayed)) of the time; "
                    + "\(result.scenario.monitor.enabled ? "the monitor" : "the server") believes "
                    + Prose.percent(times.fresh, of: times.monitored)
                : "Freshness: nothing was on a screen",
            subtitle: subtitle(result, steps),
            layers: faultLayers(result, steps) + [lines] + faultNames(result, steps),
            resolve: ["scale": ["y": "independent"]]
        )
    }

    /// The monitor's buckets, as shares of the time that it watched.
    static func classes(_ result: RunResult) -> Chart {
        let steps = TimeSteps(result, atMost: largestStepCount).whileRidesArrive
        let series: [(name: String, column: SeriesColumn, colour: Colour)] = [
            ("fresh", .freshTime, .skyBlue), ("stale but recoverable", .recoverableTime, .orange),
            ("severely stale", .severeTime, .vermillion),
        ]
        let rows = stackedRows(result, steps, field: "percent", series: series.map(\.name)) { step, index in
            (step.share(series[index].column, of: .monitoredTime) ?? 0) * 100
        }
        let times = result.total.times
        return Chart(
            name: "classes",
            title: times.monitored > 0
                ? "The monitor believes \(Prose.percent(times.fresh, of: times.monitored)) fresh, "
                    + "\(Prose.percent(times.recoverable, of: times.monitored)) recoverable, "
                    + "\(Prose.percent(times.severe, of: times.monitored)) severe"
                : "Buckets of the monitor: it watched nothing",
            subtitle: subtitle(result, steps),
            layers: [
                stack(
                    rows,
                    x: timeAxis(result, steps),
                    y: percentAxis("share of monitored time [%]"),
                    colours: colours(series.map { ($0.name, $0.colour) })
                )
            ]
        )
    }

    /// Pushes by kind.
    static func pushes(_ result: RunResult) -> Chart {
        let steps = TimeSteps(result, atMost: largestStepCount).whileRidesArrive
        let series: [(name: String, column: SeriesColumn, colour: Colour)] = [
            ("updates", .updatesSent, .skyBlue), ("retries", .retriesSent, .orange),
            ("ends", .endsSent, .reddishPurple), ("starts", .startsSent, .bluishGreen),
        ]
        let rows = stackedRows(result, steps, field: "rate", series: series.map(\.name)) { step, index in
            let count = Double(step[series[index].column])
            return count / Double(result.replications) * 60e6 / Double(max(1, step.length.microseconds))
        }
        let sent = [Counter.updatesSent, .retriesSent, .endsSent, .startsSent].reduce(0) { $0 + result.total[$1] }
        return Chart(
            name: "pushes",
            title: sent > 0
                ? "\(Prose.count(sent)) pushes, \(Prose.percent(result.total[.retriesSent], of: sent)) of them retries"
                : "Pushes by kind: none was sent",
            subtitle: subtitle(result, steps),
            layers: [
                stack(
                    rows,
                    x: timeAxis(result, steps),
                    y: ["field": "rate", "type": "quantitative", "axis": ["title": "pushes sent [1/min]"]],
                    colours: colours(series.map { ($0.name, $0.colour) })
                )
            ]
        )
    }

    private static func subtitle(_ result: RunResult, _ steps: [TimeSteps.Step]) -> String {
        let step = steps.map(\.length).max() ?? .zero
        return "\(result.scenario.name), seed \(result.scenario.seed), \(replications(result)), "
            + "in steps of \(Prose.span(step.microseconds))"
    }

    /// Rows for areas that go in steps: a value holds from its row to the next, so the last one is repeated at the end.
    private static func stackedRows(
        _ result: RunResult,
        _ steps: [TimeSteps.Step],
        field: String,
        series: [String],
        value: (TimeSteps.Step, Int) -> Double
    ) -> [JSONValue] {
        let clock = ClockTime(result.scenario)
        let moments = steps.map { (at: $0.from, step: $0) } + steps.suffix(1).map { (at: $0.until, step: $0) }
        return moments.flatMap { moment in
            series.indices.map { index in
                [
                    "from": .integer(clock.axisMilliseconds(moment.at)),
                    field: .decimal(value(moment.step, index), places: 3),
                    "series": .string(series[index]),
                    "order": .integer(Int64(index)),
                ]
            }
        }
    }

    private static func stack(_ rows: [JSONValue], x: JSONValue, y: JSONValue, colours: JSONValue) -> JSONValue {
        [
            "data": ["values": .array(rows)],
            "mark": ["type": "area", "interpolate": "step-after", "clip": true],
            "encoding": ["x": x, "y": y, "color": colours, "order": ["field": "order", "type": "quantitative"]],
        ]
    }
}
