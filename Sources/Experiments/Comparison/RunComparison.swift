import LiveActivityModel

/// Two recorded runs, compared metric by metric.
///
/// Runs of one world on the same seeds share their random draws. In each replication only the difference of the two
/// policies remains, and its interval is far narrower than the interval of either run (common random numbers).
public struct RunComparison: ComparedResults {
    /// The baseline.
    public let first: RecordedRun
    /// The candidate.
    public let second: RecordedRun
    /// The settings that differ between the scenarios.
    public let changes: [ScenarioChange]
    /// The metrics, in the requested order.
    public let metrics: [MetricComparison]
    /// The options of the comparison.
    public let options: Options
    /// Remarks that readers need to interpret the numbers, in sentences.
    public let notes: [String]

    /// The versions of the program that wrote the two.
    public var versions: ProgramVersions { ProgramVersions(first: first.version, second: second.version) }

    /// The options of a comparison.
    public struct Options: Hashable, Sendable {
        /// The largest difference that does not count, as a share of the first run's value.
        public var noise: Double
        /// `true` if the runs are compared as independent, with any rides and seeds.
        public var isUnpaired: Bool
        /// The responses to compare; ``usual`` if empty.
        public var responses: [Response]
        /// `true` if quotients are of the sums over all replications, as in a summary, instead of means over the
        /// replications' own quotients.
        public var isPooled = false

        /// Returns the level of each interval, so that together they hold all true differences in 19 of 20 comparisons
        /// (Bonferroni's correction).
        ///
        /// - Parameter count: The number of metrics that can be better or worse.
        public static func level(forJudged count: Int) -> Double { 1 - 0.05 / Double(max(1, count)) }

        /// Returns the level of each interval for a comparison of these responses.
        package static func level(for responses: [Response]) -> Double {
            level(forJudged: responses.count { MetricDirection(of: $0) != .neutral })
        }

        /// Creates options; by default half a percent of noise, in pairs, with the usual responses.
        public init(noise: Double = 0.005, isUnpaired: Bool = false, responses: [Response] = []) {
            self.noise = noise
            self.isUnpaired = isUnpaired
            self.responses = responses
        }
    }

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

    /// The overall verdict on all metrics.
    public enum Verdict: String, Hashable, Sendable {
        case better
        case worse
        case trade
        /// Nothing that has a direction differs by more than the noise.
        case noDifference = "no_difference"
        /// Nothing is certainly better or worse, but something may be.
        case unsure
        /// No metric with a direction could be judged: see ``MetricComparison/isUnjudged``.
        case nothingJudged = "nothing_judged"
    }

    /// Compares two runs.
    ///
    /// - Throws: ``ComparisonError`` if the runs are not comparable, or if a file is invalid.
    public init(_ first: RecordedRun, _ second: RecordedRun, _ options: Options = Options()) throws(ComparisonError) {
        let changes = ScenarioChange.changes(from: first.scenario, to: second.scenario)
        let obstacles = Self.obstacles(first, second, changes, options)
        guard obstacles.isEmpty else { throw .notComparable(obstacles) }
        let asked = options.responses.isEmpty ? Self.usual : options.responses
        let counts = asked.flatMap(\.populations).flatMap { [$0.count, $0.whole].compactMap(\.self) }
        let (resolved, firstValues, secondValues) = try Self.values(of: asked, and: counts, in: first, second, options)
        let isPart = first.isEndedEarly || second.isEndedEarly
        let level = Options.level(for: resolved.prefix(asked.count).map(\.response))
        let compared = resolved.indices.map { index in
            MetricComparison(
                resolved[index],
                firstValues[index],
                secondValues[index],
                options,
                changes: changes,
                isPart: isPart,
                level: index < asked.count ? level : 0.95
            )
            .asMeasured(resolved[index], in: first.scenario, and: second.scenario)
        }
        metrics = asked.indices.map { index in
            func comparison(of count: Response?) -> MetricComparison? {
                count.flatMap(counts.firstIndex).map { compared[asked.count + $0] }
            }
            return asked[index].populations
                .reduce(compared[index]) { result, population in
                    guard let count = comparison(of: population.count) else { return result }
                    return result.of(population: count, among: comparison(of: population.whole))
                }
        }
        self.first = first
        self.second = second
        self.changes = changes
        self.options = options
        notes =
            ProgramVersions(first: first.version, second: second.version).notes + Self.notes(first, second, options)
            + Self.notes(withoutInterval: metrics) + Self.notes(on: metrics) + Self.notes(onOtherBases: metrics)
    }

    /// Returns the responses, resolved by the first run's scenario, with their values in both runs; then the counts
    /// with theirs.
    private static func values(
        of asked: [Response],
        and counts: [Response],
        in first: RecordedRun,
        _ second: RecordedRun,
        _ options: Options
    ) throws(ComparisonError) -> ([ResolvedResponse], [RunValues], [RunValues]) {
        let catalog = MetricCatalog(of: first.scenario)
        let quotients = asked.map { options.isPooled ? try? $0.resolve(in: first.scenario, by: catalog).quotient : nil }
        let parts = quotients.flatMap { $0?.parts ?? [] }
        var (resolved, ours) = try values(of: asked, and: counts + parts, in: first)
        var (_, theirs) = try values(of: asked, and: counts + parts, in: second)
        let count = resolved.count - parts.count
        var place = count
        for (index, quotient) in quotients.enumerated() {
            guard let quotient else { continue }
            defer { place += quotient.parts.count }
            func pooled(_ values: [RunValues]) -> RunValues? {
                let shared = min(ours[index].values.count, theirs[index].values.count)
                let parts = values[place..<(place + 2)].map { options.isUnpaired ? $0 : $0.prefix(shared) }
                return quotient.values(parts[0], parts[1])
            }
            guard let one = pooled(ours), let other = pooled(theirs) else { continue }
            (ours[index], theirs[index]) = (one, other)
        }
        return (Array(resolved.prefix(count)), Array(ours.prefix(count)), Array(theirs.prefix(count)))
    }

    /// Returns the responses, resolved by the run's scenario, with their values; then the counts, which a run may lack.
    private static func values(
        of asked: [Response],
        and counts: [Response],
        in run: RecordedRun
    ) throws(ComparisonError) -> ([ResolvedResponse], [RunValues]) {
        let catalog = MetricCatalog(of: run.scenario)
        var resolved: [ResolvedResponse] = []
        for response in asked + counts {
            guard response.window == nil else { throw .overWindow(response) }
            do throws(ResponseError) {
                resolved.append(try response.resolve(in: run.scenario, by: catalog))
            } catch {
                throw .unknownResponse(response, run: run.path, error)
            }
        }
        let weights = resolved.map { response in
            response.weight.flatMap { try? $0.resolve(in: run.scenario, by: catalog) }
        }
        do throws(ScenarioError) {
            let isAntithetic = run.scenario.replications.antithetic
            let values = try run.values(of: resolved + weights.compactMap(\.self), required: asked.count)
            var ofWeights = values.dropFirst(resolved.count)
            let found = resolved.indices.map { index in
                let weight = weights[index].flatMap { _ in ofWeights.popFirst() }
                return RunValues(
                    values[index],
                    isAntithetic: isAntithetic,
                    of: resolved[index],
                    weights: weight ?? [],
                    in: run.scenario
                )
            }
            return (resolved, found)
        } catch {
            throw .unreadable(error)
        }
    }

    /// Returns the reasons why the two runs are not comparable.
    private static func obstacles(
        _ first: RecordedRun,
        _ second: RecordedRun,
        _ changes: [ScenarioChange],
        _ options: Options
    ) -> [ComparisonError.Obstacle] {
        var obstacles: [ComparisonError.Obstacle] = []
        if !options.isUnpaired, changes.isEmpty, first.id != second.id, first.isTitled(as: second),
            first.scenario.usesDataFiles
        {
            obstacles.append(.otherData(first.id, second.id))
        }
        return obstacles + Self.obstacles(of: changes, options)
    }

    /// Returns the changes that make a different world or different random draws.
    static func obstacles(of changes: [ScenarioChange], _ options: Options) -> [ComparisonError.Obstacle] {
        var obstacles: [ComparisonError.Obstacle] = []
        for change in changes {
            switch change.path.split(separator: ".").first {
            case "clock" where change.path != "clock.starts_at": obstacles.append(.otherClock(change))
            case "cells": obstacles.append(.otherCells(change))
            case "seed" where !options.isUnpaired: obstacles.append(.otherSeed(change))
            case "rides" where !options.isUnpaired && !change.isOfRefreshes: obstacles.append(.otherRides(change))
            case "replications" where !options.isUnpaired: obstacles.append(.otherPairing(change))
            default: break
            }
        }
        return obstacles
    }

    /// Returns the note on replications that are left out because responses are undefined in them.
    private static func notes(on metrics: [MetricComparison]) -> [String] {
        let partial = metrics.filter(\.isPartial).map(\.response)
        guard !partial.isEmpty else { return [] }
        return [
            "Undefined in some replications, which are left out (n counts the others): "
                + "\(partial.joined(separator: ", ")). The replications with a value are not a random sample."
        ]
    }

    /// Returns the note on metrics that have replications but no interval.
    static func notes(withoutInterval metrics: [MetricComparison]) -> [String] {
        let names = metrics.filter(\.isWithoutInterval).map(\.response)
            .reduce(into: [String]()) { names, name in if !names.contains(name) { names.append(name) } }
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
            return
                "\(settings.joined(separator: " and ")) \(settings.count == 1 ? "differs" : "differ"), which changes what is "
                + "measured: \(measured.map(\.response).joined(separator: ", ")) \(measured.count == 1 ? "has" : "have") no "
                + "verdict. \(advice)"
        }
        func isFault(_ path: String) -> Bool { path.hasPrefix("faults") }
        func isCount(_ path: String) -> Bool { path.hasSuffix("_count") || path.hasSuffix(".denominator") }
        return [
            note(
                { !isFault($0) && !isCount($0) && $0 != MetricComparison.length },
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

    /// Returns the differences that make some metrics not comparable, in the order of the scenario.
    public static func differingBases(of metrics: [MetricComparison]) -> [String] {
        metrics.flatMap(\.differingBases)
            .reduce(into: []) { known, basis in if !known.contains(basis) { known.append(basis) } }
    }

    /// Returns the name of a basis in reports: the path of a setting, or the population of a mean in words.
    public static func called(_ basis: String) -> String { words[basis] ?? basis }

    private static let words = [
        "displayed_fresh_time_ratio.denominator": "the time on screens",
        "recovered_ratio.denominator": "the number of stale episodes",
        "wrong_stage_time_ratio.denominator": "the time on screens during rides",
    ]

    private static func notes(_ first: RecordedRun, _ second: RecordedRun, _ options: Options) -> [String] {
        var notes: [String] = []
        let counts = (first.replications, second.replications)
        let isSameInput = first.id == second.id && counts.0 == counts.1
        if isSameInput, first.fingerprint == second.fingerprint {
            notes.append("Both are the same run: the same scenario, seed and history.")
        } else if isSameInput {
            notes.append(
                "Scenario and seed are the same, but not the histories: the program has changed, or one is a live run."
            )
        }
        if !options.isUnpaired, counts.0 != counts.1 {
            notes.append(
                "The runs have \(counts.0) and \(counts.1) replications; only the first \(min(counts.0, counts.1)) of each are "
                    + "compared."
            )
        }
        notes += [("A", first), ("B", second)]
            .compactMap { name, run in
                run.realTime.map {
                    "\(name) ran in real time, at \($0.speed) times wall-clock speed (APNs: \($0.apns))."
                }
            }
        notes += [("A", first), ("B", second)]
            .compactMap { name, run in
                guard run.isEndedEarly else { return nil }
                return
                    "\(name) was ended early: its values cover only the part that ran, which may have had other events "
                    + "than in the whole. No metric has a verdict."
            }
        let parts = [first, second].map { $0.scenario.replications.antithetic ? $0.replications / 2 : $0.replications }
        if options.isUnpaired, parts.contains(where: { $0 < 2 }) {
            notes.append(
                "One replication of an independent run does not show the effect of chance, so no difference has a verdict. Run both "
                    + "with --replications 5 or more."
            )
        } else if parts.contains(where: { $0 < 2 }) {
            let hasLive = [first, second].contains { $0.realTime != nil }
            notes.append(
                (hasLive ? "A live run has no replications" : "There is one independent replication of a run")
                    + ", so the effect of chance is unknown and differences have no intervals."
                    + (hasLive ? "" : " Run both with --replications 5 or more to get them.")
            )
        }
        return notes
    }
}

extension RecordedRun {
    /// Returns `true` if name and description are the same.
    ///
    /// They are part of the id, but do not affect the simulation.
    fileprivate func isTitled(as other: RecordedRun) -> Bool {
        scenario.name == other.scenario.name && scenario.description == other.scenario.description
    }
}

extension Scenario {
    /// `true` if the scenario reads other files.
    fileprivate var usesDataFiles: Bool {
        var scenario = self
        var columns = 0
        scenario.updateEmpiricalValues { _, _ in columns += 1 }
        return rides.trace != nil || columns > 0
    }
}
