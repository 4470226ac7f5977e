public import Evaluation
import LiveActivityModel
import TextFormats

extension ResultComparison {
    /// The responses that are compared by default: coverage of ride time, stage lags, ages during rides, recovery,
    /// cards left behind, and the price in pushes.
    ///
    /// Shares and ages over all time on screens are left out, because they improve if screens die in a blackout.
    public static let usual: [Response] = [
        Response(metric: "ride_fresh_coverage_ratio"), Response(metric: "ride_stage_coverage_ratio"),
        Response(metric: "stage_lag_us"), Response(metric: "stage_lag_us", statistic: "p95"),
        Response(metric: "age_of_information_us", scope: "during_ride"),
        Response(metric: "age_of_information_us", scope: "during_ride", statistic: "p95"),
        Response(metric: "age_of_information_us", scope: "during_ride", statistic: "p99"),
        Response(metric: "activities_ended_count", scope: "reason:system_limit"),
        Response(metric: "recovery_time_us", statistic: "p95"), Response(metric: "ended_severe_count"),
        Response(metric: "false_kill_count"), Response(metric: "pushes_per_activity"),
        Response(metric: "send_wait_us", statistic: "p99"), Response(metric: "fresh_time_ratio"),
        Response(metric: "activities_started_count"),
    ]

    /// The responses by which cohorts are compared by default: means and shares, which do not grow with the share of a cohort.
    static let usualOfCohorts: [Response] = [
        Response(metric: "ride_fresh_coverage_ratio"), Response(metric: "ride_stage_coverage_ratio"),
        Response(metric: "stage_lag_us"), Response(metric: "stage_lag_us", statistic: "p95"),
        Response(metric: "age_of_information_us"), Response(metric: "age_of_information_us", statistic: "p95"),
        Response(metric: "age_of_information_us", statistic: "p99"), Response(metric: "pushes_per_activity"),
        Response(metric: "pushes_per_live_hour"),
    ]

    /// The responses that are compared by default, too, if their mechanism is on.
    private static let onCards: [Response] = [
        "eta_error_us", "ride_photo_missing_time_ratio", "ride_misleading_coverage_ratio",
    ]
    .map { Response(metric: $0) }

    /// Returns the responses of cards whose mechanism is on in all of some scenarios.
    static func onCards(of scenarios: Scenario...) -> [Response] {
        onCards.filter { response in !scenarios.contains { response.isOff(in: $0) } }
    }

    /// Returns the differences that make some metrics not comparable, in the order of the scenario.
    public static func differingBases(of metrics: [MetricComparison]) -> [String] {
        metrics.flatMap(\.differingBases).unique
    }

    /// Returns the name of a basis in reports: the path of a setting, or the population of a mean in words.
    public static func called(_ basis: String) -> String { words[basis] ?? basis }

    private static let words = [
        "displayed_fresh_time_ratio.denominator": "the time on screens",
        "recovered_ratio.denominator": "the number of stale episodes",
        "wrong_stage_time_ratio.denominator": "the time on screens during rides",
    ]

    /// Returns the remarks on a comparison, in sentences.
    ///
    /// - Parameter points: The number of points that both have.
    static func notes(
        _ first: RecordedResults,
        _ second: RecordedResults,
        _ options: Options,
        _ metrics: [MetricComparison],
        points: Int
    ) -> [String] {
        var notes: [String] = []
        let counts = (first.replications, second.replications)
        let isOfCohorts = options.cohorts != nil
        let isSameInput = first.id == second.id && counts.0 == counts.1 && !first.isLoad && !isOfCohorts
        if isSameInput, first.fingerprint == second.fingerprint {
            notes.append(
                first.isSweep
                    ? "Both are the same sweep: the same scenario, seed and histories."
                    : "Both are the same run: the same scenario, seed and history."
            )
        } else if isSameInput {
            notes.append(
                "Scenario and seed are the same, but not the histories: the program has changed, or one is a live run."
            )
        }
        if points < first.pointCount || points < second.pointCount {
            notes.append(
                "Of \(first.pointCount) and \(second.pointCount) design points \(points) have the same levels in both sweeps; "
                    + "the others are left out."
            )
        }
        if !options.isUnpaired, counts.0 != counts.1 {
            notes.append(
                "The runs have \(counts.0) and \(counts.1) replications; only the first \(min(counts.0, counts.1)) of each are "
                    + "compared."
            )
        }
        let names = [options.names.atStart.first, options.names.atStart.second]
        if isOfCohorts {
            notes.append(
                "Cohorts share the sender, APNs and the budgets of their cell, so a difference may depend on the share of each. "
                    + "Run the share that is planned, too."
            )
        }
        for (name, results) in isOfCohorts ? [("The run", first)] : Array(zip(names, [first, second])) {
            if let wire = results.realTime {
                notes.append("\(name) ran in real time, at \(wire.speed) times wall-clock speed (APNs: \(wire.apns)).")
            }
            if results.isEndedEarly {
                notes.append(
                    "\(name) was ended early: its values cover only the part that ran, which may have had less load or other "
                        + "events than the whole. No metric has a verdict."
                )
            } else if results.isOfSomeShares {
                notes.append(
                    "\(name) was merged from only some of its load's shares; its counts and rates cover only those."
                )
            }
        }
        return notes + note(onChance: first, second, options) + note(withoutInterval: metrics) + note(on: metrics)
            + (first.isLoad ? [] : Self.notes(onOtherBases: metrics))
    }

    /// Returns the note on results with one replication.
    private static func note(
        onChance first: RecordedResults,
        _ second: RecordedResults,
        _ options: Options
    ) -> [String] {
        let parts = [first, second].map { $0.scenario.replications.antithetic ? $0.replications / 2 : $0.replications }
        guard parts.contains(where: { $0 < 2 }) else { return [] }
        if [first, second].contains(where: { $0.isLoad || $0.realTime != nil && !options.isUnpaired }) {
            return [
                "A live run has no replications, so the effect of chance is unknown and differences have no intervals. A "
                    + "difference beyond the noise may also be other work on the machine. Repeat both to see how much such "
                    + "runs vary."
            ]
        }
        if options.cohorts != nil {
            return [
                "There is one independent replication of the run, so the effect of chance is unknown and differences have no "
                    + "intervals. Run it with --replications 5 or more to get them."
            ]
        }
        return [
            options.isUnpaired
                ? "One replication of an independent run does not show the effect of chance, so no difference has a verdict. "
                    + "Run both with --replications 5 or more."
                : "There is one independent replication of a run, so the effect of chance is unknown and differences have no "
                    + "intervals. Run both with --replications 5 or more to get them."
        ]
    }

    /// Returns the note on replications that are left out because responses are undefined in them.
    private static func note(on metrics: [MetricComparison]) -> [String] {
        let partial = metrics.filter(\.isPartial).map(\.response).unique
        guard !partial.isEmpty else { return [] }
        return [
            "Undefined in some replications, which are left out (n counts the others): "
                + "\(partial.joined(separator: ", ")). The replications with a value are not a random sample."
        ]
    }

    /// Returns the note on metrics that have replications but no interval.
    private static func note(withoutInterval metrics: [MetricComparison]) -> [String] {
        let names = metrics.filter(\.isWithoutInterval).map(\.response).unique
        guard !names.isEmpty else { return [] }
        return [
            "No interval, because a few events or one heavy ride may decide: \(names.joined(separator: ", ")). A "
                + "difference counts only where such events cannot explain it."
        ]
    }

    /// Returns notes on metrics that are not comparable because a setting, a fault or a population differs.
    private static func notes(onOtherBases metrics: [MetricComparison]) -> [String] {
        func note(_ isOne: (String) -> Bool, _ advice: String) -> String? {
            let measured = metrics.filter { $0.verdict == .otherBasis && $0.differingBases.contains(where: isOne) }
            guard !measured.isEmpty else { return nil }
            let settings = differingBases(of: measured).filter(isOne).map(called)
            let names = measured.map(\.response).unique
            return
                "\(settings.joined(separator: " and ")) \(settings.count == 1 ? "differs" : "differ"), which changes what is "
                + "measured: \(names.joined(separator: ", ")) \(names.count == 1 ? "has" : "have") no verdict. \(advice)"
        }
        func isFault(_ path: String) -> Bool { path.hasPrefix("faults") }
        func isCount(_ path: String) -> Bool { path.hasSuffix("_count") || path.hasSuffix(".denominator") }
        return [
            note(
                { !isFault($0) && !isCount($0) && $0 != MetricComparison.basisOfEarlyEnd },
                "Stage coverage, stage lags and ages during rides are comparable in both runs."
            ),
            note(
                isFault,
                "These metrics cover only the activities that survive a fault: a longer fault ends more of them. Coverages of ride "
                    + "time and stage lags include what was lost."
            ),
            note(
                isCount,
                "The better values are of other episodes, activities or time on screens, and those that remain may be the easy "
                    + "ones."
            ),
        ]
        .compactMap(\.self)
    }
}
