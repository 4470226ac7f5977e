public import Evaluation
import LiveActivityModel
import Statistics

/// A scenario's load compared with the simulation of the same world, metric by metric.
///
/// Both have the same rides and phones, and the same random draws for requests with the same ids. They differ only by
/// the effects of real time and a real protocol. Cells are compared in pairs, and their differences give the intervals.
public struct LiveComparison: Sendable {
    /// The largest difference allowed between the two values.
    public enum Tolerance: Hashable, Sendable {
        /// A difference in the unit of the metric.
        case absolute(Double)
        /// A difference as a share of the simulated value.
        case relative(Double)
    }

    /// The comparison of one metric.
    public struct Row: Hashable, Sendable {
        /// The text of the response.
        public let response: String
        /// The unit of its values.
        public let unit: String
        /// `true` if its values are shares of a whole.
        public let isShare: Bool
        /// The value in the simulation; nil if it is undefined.
        public let simulated: Double?
        /// The value in the load; nil if it is undefined.
        public let live: Double?
        /// The 95 % confidence interval of the mean difference of a cell, live minus simulated; nil if it cannot be
        /// estimated, for example with fewer than two cells.
        public let interval: ClosedRange<Double>?
        /// The largest difference allowed; nil if any is.
        public let tolerance: Tolerance?

        /// Live minus simulated.
        public var difference: Double? {
            simulated.flatMap { simulated in live.map { $0 - simulated } }
        }

        /// The verdict on the difference; nil if the metric does not have to agree.
        ///
        /// A difference beyond the tolerance may be chance if its interval reaches into what is allowed.
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

    /// A verdict on a metric that has to agree.
    public enum Verdict: Hashable, Sendable {
        case agrees
        case differs
        /// So few activities leave too much to chance.
        case open
    }

    /// The metrics, with those that have to agree first.
    public let rows: [Row]

    /// A sentence on a part of the card that is not compared, although the scenario has it; nil if there is none.
    public let remark: String?

    /// `true` if every metric that has to agree does.
    ///
    /// An open verdict is not agreement.
    public var agrees: Bool { rows.allSatisfy { $0.verdict ?? .agrees == .agrees } }

    /// The metrics that have to agree, with their tolerances: freshness within a percentage point, the mean age within
    /// 5 %.
    public static let deciding: [(response: Response, tolerance: Tolerance)] = [
        (Response(metric: "displayed_fresh_time_ratio"), .absolute(0.01)),
        (Response(metric: "fresh_time_ratio"), .absolute(0.01)),
        (Response(metric: "age_of_information_us"), .relative(0.05)),
    ]

    /// The metrics that are compared, too, if the scenario has groups.
    private static let ofGroups: [Response] = [
        Response(metric: "pushes_sent_count"), Response(metric: "pushes_sent_on_count"),
        Response(metric: "pushes_per_group_content"), Response(metric: "group_fan_out_us"),
        Response(metric: "group_last_phone_us"),
    ]

    /// The metrics that are compared.
    public enum Part: Hashable, Sendable {
        /// All the usual metrics.
        case everything
        /// The metrics of the screens, for a run with an external monitor: its cells know neither its beliefs nor its
        /// pushes.
        case screens

        fileprivate func includes(_ response: Response) -> Bool {
            let onScreens = [
                "displayed_fresh_time_ratio", "age_of_information_us", "peak_age_us", "activities_started_count",
                "eta_error_us", "ride_misleading_coverage_ratio",
            ]
            return self == .everything || onScreens.contains(response.metric)
        }
    }

    /// Compares two runs of one world.
    ///
    /// - Precondition: Both results are of the same scenario, with one replication of the same cells.
    public init(simulated: RunResult, live: RunResult, of part: Part = .everything) {
        precondition(simulated.cells.count == live.cells.count, "the same cells")
        let deciding = Self.deciding.filter { part.includes($0.response) }
        let told = deciding.map(\.response)
        let onCards = ResultComparison.onCards(of: simulated.scenario)
        let ofGroups = simulated.scenario.groups == nil ? [] : Self.ofGroups
        let others = (ResultComparison.usual + onCards + ofGroups).filter { part.includes($0) && !told.contains($0) }
            .map { ($0, Tolerance?.none) }
        let catalog = MetricCatalog(of: simulated.scenario)
        let lacksPhotos = simulated.scenario.devices.pictures != nil && simulated.scenario.pushesCarryPhotos
        remark =
            part == .screens && lacksPhotos
            ? "The driver's photo is not compared: an external monitor's pushes carry no photos." : nil
        rows = (deciding.map { ($0.response, Optional($0.tolerance)) } + others)
            .compactMap { response, tolerance in
                guard let resolved = try? response.resolve(in: simulated.scenario, by: catalog) else { return nil }
                return Row(
                    response: resolved.text,
                    unit: resolved.unit,
                    isShare: resolved.isShare,
                    simulated: resolved.value(in: simulated),
                    live: resolved.value(in: live),
                    interval: RunValues(ofCellsFor: resolved, in: simulated, by: catalog)
                        .difference(to: RunValues(ofCellsFor: resolved, in: live, by: catalog), of: resolved)?
                        .bounds,
                    tolerance: tolerance
                )
            }
    }
}
