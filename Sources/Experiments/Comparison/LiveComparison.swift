import LiveActivityModel
import Statistics

/// A run in real time against the simulation of the same world: whether they agree, metric by metric.
///
/// Both have the same rides and phones, and the same luck where requests have the same ids; what differs is what real time
/// and a real protocol do to them. Cells are compared in pairs, and their differences give the intervals.
public struct LiveComparison: Sendable {
    /// How far apart the two may be.
    public enum Tolerance: Hashable, Sendable {
        /// So far, in the unit of the metric.
        case absolute(Double)
        /// So far, as a part of the simulated value.
        case relative(Double)
    }

    /// One metric.
    public struct Row: Hashable, Sendable {
        /// The response as it is written.
        public let response: String
        /// The unit of its values.
        public let unit: String
        /// Whether its values are parts of a whole.
        public let isShare: Bool
        /// The value of the simulation; nil where it has none.
        public let simulated: Double?
        /// The value in real time.
        public let live: Double?
        /// How far chance reaches about the mean difference of a cell, live minus simulated, at 95 %; nil without an estimate, as below
        /// two cells.
        public let interval: ClosedRange<Double>?
        /// How far apart the values may be; nil where anything goes.
        public let tolerance: Tolerance?

        /// Live minus simulated.
        public var difference: Double? {
            simulated.flatMap { simulated in live.map { $0 - simulated } }
        }

        /// Whether the values are as near to each other as they have to be; nil where nothing is asked.
        ///
        /// By their difference. Where it is too large but its interval reaches into what is allowed, it may be chance.
        public var verdict: Verdict? {
            guard let tolerance else { return nil }
            guard let difference, let simulated else { return simulated == nil && live == nil ? .agrees : .differs }
            let limit =
                switch tolerance {
                case .absolute(let limit): limit
                case .relative(let share): share * simulated.magnitude
                }
            if difference.magnitude <= limit { return .agrees }
            return interval?.overlaps(-limit...limit) ?? false ? .open : .differs
        }
    }

    /// What can be said of a metric that has to agree.
    public enum Verdict: Hashable, Sendable {
        case agrees
        case differs
        /// There is too much chance in so few activities.
        case open
    }

    /// Metric by metric; those that decide come first.
    public let rows: [Row]

    /// Whether all that decides agrees; what is open does not.
    public var agrees: Bool { rows.allSatisfy { $0.verdict ?? .agrees == .agrees } }

    /// What has to agree, and how nearly: freshness within a percentage point, the mean age within 5 %.
    public static let deciding: [(response: Response, tolerance: Tolerance)] = [
        (Response(metric: "displayed_fresh_time_ratio"), .absolute(0.01)),
        (Response(metric: "fresh_time_ratio"), .absolute(0.01)),
        (Response(metric: "age_of_information_us"), .relative(0.05)),
    ]

    /// What of two runs is compared.
    public enum Part: Hashable, Sendable {
        /// All that is usually compared.
        case everything
        /// What screens show: for a run whose monitor is outside, so that the cells know nothing of its belief and pushes.
        case screens

        fileprivate func includes(_ response: Response) -> Bool {
            let onScreens = [
                "displayed_fresh_time_ratio", "age_of_information_us", "peak_age_us", "activities_started_count",
            ]
            return self == .everything || onScreens.contains(response.metric)
        }
    }

    /// Compares two runs of one world.
    ///
    /// - Precondition: Both are of the same scenario, with one replication of the same cells each.
    public init(simulated: RunResult, live: RunResult, of part: Part = .everything) {
        precondition(simulated.cells.count == live.cells.count, "the same cells")
        let deciding = Self.deciding.filter { part.includes($0.response) }
        let told = deciding.map(\.response)
        let others = RunComparison.usual.filter { part.includes($0) && !told.contains($0) }
            .map { ($0, Tolerance?.none) }
        let catalog = MetricCatalog(of: simulated.scenario)
        rows = (deciding.map { ($0.response, Optional($0.tolerance)) } + others)
            .compactMap { response, tolerance in
                guard let resolved = try? response.resolve(in: simulated.scenario, by: catalog) else { return nil }
                func values(_ result: RunResult) -> RunValues {
                    var values = RunValues(
                        result.cells.map { Self.value(of: resolved, in: $0, simulated.scenario) },
                        isAntithetic: false
                    )
                    // In one of the cells.
                    values.heaviest = resolved.heaviestMove(in: result) * Double(result.cells.count)
                    return values
                }
                return Row(
                    response: resolved.text,
                    unit: resolved.unit,
                    isShare: resolved.isShare,
                    simulated: resolved.value(in: simulated),
                    live: resolved.value(in: live),
                    interval: values(simulated).difference(to: values(live), of: resolved)?.bounds,
                    tolerance: tolerance
                )
            }
    }

    private static func value(of response: ResolvedResponse, in cell: CellResult, _ scenario: Scenario) -> Double? {
        response.value(in: RunResult(scenario: scenario, cells: [cell]))
    }
}
