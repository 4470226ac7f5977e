public import Evaluation
import LiveActivityModel
import ScenarioLanguage
public import SimulationKernel
public import Statistics

/// The result of a sweep: the responses of each design point with their intervals, and their values in each
/// replication.
public struct SweepResult: Sendable {
    public let sweep: Sweep
    /// The texts of the responses, which define the order of all lists below.
    public let responses: [String]
    /// The unit of each response.
    public let units: [String]
    /// For each response, `true` if it is a share of a whole.
    public let isShare: [Bool]
    /// The results of the points, in the order of the design.
    public let points: [PointResult]

    /// Merges the results of all tasks, one design point at a time.
    ///
    /// - Throws: ``MissingTasks``, or a `ScenarioError` if data files have changed meanwhile.
    public init(_ sweep: Sweep, from store: TaskStore) throws {
        self.sweep = sweep
        try MissingTasks.check(sweep, in: store)
        var responses: [String] = []
        var units: [String] = []
        var isShare: [Bool] = []
        points = try sweep.points.map { point in
            let result = try SweepResult.runResult(of: point, sweep, from: store)
            let catalog = MetricCatalog(of: result.scenario)
            let resolved = try sweep.factors.responses.map { try $0.resolve(in: result.scenario, by: catalog) }
            responses = resolved.map(\.text)
            units = resolved.map(\.unit)
            isShare = resolved.map(\.isShare)
            let outcomes = try CheckOutcome.outcomes(of: sweep.experiment.checks, in: result, by: catalog)
            return PointResult(point: point, result: result, responses: resolved, outcomes: outcomes)
        }
        self.responses = responses
        self.units = units
        self.isShare = isShare
    }

    /// Returns the result of one design point in the form of an ordinary run.
    ///
    /// - Throws: ``MissingTasks``, or a `ScenarioError` if data files have changed meanwhile.
    public static func runResult(of point: DesignPoint, _ sweep: Sweep, from store: TaskStore) throws -> RunResult {
        let world = try sweep.world(of: point)
        let tasks = sweep.tasks(of: point)
        var results = ReplicationResults()
        var parts: [TaskResult] = []
        for number in tasks.indices {
            guard let part = store.result(of: tasks[number], in: world) else {
                throw MissingTasks(numbers: [number], of: sweep.tasks.count, first: tasks[number])
            }
            parts.append(part)
            // Tasks are in the order of replications.
            guard number + 1 == tasks.endIndex || tasks[number + 1].replication != part.replication else { continue }
            results.append(parts)
            parts = []
        }
        return RunResult(scenario: world.scenario, results)
    }

    /// The hash of all histories.
    public var fingerprint: Fingerprint {
        var combined = Fingerprint()
        for point in points { combined.combine(point.fingerprint.value) }
        return combined
    }

    /// Returns the values of a response by point and replication; nil if any is undefined.
    ///
    /// - Complexity: O(*points* · *replications*).
    public func samples(of response: Int) -> [[Double]]? {
        samples(of: response, at: Array(points.indices))
    }

    /// Returns the values of a response at some points, by point and replication; nil if any is undefined.
    func samples(of response: Int, at points: [Int]) -> [[Double]]? {
        let samples = points.compactMap { self.samples(of: response, at: $0) }
        return samples.count == points.count ? samples : nil
    }

    /// Returns the values of a response at a point, by replication; nil if any is undefined.
    public func samples(of response: Int, at point: Int) -> [Double]? {
        let values = points[point].replications.compactMap { $0[response]?.double }
        return values.count == points[point].replications.count ? values : nil
    }

    /// Returns the indices of the points whose runs can show a response.
    public func measuredPoints(of response: Int) -> [Int] {
        points.indices.filter { points[$0].rows[response]?.unmet == nil }
    }

    /// Returns the difference of a response between two points in the same worlds, second minus first.
    ///
    /// Nil if a replication has no value.
    ///
    /// - Parameter rule: The rule for this number of replications.
    public func difference(
        of response: Int,
        from first: Int,
        to second: Int,
        by rule: DifferenceRule
    ) -> MeanDifference? {
        guard let ours = samples(of: response, at: first), let theirs = samples(of: response, at: second) else {
            return nil
        }
        return rule.difference(
            ours,
            theirs,
            event: max(points[first].eventSizes[response], points[second].eventSizes[response]),
            areCounts: units[response] == "count"
        )
    }
}

/// The result of one design point.
public struct PointResult: Sendable {
    /// The design point.
    public let point: DesignPoint
    /// The responses with their intervals in the form of a run's summary, for files: counts are sums over the
    /// replications.
    public let sums: [SummaryRow?]
    /// The responses for people: counts are means over the replications.
    public let rows: [SummaryRow?]
    /// The responses of each replication; nil if undefined, as a share of nothing is, or not measured.
    public let replications: [[SummaryRow.Value?]]
    /// For each response, the change of the mean by one event of the heaviest kind, for ``DifferenceRule``.
    public let eventSizes: [Double]
    /// The outcomes of the file's checks at this point.
    public let outcomes: [CheckOutcome]
    /// The hash of the point's histories.
    public let fingerprint: Fingerprint
    /// The number of activities started, over all replications.
    public let activities: Int64
    /// The number of effective events, over all replications.
    public let events: UInt64

    init(point: DesignPoint, result: RunResult, responses: [ResolvedResponse], outcomes: [CheckOutcome]) {
        self.point = point
        sums = responses.map { response in
            let row = response.row(in: result)
                .map { $0.interval == nil && $0.gap == nil ? $0.spread(by: response, over: result) : $0 }
            return response.measured(row, in: result.scenario)
        }
        let isMeasured = sums.map { $0?.unmet == nil }
        rows = zip(responses, sums).map { $0.isSum ? $1?.perReplication(result.replications) : $1 }
        let values = (0..<result.replications)
            .map { replication in
                zip(responses, isMeasured)
                    .map { $1 ? $0.row(in: result, replication: replication)?.value : nil }
            }
        replications = values
        eventSizes = responses.indices.map { index in
            responses[index]
                .eventSize(
                    of: values.compactMap { $0[index]?.double },
                    heaviest: responses[index].heaviestMove(in: result)
                )
        }
        self.outcomes = outcomes
        fingerprint = result.fingerprint
        activities = result.total[.activitiesStarted]
        events = result.total.eventCount
    }
}
