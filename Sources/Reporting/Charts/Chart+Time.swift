import Evaluation
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
        let time = result.total.time(_:)
        let hasBelief = result.scenario.monitor.enabled && time(.monitoredTime) > 0
        let points = steps.flatMap { step in
            let series = [
                (shown, step.share(.displayedFreshTime, of: .displayedTime)),
                (believed, step.share(.freshTime, of: .monitoredTime)),
            ]
            return series.prefix(hasBelief ? 2 : 1)
                .map { (at: clock.axisMilliseconds(step.middle), series: $0, percent: $1.map { $0 * 100 }) }
        }
        let limits = steps.isEmpty ? [] : checks.limits(of: "displayed_fresh_time_ratio")
        let axis = ShareAxis(points.compactMap(\.percent) + limits.map { $0 * 100 })
        let levels = limits.map(Format.level).unique.enumeration
        return Chart(
            template: "freshness",
            name: "freshness",
            title: time(.displayedTime) > 0
                ? "Fresh \(Format.percent(time(.displayedFreshTime), of: time(.displayedTime))) of screen time"
                    + (hasBelief
                        ? "; believed \(Format.percent(time(.freshTime), of: time(.monitoredTime))) of watched time"
                        : "")
                : "Freshness: nothing was on a screen",
            subtitle: "\(subtitle(result, steps)); screen time includes leftover cards" + axis.remark
                + (limits.isEmpty ? "" : "; dashed: the limit for the whole run, \(levels)")
                + FaultRecovery.remark(
                    on: FaultRecovery.all(in: result),
                    after: steps.last?.until ?? .start,
                    by: clock
                ),
            [
                "rows": .array(points.map { row(at: .integer($0.at), $0.series, $0.percent) }),
                "limits": .array(limits.map { ["percent": .decimal($0 * 100, places: 3)] }),
                "shareTitle": .string(
                    hasBelief ? "share of screen time or watched time [%]" : "share of screen time [%]"
                ),
            ],
            axis.values,
            day(result, steps),
            series((hasBelief ? [(believed, .orange)] : []) + [(shown, .blue)])
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
            field: "percent",
            [
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
            field: "rate",
            [
                ("updates", .updatesSent, .skyBlue), ("retries", .retriesSent, .orange),
                ("ends", .endsSent, .reddishPurple), ("starts", .startsSent, .bluishGreen),
            ]
        ) { step, column in
            Double(step[column]) / Double(result.replications) * 60e6 / Double(max(1, step.length.microseconds))
        }
    }

    /// Returns stacked areas in steps: a value holds from its row to the next, so the last one is repeated at the end.
    private static func areas(
        _ result: RunResult,
        name: String,
        title: String,
        field: String,
        _ areas: [(name: String, column: SeriesColumn, colour: Colour)],
        value: (TimeSteps.Step, SeriesColumn) -> Double
    ) -> Chart {
        let steps = TimeSteps(result, atMost: largestStepCount).whileRidesArrive
        let clock = ClockTime(result.scenario)
        let moments = steps.map { (at: $0.from, step: $0) } + steps.suffix(1).map { (at: $0.until, step: $0) }
        let rows = moments.flatMap { moment in
            areas.enumerated()
                .map { order, area -> JSONValue in
                    [
                        "from": .integer(clock.axisMilliseconds(moment.at)),
                        field: .decimal(value(moment.step, area.column), places: 3),
                        "series": .string(area.name), "order": .integer(Int64(order)),
                    ]
                }
        }
        return Chart(
            template: "areas",
            name: name,
            title: title,
            subtitle: subtitle(result, steps),
            ["rows": .array(rows), "y": .string(field)],
            // Stacked shares add up to the whole.
            ShareAxis([0]).values,
            day(result, steps),
            series(areas.map { ($0.name, $0.colour) })
        )
    }
}
