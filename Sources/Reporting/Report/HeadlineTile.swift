public import Evaluation
import LiveActivityModel
public import Results
import TextFormats

/// One of the headline numbers of a page, formatted.
public struct HeadlineTile: Hashable, Sendable {
    /// The metric, as written in conditions.
    public let metric: String
    public let label: String
    /// The value over the run.
    public internal(set) var value: String
    /// The bounds of the 95 % interval; empty if there is none.
    public let interval: String
    /// The difference from the baseline, with its interval; empty without a baseline.
    public internal(set) var change: String
    /// The verdict on the change; nil without a baseline.
    public let verdict: MetricComparison.Verdict?
    /// The reason why there is no verdict, in a few words; empty if there is one.
    public private(set) var reason = ""
    /// `true` if the change is based on one value of each run, so that its variation is unknown.
    public private(set) var mayBeChance = false
    /// The reason why the run cannot have a value; empty if it can.
    public private(set) var unmet = ""
    /// A remark about exclusions from the value, or a number beside it, in a few words; empty if there are none.
    public internal(set) var remark = ""

    /// The reason for no verdict if there is no value.
    static let noData = "no data"
    /// The unit of counts, for readers who know no smaller one.
    public static let run = "per run"

    /// The headline of any run, and the price in pushes.
    private static let numbers: [(response: Response, label: String)] =
        (Headline.rideTime + [Headline.misleading, Headline.rightStage, Headline.eta, Headline.belief])
        .map { ($0.response, $0.label) }
        + [(Response(metric: "pushes_per_live_hour"), "pushes per live hour")]
        + [(Headline.leftovers.response, Headline.leftovers.label)]

    /// The time without the driver's photo.
    static let photoMissing = (Headline.photoMissing.response, Headline.photoMissing.label)

    /// The cards that the monitor gave up.
    static let severe = (response: Response(metric: "ended_severe_count"), label: "cards given up as severely stale")

    /// The headline numbers of a scenario, without those of the monitor and of mechanisms that are off.
    static func headline(of scenario: Scenario) -> [(response: Response, label: String)] {
        numbers.filter { number in
            (scenario.monitor.enabled || !Report.metricsOfMonitor.contains(number.response.metric))
                && !number.response.isOff(in: scenario)
        }
    }

    /// Returns the tiles of a run.
    ///
    /// - Parameters:
    ///   - baseline: A run of the same replications, for paired differences; nil for none.
    ///   - unit: The unit of counts: a replication.
    public static func tiles(
        of result: RunResult,
        against baseline: RunResult? = nil,
        per unit: String = HeadlineTile.run
    ) -> [HeadlineTile] {
        let changes = baseline.map { ScenarioChange.changes(from: $0.scenario, to: result.scenario) } ?? []
        let level = ResultComparison.Options.level(for: headline(of: result.scenario).map(\.response))
        let catalog = MetricCatalog(of: result.scenario)
        func resolved(_ response: Response) -> ResolvedResponse? {
            try? response.resolve(in: result.scenario, by: catalog)
        }
        let tiles = headline(of: result.scenario)
            .compactMap { response, label -> HeadlineTile? in
                guard let resolved = resolved(response) else { return nil }
                let row = resolved.row(in: result)
                return HeadlineTile(
                    resolved,
                    label: label,
                    value: row?.value?.double,
                    interval: row?.interval,
                    in: result.scenario,
                    replications: result.replications,
                    comparison: baseline.flatMap {
                        try? MetricComparison(response, in: $0, and: result, changes: changes, level: level)
                    },
                    per: unit
                )
            }
        let headline = Headline { metric, statistic, scope in
            resolved(Response(metric: metric, scope: scope, statistic: statistic))?.row(in: result)
        }
        return told(tiles, headline, shares: headline.rideShares)
    }

    /// Returns tiles with shares of ride time that add up as printed, and with the remarks of the headline.
    static func told(_ tiles: [HeadlineTile], _ headline: Headline, shares: [String]) -> [HeadlineTile] {
        tiles.map { tile in
            var tile = tile
            if let share = tile.share, !shares.contains(Format.undefined) { tile.value = shares[share] }
            if tile.metric == Headline.belief.response.text, let gap = headline.gap {
                tile.remark = "\(gap) the fresh share of screen time during rides"
            }
            if tile.metric == Headline.leftovers.response.text, !headline.leftoverShare.isEmpty {
                tile.remark = "after rides: \(headline.leftoverShare)"
            }
            return tile
        }
    }

    /// The place among the shares of ride time; nil for another number.
    private var share: Int? { Headline.rideTime.firstIndex { $0.response.text == metric } }

    /// Returns the tiles of a run in real time, with the values of its simulation.
    static func tiles(of live: RunResult, besideSimulation simulated: RunResult) -> [HeadlineTile] {
        let others = tiles(of: simulated)
        return tiles(of: live, against: simulated)
            .map { tile in
                var tile = tile
                let other = others.first { $0.metric == tile.metric }?.value ?? Format.undefined
                let change = tile.change.isEmpty || tile.change == "the same" ? tile.change : "\(tile.change) live"
                tile.change = "simulated: \(other)" + (change.isEmpty ? "" : ", \(change)")
                return tile
            }
    }

    /// Creates a tile for a value over all replications.
    init(
        _ response: ResolvedResponse,
        label: String,
        value: Double?,
        interval: ClosedRange<Double>?,
        in scenario: Scenario,
        replications: Int,
        comparison: MetricComparison?,
        per unit: String = HeadlineTile.run
    ) {
        let lack = response.unmet(by: scenario, value: value)
        // A sum over all replications would grow with their number.
        let isSum = response.isSum
        let value = lack == nil ? isSum ? value.map { $0 / Double(replications) } : value : nil
        let interval = lack == nil ? interval : nil
        metric = response.text
        let isMean = replications > 1 || unit != Self.run || comparison?.isOfOneReplication == false
        self.label = isSum && isMean ? "\(label), \(unit)" : label
        unmet = lack?.text ?? ""
        remark = lack == nil ? response.remark(in: scenario) ?? "" : ""
        self.value = Format.value(value, unit: response.unit, isShare: response.isShare)
        // The bounds of a count of one replication are whole numbers like the count.
        func bound(_ bound: Double) -> Double {
            guard isSum else { return bound }
            let possible = max(0, bound)
            return replications == 1 ? possible.rounded() : possible / Double(replications)
        }
        self.interval = Format.interval(
            interval.map { bound($0.lowerBound)...bound($0.upperBound) },
            unit: response.unit,
            isShare: response.isShare
        )
        change = comparison?.changeText ?? ""
        // A missing value is neither better nor worse.
        let hasBoth = value != nil && comparison?.difference != nil
        verdict = comparison.map { hasBoth || $0.verdict == .notMeasured ? $0.verdict : .undefined }
        if let comparison {
            mayBeChance = hasBoth && comparison.isOfOneReplication && [.better, .worse].contains(comparison.verdict)
            reason =
                lack != nil || comparison.verdict == .notMeasured
                ? comparison.unmet?.reason ?? lack?.reason ?? ""
                : value == nil
                    ? Self.noData : hasBoth ? comparison.reasonOfNoVerdict : "no data to compare with"
        }
    }

    /// Returns tiles as tables, of the shares of ride time and of the others: the labels, the values, the intervals, the
    /// remarks, and the changes if there is a baseline.
    ///
    /// - Parameter change: Returns the change of a tile in words.
    static func tables(
        _ tiles: [HeadlineTile],
        change: (HeadlineTile) -> String = { $0.change }
    ) -> [TextTable] {
        [tiles.filter { $0.share != nil }, tiles.filter { $0.share == nil }].filter { !$0.isEmpty }
            .map { tiles in
                let rows = [
                    tiles.map { $0.unmet.isEmpty ? $0.interval : $0.unmet }, tiles.map(\.remark), tiles.map(change),
                ]
                return TextTable(
                    tiles.map { "\($0.label):" },
                    rows: [tiles.map(\.value)] + rows.filter { row in row.contains { !$0.isEmpty } }
                )
            }
    }

    /// Returns tiles for a page.
    public static func json(_ tiles: [HeadlineTile]) -> String {
        let values = tiles.map { tile -> JSONValue in
            [
                "metric": .string(tile.metric), "label": .string(tile.label), "value": .string(tile.value),
                "interval": .string(tile.interval), "change": .string(tile.change),
                "verdict": tile.verdict.map { .string($0.rawValue) } ?? .null, "reason": .string(tile.reason),
                "remark": .string([tile.unmet, tile.remark].filter { !$0.isEmpty }.joined(separator: "; ")),
            ]
        }
        return JSONValue.array(values).text
    }
}

extension MetricComparison {
    /// The reason why it has no verdict, in a few words; empty if it has one.
    fileprivate var reasonOfNoVerdict: String {
        guard verdict == .otherBasis else { return "" }
        let others = differingBases.filter { !$0.hasPrefix("faults") }
        if others.isEmpty { return "the fault changes which screens remain" }
        let isOrAre = others.count == 1 ? "differs" : "differ"
        if others.allSatisfy({ $0.hasSuffix("_count") || $0.hasSuffix(".denominator") }) {
            return "\(others.map(ResultComparison.called).joined(separator: " and ")) \(isOrAre)"
        }
        if unit == "count" { return "other rides: \(others.joined(separator: ", ")) \(isOrAre)" }
        return "\(others.joined(separator: " and ")) \(isOrAre)"
    }

    /// The difference with its uncertainty; empty if there is none.
    var changeText: String {
        guard let difference else { return "" }
        if isSame { return "the same" }
        // Zeros after the point would suggest that nothing has changed.
        let most = max(difference.magnitude, detectable ?? 0)
        if isShare, most < 0.000_05 { return "less than 0.01 pp" }
        if !isShare, unit != "us", most < 0.005 { return "less than 0.01" }
        let reach =
            isWithoutInterval
            ? " (no interval)" : detectable.map { " ± " + Format.distance($0, unit: unit, isShare: isShare) } ?? ""
        return Format.difference(difference, unit: unit, isShare: isShare) + reach
    }
}
