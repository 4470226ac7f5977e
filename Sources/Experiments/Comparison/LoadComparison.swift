import LiveActivityModel

/// Two tests in real time of one kind, compared metric by metric.
///
/// A test in real time has no replications, so no difference has an interval: what it comes to may be chance, and the
/// machine's other work.
public struct LoadComparison: ComparedResults {
    /// The results that the others are held against.
    public let first: RecordedLoad
    /// The results that are judged.
    public let second: RecordedLoad
    /// What the second was asked otherwise.
    public let changes: [ScenarioChange]
    /// The metrics in the order of telling.
    public let metrics: [MetricComparison]
    /// How they were compared; whether in pairs means nothing here.
    public let options: RunComparison.Options
    /// What a reader must know, in sentences.
    public let notes: [String]

    /// The versions of the program that wrote the two.
    public var versions: ProgramVersions { ProgramVersions(first: first.version, second: second.version) }

    /// Compares two tests.
    ///
    /// - Throws: That they are of different commands, or do not have a metric that is asked for.
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
                        "\(name) was ended early: all its values are of the part that ran, in which less was asked or other things "
                        + "may have happened than in the whole. No metric has a verdict."
                }
                guard load.isOfSomeShares else { return nil }
                return "\(name) was merged of a part of its load's shares; its counts and rates are those of that part."
            }
        notes =
            ProgramVersions(first: first.version, second: second.version).notes + parts + [
                "One live run has no replications, so no difference carries an interval: what differs beyond the noise may be "
                    + "chance, or other work of the machine. Repeat both to see how far such runs lie apart."
            ]
    }

    /// A metric of both, whether it is among those that are told or not; nil where neither has it.
    package func compared(_ response: Response) -> MetricComparison? {
        guard [first, second].contains(where: { $0.has(response) }) else { return nil }
        return Self.compared(response, first, second, options, changes)
    }

    /// A metric of both, by the rules of those of which it is a mean: where more is stale on fewer screens, or fewer requests
    /// have an answer, no mean is better.
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

    /// In what the settings differ.
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

    /// The responses with a statistic each.
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
    /// A metric of two tests in real time.
    fileprivate init(
        _ response: Response,
        _ first: RecordedLoad,
        _ second: RecordedLoad,
        _ options: RunComparison.Options,
        changes: [ScenarioChange]
    ) {
        // A search finds its rate and a closed loop has none: there the rate says only where one began.
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
        // Even at one rate, an outage or a jam may come in the part that did not run.
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
        // Where nothing was measured any more something has gone wrong; a count of what did not come is 0, not missing.
        isLost = !hasPart && self.first != nil && self.second == nil && self.direction != .neutral
    }
}

extension [String] {
    /// Each once, in their order.
    fileprivate var unique: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
