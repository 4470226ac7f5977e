import Experiments
import LiveActivityModel
import Quantities
import TextFormats

/// Charts over the time of day.
extension Chart {
    /// Returns the freshness of screens and in the monitor's belief, with the faults and the limits of checks.
    static func freshness(_ result: RunResult, checks: CheckList = CheckList([])) -> Chart {
        let steps = TimeSteps(result, atMost: largestStepCount).whileRidesArrive
        let clock = ClockTime(result.scenario)
        let shown = "fresh on phones"
        let believed = "fresh, in the monitor's belief"
        let hasBelief = result.scenario.monitor.enabled && result.total.time(.monitoredTime) > 0
        let rows = steps.flatMap { step -> [JSONValue] in
            let middle = Instant(microseconds: step.from.microseconds + step.length.microseconds / 2)
            let series = [
                (shown, step.share(.displayedFreshTime, of: .displayedTime)),
                (believed, step.share(.freshTime, of: .monitoredTime)),
            ]
            return series.prefix(hasBelief ? 2 : 1)
                .map { series, share -> JSONValue in
                    [
                        "from": .integer(clock.axisMilliseconds(middle)), "series": .string(series),
                        "percent": share.map { .decimal($0 * 100, places: 3) } ?? .null,
                    ]
                }
        }
        let lines = layer(
            rows,
            // A share covers its whole step; a slope would begin before the fault.
            ["type": "line", "interpolate": "step", "strokeWidth": 2],
            [
                "x": timeAxis(result, steps), "y": percentAxis("share of live time [%]"),
                "color": colours((hasBelief ? [(believed, .orange)] : []) + [(shown, .blue)]),
            ]
        )
        let time = result.total.time(_:)
        return Chart(
            name: "freshness",
            title: time(.displayedTime) > 0
                ? "Fresh on phones \(Format.percent(time(.displayedFreshTime), of: time(.displayedTime))) of the time"
                    + (hasBelief
                        ? "; the monitor believes "
                            + Format.percent(time(.freshTime), of: time(.monitoredTime)) : "")
                : "Freshness: nothing was on a screen",
            subtitle: subtitle(result, steps),
            layers: faultLayers(result, steps) + [lines] + limits(checks, result, steps) + faultNames(result, steps),
            resolve: ["scale": ["y": "independent"]]
        )
    }

    /// Returns a dashed line at the limit of each check of a drawn metric.
    private static func limits(_ checks: CheckList, _ result: RunResult, _ steps: [TimeSteps.Step]) -> [JSONValue] {
        let limits = checks.limits(of: "displayed_fresh_time_ratio")
        guard !limits.isEmpty, let end = steps.last?.until else { return [] }
        let until = ClockTime(result.scenario).axisMilliseconds(end)
        let rows = limits.map { name, limit -> JSONValue in
            [
                "percent": .decimal(limit * 100, places: 3), "limit": .string("limit of the whole run: \(name)"),
                "from": .integer(until),
            ]
        }
        let y = quantity("percent", axis: .null, scale: ["domain": [0, 100], "nice": false])
        return [
            layer(rows, ["type": "rule", "strokeDash": [5, 4], "color": Colour.vermillion.json], ["y": y])
        ]
            + textLayers(
                rows,
                mark: ["align": "right", "baseline": "top", "dx": -4, "dy": 3],
                encoding: ["x": timeAxis(result, steps), "y": y, "text": ["field": "limit"]]
            )
    }

    /// Returns the monitor's classes as shares of the watched time; nil if the monitor is off or watched nothing.
    static func classes(_ result: RunResult) -> Chart? {
        let time = result.total.time(_:)
        guard result.scenario.monitor.enabled, time(.monitoredTime) > 0 else { return nil }
        return areas(
            result,
            name: "classes",
            title: "The monitor believes \(Format.percent(time(.freshTime), of: time(.monitoredTime))) fresh, "
                + "\(Format.percent(time(.recoverableTime), of: time(.monitoredTime))) recoverable, "
                + "\(Format.percent(time(.severeTime), of: time(.monitoredTime))) severe",
            y: percentAxis("share of monitored time [%]"),
            field: "percent",
            series: [
                ("fresh", .freshTime, .skyBlue), ("stale but recoverable", .recoverableTime, .orange),
                ("severely stale", .severeTime, .vermillion),
            ]
        ) { step, column in (step.share(column, of: .monitoredTime) ?? 0) * 100 }
    }

    /// Returns pushes per minute by kind; nil if there were none.
    static func pushes(_ result: RunResult) -> Chart? {
        let sent = result.total.pushesSent
        guard sent > 0 else { return nil }
        return areas(
            result,
            name: "pushes",
            title: "\(Format.count(mean: result.perReplication(sent))) pushes\(Report.perRun(result)), "
                + "\(Format.percent(result.total[.retriesSent], of: sent)) of them retries",
            y: quantity("rate", axis: ["title": "pushes sent [1/min]"]),
            field: "rate",
            series: [
                ("updates", .updatesSent, .skyBlue), ("retries", .retriesSent, .orange),
                ("ends", .endsSent, .reddishPurple), ("starts", .startsSent, .bluishGreen),
            ]
        ) { step, column in
            Double(step[column]) / Double(result.replications) * 60e6 / Double(max(1, step.length.microseconds))
        }
    }

    static func subtitle(_ result: RunResult, _ steps: [TimeSteps.Step]) -> String {
        let step = steps.map(\.length).max() ?? .zero
        return "\(subtitle(result)), in steps of \(Format.span(step.microseconds))"
    }

    /// Returns the axis of a share of time.
    static func percentAxis(_ title: String) -> JSONValue {
        quantity(
            "percent",
            axis: ["title": .string(title), "values": [0, 20, 40, 60, 80, 100]],
            scale: ["domain": [0, 100], "nice": false]
        )
    }

    /// Returns stacked areas in steps: a value holds from its row to the next, so the last one is repeated at the end.
    private static func areas(
        _ result: RunResult,
        name: String,
        title: String,
        y: JSONValue,
        field: String,
        series: [(name: String, column: SeriesColumn, colour: Colour)],
        value: (TimeSteps.Step, SeriesColumn) -> Double
    ) -> Chart {
        let steps = TimeSteps(result, atMost: largestStepCount).whileRidesArrive
        let clock = ClockTime(result.scenario)
        let moments = steps.map { (at: $0.from, step: $0) } + steps.suffix(1).map { (at: $0.until, step: $0) }
        let rows = moments.flatMap { moment in
            series.enumerated()
                .map { order, series -> JSONValue in
                    [
                        "from": .integer(clock.axisMilliseconds(moment.at)),
                        field: .decimal(value(moment.step, series.column), places: 3),
                        "series": .string(series.name), "order": .integer(Int64(order)),
                    ]
                }
        }
        return Chart(
            name: name,
            title: title,
            subtitle: subtitle(result, steps),
            layers: [
                layer(
                    rows,
                    ["type": "area", "interpolate": "step-after", "clip": true],
                    [
                        "x": timeAxis(result, steps), "y": y, "color": colours(series.map { ($0.name, $0.colour) }),
                        "order": quantity("order"),
                    ]
                )
            ]
        )
    }
}
