public import Evaluation
import InputFiles
import LiveActivityModel
import Quantities
import Results
import TextFormats

/// The time series of two runs in one plot.
extension Chart {
    /// Returns the freshness of screens over the day: the base dashed, the changed world as a solid line, with the
    /// latter's faults.
    ///
    /// - Parameters:
    ///   - base: The run to compare with.
    ///   - changed: A run with the same clock; nil for the base alone.
    ///   - goal: A goal of the share over the whole run, 0 to 1; nil for none.
    public static func overlay(base: RunResult, changed: RunResult?, goal: Double? = nil) -> Chart {
        let shown = changed ?? base
        let steps = TimeSteps(shown, atMost: largestStepCount).whileRidesArrive
        let courses = [("base", base)] + (changed.map { [("changed", $0)] } ?? [])
        return overlay(
            courses.map { name, result in
                let points = TimeSteps(result, atMost: largestStepCount).whileRidesArrive
                    .map { step in
                        // A share belongs to a whole step, so its mark is in the middle.
                        FreshCourse.Point(at: step.middle, share: step.share(.displayedFreshTime, of: .displayedTime))
                    }
                return (name, points)
            },
            of: shown.scenario,
            over: (steps.first?.from ?? .start)..<(steps.last?.until ?? .start),
            subtitle: (changed == nil ? "base" : "dashed: base; blue: changed, on the same random world")
                + (steps.map(\.length).max().map { "; in steps of \(Format.span($0.microseconds))" } ?? "")
                + FaultRecovery.remark(
                    on: FaultRecovery.all(in: shown),
                    after: steps.last?.until ?? .start,
                    by: ClockTime(shown.scenario)
                ),
            goal: goal
        )
    }

    /// Returns the freshness of screens over the day in two recorded runs, the first dashed, with the faults of the
    /// second.
    ///
    /// - Parameter names: The names of the two.
    /// - Returns: The chart; nil if neither run has a time series with activities on screens.
    static func overlay(
        base: RecordedResults,
        changed: RecordedResults,
        names: ResultComparison.Names
    ) throws(DataFileError) -> Chart? {
        let (before, after) = (try FreshCourse(base), try FreshCourse(changed))
        let stretches = [before.stretch, after.stretch].compactMap(\.self)
        guard let first = stretches.map(\.lowerBound).min(), let last = stretches.map(\.upperBound).max() else {
            return nil
        }
        let changes = ScenarioChange.changes(from: base.scenario, to: changed.scenario).map(\.path)
        let bases = Response(metric: "displayed_fresh_time_ratio").bases.map(\.rawValue).filter(changes.contains)
        return overlay(
            [(names.titles.first, before.points), (names.titles.second, after.points)],
            of: changed.scenario,
            over: first..<last,
            subtitle: (base.scenario.name == changed.scenario.name
                ? "\(base.scenario.name), \(names.first) dashed"
                : "\(names.first) dashed: \(base.scenario.name); \(names.second): \(changed.scenario.name)")
                + "; in steps of "
                + Format.span(after.step.microseconds)
                + (bases.first.map { "; not comparable because \($0) differs" } ?? "")
                + FaultRecovery.remark(
                    on: FaultRecovery.all(in: changed),
                    after: last,
                    by: ClockTime(changed.scenario)
                )
        )
    }

    /// Returns one or two time series, the first dashed.
    private static func overlay(
        _ courses: [(name: String, points: [FreshCourse.Point])],
        of scenario: Scenario,
        over stretch: Range<Instant>,
        subtitle: String,
        goal: Double? = nil
    ) -> Chart {
        let clock = ClockTime(scenario)
        let percents = courses.flatMap(\.points).compactMap { $0.share.map { $0 * 100 } }
        let axis = ShareAxis(percents + [goal].compactMap { $0.map { $0 * 100 } })
        let limit = goal.map { ["percent": .decimal($0 * 100, places: 3)] as JSONValue }
        let rows = courses.flatMap { name, points in
            points.map { row(at: .integer(clock.axisMilliseconds($0.at)), name, $0.share.map { $0 * 100 }) }
        }
        let day = day(scenario, stretch)
        // The names of the faults are above the plot, where no line crosses them, 14 px for each line.
        let names = if case .array(let faults)? = day["faults"] { min(faultLines, faults.count) } else { 0 }
        return Chart(
            template: "overlay",
            name: "overlay",
            // This is not the headline tile's share, which covers only the time of rides.
            title: "Fresh on phones, of screen time, leftover cards included",
            subtitle: subtitle + axis.remark
                + (goal.map { "; orange dashes: the goal for the whole run, \(Format.level($0))" } ?? ""),
            [
                "rows": .array(rows), "limits": .array([limit].compactMap(\.self)),
                "legendOffset": .integer(Int64(6 + 14 * names)),
                "dash": .array([[5, 4], [1, 0]].prefix(courses.count).map { $0 }),
            ],
            axis.values,
            day,
            series(zip(courses, [Colour.grey, .blue]).map { ($0.name, $1) })
        )
    }
}
