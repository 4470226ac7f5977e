public import Evaluation
import LiveActivityModel
import Statistics

/// A live run of a scenario, compared with the simulation of the same world.
///
/// Both have the same rides and phones, and the same random draws for requests with the same ids. They differ only by
/// the effects of real time and a real protocol. Cells are compared in pairs, and their differences give the intervals.
extension ResultComparison {
    /// `true` if every metric that has to agree does.
    ///
    /// An open verdict is not agreement.
    public var agrees: Bool { metrics.allSatisfy { $0.agreement ?? .agrees == .agrees } }

    /// The metrics that have to agree, with their tolerances: freshness within a percentage point, the mean age within
    /// 5 %.
    public static let deciding: [(response: Response, tolerance: MetricComparison.Tolerance)] = [
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

    /// The part of a live run that is compared.
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

    /// Compares a live run with its simulation: metrics that have to agree come first.
    ///
    /// A note names a part of the card that is not compared, although the scenario has it.
    ///
    /// - Precondition: Both results are of the same scenario, with one replication of the same cells.
    public init(simulated: RunResult, live: RunResult, of part: Part = .everything) {
        precondition(simulated.cells.count == live.cells.count, "the same cells")
        let deciding = Self.deciding.filter { part.includes($0.response) }
        let required = deciding.map(\.response)
        let onCards = Self.onCards(of: simulated.scenario)
        let ofGroups = simulated.scenario.groups == nil ? [] : Self.ofGroups
        let others = (Self.usual + onCards + ofGroups)
            .filter { part.includes($0) && !required.contains($0) }
            .map { ($0, MetricComparison.Tolerance?.none) }
        let catalog = MetricCatalog(of: simulated.scenario)
        let lacksPhotos = simulated.scenario.devices.pictures != nil && simulated.scenario.pushesCarryPhotos
        (first, second, options) = (RecordedResults(simulated), RecordedResults(live), Options())
        (changes, points) = ([], [[]])
        notes =
            part == .screens && lacksPhotos
            ? ["The driver's photo is not compared: an external monitor's pushes carry no photos."] : []
        metrics = (deciding.map { ($0.response, Optional($0.tolerance)) } + others)
            .compactMap { response, tolerance in
                guard let resolved = try? response.resolve(in: simulated.scenario, by: catalog) else { return nil }
                let cells = [simulated, live].map { RunValues(ofCellsFor: resolved, in: $0, by: catalog) }
                return MetricComparison(
                    response: resolved.text,
                    unit: resolved.unit,
                    isShare: resolved.isShare,
                    direction: .neutral,
                    first: resolved.value(in: simulated),
                    second: resolved.value(in: live),
                    interval: cells[0].difference(to: cells[1], of: resolved)?.bounds,
                    counts: .pairs(simulated.cells.count),
                    tolerance: tolerance
                )
            }
    }
}

extension MetricComparison {
    /// The largest difference allowed between a simulation and a live run.
    public enum Tolerance: Hashable, Sendable {
        /// A difference in the unit of the metric.
        case absolute(Double)
        /// A difference as a share of the simulated value.
        case relative(Double)
    }

    /// A verdict on a metric that has to agree.
    public enum Agreement: Hashable, Sendable {
        case agrees
        case differs
        /// So few activities leave too much to chance.
        case open
    }

    /// The verdict on the difference; nil if the metric does not have to agree.
    ///
    /// A difference beyond the tolerance may be chance if its interval reaches into what is allowed.
    public var agreement: Agreement? {
        guard let tolerance else { return nil }
        guard let difference, let first else { return first == nil && second == nil ? .agrees : .differs }
        let limit =
            switch tolerance {
            case .absolute(let limit): limit
            case .relative(let share): share * first.magnitude
            }
        if difference.magnitude <= limit { return .agrees }
        return interval?.overlaps(-limit...limit) ?? false ? .open : .differs
    }
}
