import LiveActivityModel
import TextFormats

/// Two loads of one kind, compared metric by metric.
///
/// A load has no replications, so no difference has an interval: it may be chance, or other work on the machine.
public struct LoadComparison: ComparedResults {
    /// The baseline.
    public let first: RecordedLoad
    /// The candidate.
    public let second: RecordedLoad
    /// The settings that differ between the two.
    public let changes: [ScenarioChange]
    /// The metrics, in the order of the report.
    public let metrics: [MetricComparison]
    /// The options of the comparison; pairing has no meaning here.
    public let options: RunComparison.Options
    /// Remarks that readers need, in sentences.
    public let notes: [String]

    /// The versions of the program that wrote the two.
    public var versions: ProgramVersions { ProgramVersions(first: first.version, second: second.version) }

    /// Compares two tests.
    ///
    /// - Throws: ``ComparisonError`` if the tests are of different commands, or lack a requested metric.
    public init(
        _ first: RecordedLoad,
        _ second: RecordedLoad,
        _ options: RunComparison.Options = .init()
    ) throws(ComparisonError) {
        guard first.name == second.name else {
            throw .otherKinds(
                .init(directory: first.path, kind: .load(first.name)),
                .init(directory: second.path, kind: .load(second.name))
            )
        }
        let changes = Self.changes(from: first, to: second)
        let asked =
            options.responses.isEmpty
            ? Self.usual(first, second) : try Self.asked(options.responses, first, second)
        metrics = asked.map { Self.compared($0, first, second, options, changes) }
        self.first = first
        self.second = second
        self.changes = changes
        self.options = options
        let parts = [("A", first), ("B", second)]
            .compactMap { name, load -> String? in
                if load.isEndedEarly {
                    return
                        "\(name) was ended early: its values cover only the part that ran, which may have had less load "
                        + "or other events than the whole. No metric has a verdict."
                }
                guard load.isOfSomeShares else { return nil }
                return "\(name) was merged from only some of its load's shares; its counts and rates cover only those."
            }
        notes =
            ProgramVersions(first: first.version, second: second.version).notes + parts + [
                "A live run has no replications, so differences have no intervals. A difference beyond the noise may be "
                    + "chance, or other work on the machine. Repeat both to see how much such runs vary."
            ]
    }

    /// Returns a metric of both tests, reported or not; nil if neither has it.
    package func compared(_ response: Response) -> MetricComparison? {
        guard [first, second].contains(where: { $0.has(response) }) else { return nil }
        return Self.compared(response, first, second, options, changes)
    }

    /// Compares a metric, together with the counts that it is a mean over.
    ///
    /// No mean is better if more activities are stale on fewer screens, or if fewer requests have an answer.
    private static func compared(
        _ response: Response,
        _ first: RecordedLoad,
        _ second: RecordedLoad,
        _ options: RunComparison.Options,
        _ changes: [ScenarioChange]
    ) -> MetricComparison {
        func alone(_ response: Response) -> MetricComparison? {
            guard first.has(response), second.has(response) else { return nil }
            return MetricComparison(response, first, second, options, changes: changes)
        }
        var comparison = MetricComparison(response, first, second, options, changes: changes)
        for population in response.populations {
            guard let count = alone(population.count) else { continue }
            comparison = comparison.of(population: count, among: population.whole.flatMap(alone))
        }
        for failures in LoadMetrics.failures(without: response.metric) {
            guard let failures = alone(failures), failures.verdict == .worse else { continue }
            comparison = comparison.of(population: failures, among: nil)
        }
        return comparison
    }

    /// Returns the settings that differ.
    private static func changes(from first: RecordedLoad, to second: RecordedLoad) -> [ScenarioChange] {
        let (ours, theirs) = (first.settings, second.settings)
        let seeds: [ScenarioChange] =
            first.seed == second.seed
            ? [] : [ScenarioChange(path: "seed", first: "\(first.seed)", second: "\(second.seed)")]
        let names = ours.map(\.name) + theirs.map(\.name).filter { name in !ours.contains { $0.name == name } }
        return seeds
            + names.compactMap { name in
                func value(_ settings: [(name: String, value: String)]) -> String? {
                    settings.first { $0.name == name }.flatMap { $0.value.isEmpty ? nil : $0.value }
                }
                let (one, other) = (value(ours), value(theirs))
                return one == other ? nil : ScenarioChange(path: name, first: one, second: other)
            }
    }

    private static func usual(_ first: RecordedLoad, _ second: RecordedLoad) -> [Response] {
        let rows = first.rows + second.rows
        return LoadMetrics.usual.flatMap { metric, statistics -> [Response] in
            let scopes = rows.filter { $0.metric == metric }.map(\.scope)
            let parts = scopes.contains("all") ? ["all"] : scopes.unique
            return parts.flatMap { scope in
                statistics.filter { statistic in
                    rows.contains { $0.metric == metric && $0.scope == scope && $0.statistic == statistic }
                }
                .map { Response(metric: metric, scope: scope, statistic: $0) }
            }
        }
    }

    /// Returns the requested responses, each with a statistic.
    private static func asked(
        _ responses: [Response],
        _ first: RecordedLoad,
        _ second: RecordedLoad
    ) throws(ComparisonError) -> [Response] {
        var found: [Response] = []
        for response in responses {
            guard response.window == nil else { throw .overWindow(response) }
            let row = [first, second]
                .compactMap { $0.row(response.metric, scope: response.scope, statistic: response.statistic) }
                .first
            guard let row else {
                let names = (first.rows + second.rows).map(\.name).unique
                let short = names.map { String($0[..<($0.lastIndex(of: ".") ?? $0.endIndex)]) }
                let nearest = Suggestion.nearest(to: response.text, among: names + short)
                throw .unknownMetric(
                    response.text,
                    run: first.path,
                    advice: nearest.map { "did you mean \($0)?" } ?? "allowed: \(names.joined(separator: ", "))"
                )
            }
            var full = response
            full.statistic = row.statistic
            found.append(full)
        }
        return found
    }
}

extension MetricComparison {
    /// Compares a metric of two loads.
    fileprivate init(
        _ response: Response,
        _ first: RecordedLoad,
        _ second: RecordedLoad,
        _ options: RunComparison.Options,
        changes: [ScenarioChange]
    ) {
        // A search finds its rate and a closed loop has none: in both, the rate setting is only a start value.
        let isSearch = [first, second].allSatisfy(\.findsItsRate)
        let rows = [first, second]
            .map { $0.row(response.metric, scope: response.scope, statistic: response.statistic) }
        let metric = response.metric
        let direction = LoadMetrics.direction(of: metric)
        let isPart = response.scope != "all" && metric.hasSuffix("_count")
        self.response = response.text
        unit = rows.compactMap { $0?.unit }.first ?? "1"
        isShare = LoadMetrics.isShare(metric, unit: unit)
        self.direction = isPart ? .neutral : direction
        let isJudged = self.direction != .neutral
        let ofPlan =
            LoadMetrics.isOfPlan(metric) && isJudged
            && !(isSearch && metric.hasSuffix("_per_second"))
        // Even at the same rate, an outage may fall into the part that did not run.
        let hasPart = first.isEndedEarly || second.isEndedEarly
        let isOfSomeShares = ofPlan && (first.isOfSomeShares || second.isOfSomeShares)
        differingBases =
            (hasPart ? [Self.length] : []) + (isOfSomeShares ? [Self.shares] : [])
            + changes.map(\.path)
            .filter {
                LoadMetrics.isLength($0) && isJudged || ofPlan && LoadMetrics.plan.contains($0)
                    || LoadMetrics.isMeasured(metric, by: $0)
                    || response.isRedefined(by: $0)
            }
        self.first = rows[0]?.value
        self.second = rows[1]?.value
        interval = nil
        reach = nil
        counts = .liveRuns
        noise = (self.first?.magnitude ?? 0) * options.noise
        isSame = self.first != nil && self.first == self.second
        isPartial = false
        // A metric without any value has lost its data. A count of missing things is 0 then, not undefined.
        isLost = !hasPart && self.first != nil && self.second == nil && self.direction != .neutral
    }
}

extension [String] {
    /// The elements without duplicates, in order.
    fileprivate var unique: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
