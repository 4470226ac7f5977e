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
    /// The results of the present settings that are no design point, in the order of the sweep.
    public let presents: [PointResult]

    /// Merges the results of all tasks, one design point at a time.
    ///
    /// - Throws: ``MissingTasks``, or a `ScenarioError` if data files have changed meanwhile.
    public init(_ sweep: Sweep, from store: TaskStore) throws {
        self.sweep = sweep
        try MissingTasks.check(sweep, in: store)
        var responses: [String] = []
        var units: [String] = []
        var isShare: [Bool] = []
        func pointResult(_ point: DesignPoint) throws -> PointResult {
            let result = try SweepResult.runResult(of: point, sweep, from: store)
            let catalog = MetricCatalog(of: result.scenario)
            let resolved = try sweep.factors.responses.map { try $0.resolve(in: result.scenario, by: catalog) }
            responses = resolved.map(\.text)
            units = resolved.map(\.unit)
            isShare = resolved.map(\.isShare)
            let outcomes = try CheckOutcome.outcomes(of: sweep.checks, in: result, by: catalog)
            return PointResult(point: point, result: result, responses: resolved, outcomes: outcomes)
        }
        presents = try sweep.presents.map(pointResult)
        points = try sweep.points.map(pointResult)
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
        let replications = self[point].replications
        let values = replications.compactMap { $0[response]?.double }
        return values.count == replications.count ? values : nil
    }

    /// The result at an index of ``points``, or after them of ``presents``.
    public subscript(index: Int) -> PointResult {
        index < points.count ? points[index] : presents[index - points.count]
    }

    /// Returns the difference of a response at a point to the present settings in its world.
    ///
    /// It is that of the values of ``PointResult/rows``. Nil without present settings or a value, and if a setting that
    /// defines the response differs from the present one.
    public func change(of response: Int, at point: Int) -> PresentChange? {
        guard let present = sweep.present(of: point),
            sweep.factors.measuresAlike(
                sweep.factors.responses[response],
                self[present].point.levels,
                self[point].point.levels
            ),
            let value = self[point].rows[response]?.value?.double,
            let other = self[present].rows[response]?.value?.double
        else { return nil }
        let difference = DifferenceRule(count: sweep.replications)
            .flatMap { self.difference(of: response, from: present, to: point, by: $0) }
        return PresentChange(present: other, difference: value - other, chance: difference)
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
            event: max(self[first].eventSizes[response], self[second].eventSizes[response]),
            areCounts: units[response] == "count"
        )
    }
}

/// The difference of a value to that of the present settings, in the same worlds.
public struct PresentChange: Hashable, Sendable {
    /// The value of the present settings.
    public let present: Double
    /// The value less that of the present settings.
    public let difference: Double
    /// The mean difference of the replications with its reach of chance; nil for one replication, or if a replication
    /// has no value.
    public let chance: MeanDifference?

    /// The difference as a share of the present value; nil if that is 0.
    public var relative: Double? { present == 0 ? nil : difference / present.magnitude }
}

/// The pushes of a run and the rides that they were for, as simulated.
public struct PushVolume: Hashable, Sendable {
    /// The requests to APNs of any kind.
    public let pushes: Double
    /// The requested rides.
    public let rides: Double

    /// Creates the mean volume of some replications.
    init(_ total: Measurements, replications: Int) {
        pushes = Double(total.pushesSent) / Double(max(1, replications))
        rides = Double(total[.ridesRequested]) / Double(max(1, replications))
    }

    /// Creates a volume.
    public init(pushes: Double, rides: Double) { (self.pushes, self.rides) = (pushes, rides) }
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
    /// The pushes per replication.
    public let volume: PushVolume
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
        volume = PushVolume(result.total, replications: result.replications)
        events = result.total.eventCount
    }
}
