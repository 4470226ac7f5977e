import InputFiles
import LiveActivityModel
import Quantities

/// Metrics extracted from a result in one pass over its parts.
struct SummarySource {
    /// The measurements of the whole result.
    @Boxed private(set) var total: Measurements
    private let metrics: [Metric]
    /// The contribution of each independent part to each metric, for intervals; empty if none are needed.
    private var parts: [[IntervalRule.Part]]
    /// The maximum over replications of each metric that is a level, because levels cannot be added up.
    private var levels: [Int64?]
    /// The kind of parts; nil if no interval is requested, as for a single replication.
    private var basis: RunResult.IntervalBasis?
    @Boxed fileprivate private(set) var scenario: Scenario
    /// The heaviest contributions in the scenario; nil if no interval is requested.
    private(set) var outlier: Outlier?
    /// The confidence level.
    private var level = 0.95

    /// Creates a source from a whole result, with its parts for intervals.
    ///
    /// - Complexity: O(*metrics* · *parts*). Beyond the first replications each is unpacked, see ``ReplicationSums``.
    init(_ metrics: [Metric], of result: RunResult, level: Double = 0.95) {
        self.init(metrics, of: result.total, in: result.scenario)
        basis = result.intervalBasis
        outlier = Outlier(result.scenario)
        self.level = level
        if result.replications > 1 { levels = [Int64?](repeating: nil, count: metrics.count) }
        for part in result.batches {
            for place in metrics.indices {
                if let read = metrics[place].part(of: part) { parts[place].append(read) }
            }
            if basis == .replications { raiseLevels(to: part) }
        }
        // A pair is one part made of two replications.
        if basis == .antitheticPairs {
            for replication in result.perReplication { raiseLevels(to: replication) }
        }
    }

    /// Creates a source from one replication, without parts.
    init(_ metrics: [Metric], of replication: Measurements, in scenario: Scenario) {
        self.metrics = metrics
        self.scenario = scenario
        total = replication
        parts = [[IntervalRule.Part]](repeating: [], count: metrics.count)
        levels = metrics.map { $0.level(of: replication) }
    }

    private mutating func raiseLevels(to replication: Measurements) {
        for place in metrics.indices {
            guard let level = metrics[place].level(of: replication) else { continue }
            levels[place] = max(levels[place] ?? level, level)
        }
    }

    /// The rows of each metric, with the interval of its default statistic.
    var rows: [[SummaryRow]] {
        metrics.indices.map { metrics[$0].rows(self, parts: parts[$0], level: levels[$0]) }
    }

    /// `true` if rides arrive at random, so that no count varies less than a Poisson count.
    ///
    /// The members of an antithetic pair compensate for each other by design.
    var isOpenEnded: Bool { hasPoissonArrivals && basis != .antitheticPairs }

    /// `true` if totals of the parts vary as totals of runs do.
    ///
    /// If the number of rides is fixed, it still varies between cells, by the hash. So cells do not show how another
    /// run's total would vary.
    var totalsVary: Bool { basis != .cells || hasPoissonArrivals }

    private var hasPoissonArrivals: Bool { scenario.rides.trace == nil && scenario.rides.arrivals.process == .poisson }

    /// Returns an interval from parts, by the rule that a reading needs.
    func certainty(from parts: [IntervalRule.Part], by rule: (IntervalRule) -> Certainty) -> Certainty {
        guard let basis else { return .none }
        guard basis != .windows else { return .gap(IntervalGap(.onePart)) }
        return rule(IntervalRule(parts: parts, level: level))
    }

    /// Returns an interval from batches of windows, if the run has no other parts and its windows are alike.
    func certainty(
        ofWindows columns: (part: SeriesColumn, whole: SeriesColumn),
        by rule: (IntervalRule) -> Certainty
    ) -> Certainty {
        let (arrivals, clock) = (scenario.rides.arrivals, scenario.clock)
        let faulty = scenario.faults.contains { fault in
            fault.at < clock.duration + clock.drain && fault.at + fault.duration >= clock.warmUp
        }
        if faulty { return .gap(IntervalGap(.fault)) }
        let isSteady = scenario.rides.trace == nil && arrivals.hasConstantRate
        guard isSteady || arrivals.process != .poisson, scenario.rides.trace == nil else {
            return .gap(IntervalGap(.timeOfDay))
        }
        guard let batches = total.series.independentBatches(columns.part, per: columns.whole) else {
            return .gap(IntervalGap(.windows))
        }
        return rule(IntervalRule(parts: batches, level: level))
    }

    /// `true` if windows are the only parts of the run.
    var hasOnlyWindows: Bool { basis == .windows }
}

extension Metric {
    /// Returns the rows of this metric.
    ///
    /// - Parameters:
    ///   - parts: The result of ``part(of:)`` for each independent part.
    ///   - level: The maximum of ``level(of:)`` over replications.
    fileprivate func rows(_ source: SummarySource, parts: [IntervalRule.Part], level: Int64?) -> [SummaryRow] {
        let certainty = certainty(source, parts)
        let unmet = unmet(by: source.scenario)
        let values = values(source.total, level: level)
        // The first value is the usual one; a denominator may be above 0.
        if let unmet, unmet.isOfMechanism, (values.first ?? nil)?.double ?? 0 == 0 { return [] }
        return zip(statistics, values)
            .map { statistic, value in
                guard statistic.isUsual else { return row(statistic, value, .none) }
                // A real server may do things that the settings rule out.
                guard let unmet, value?.double ?? 0 == 0 else { return row(statistic, value, certainty) }
                var found = unmet.isOfLength ? row(statistic, nil, .none) : row(statistic, value, certainty)
                found.unmet = unmet
                return found
            }
    }

    /// Returns the values of ``statistics``.
    private func values(_ total: Measurements, level: Int64?) -> [SummaryRow.Value?] {
        func integer(_ value: Int64?) -> SummaryRow.Value? { value.map { .integer($0) } }
        switch reading {
        case .total(let read):
            return [.integer(read(total))]
        case .ratio(let numerator, let denominator, _, _):
            let (top, bottom) = (numerator(total), denominator(total))
            let isDefined = bottom != 0 && self.isDefined?(total) ?? true
            return [isDefined ? .decimal(Double(top) / Double(bottom)) : nil, .integer(top), .integer(bottom)]
        case .rate(let count, let time, let unit):
            let (top, bottom) = (count(total), time(total))
            let value = bottom == 0 ? nil : SummaryRow.Value.decimal(Double(top) / Double(bottom) * unit)
            return [value, .integer(top), .integer(bottom)]
        case .tally(let read):
            let tally = read(total)
            let mean = tally.count == 0 ? nil : SummaryRow.Value.decimal(Double(tally.sum) / Double(tally.count))
            return [.integer(tally.count), mean] + Self.quantiles.map { integer(tally.quantile($0.1)) }
                + [tally.count == 0 ? nil : .integer(tally.largest)]
        case .ramp(let read):
            let ramp = read(total)
            return [ramp.mean.map { .decimal($0) }] + Self.quantiles.map { integer(ramp.quantile($0.1)) }
        case .shares(let read):
            let shares = read(total)
            let mean = shares.count == 0 ? nil : SummaryRow.Value.decimal(shares.total / Double(shares.count))
            return [.integer(shares.count), mean]
        case .largest(_, let divisor):
            return [level.map { divisor == 1 ? .integer($0) : .decimal(Double($0) / divisor) }]
        }
    }

    /// Returns the contribution of an independent part to the interval of the default statistic; nil for a level.
    func part(of part: Measurements) -> IntervalRule.Part? {
        switch reading {
        case .total(let read):
            return (Double(read(part)), 1)
        case .ratio(let numerator, let denominator, _, _):
            return (Double(numerator(part)), Double(denominator(part)))
        case .rate(let count, let time, let perUnit):
            return (Double(count(part)) * perUnit, Double(time(part)))
        case .tally(let read):
            let tally = read(part)
            return (Double(tally.sum), Double(tally.count))
        case .ramp(let read):
            let ramp = read(part)
            return ((ramp.mean ?? 0) * Double(ramp.time), Double(ramp.time))
        case .shares(let read):
            let shares = read(part)
            return (shares.total, Double(shares.count))
        case .largest:
            return nil
        }
    }

    /// Returns the maximum of a level in one replication; nil if the metric is not a level.
    fileprivate func level(of replication: Measurements) -> Int64? {
        if case .largest(let read, _) = reading { read(replication) } else { nil }
    }

    /// Returns the certainty of the default statistic.
    private func certainty(_ source: SummarySource, _ parts: [IntervalRule.Part]) -> Certainty {
        let heaviest = outlier.flatMap { outlier in source.outlier.map(outlier) }
        switch reading {
        case .total:
            guard source.totalsVary else { return .gap(IntervalGap(.fixedRides)) }
            return source.certainty(from: parts) { rule in
                unit == "count"
                    ? rule.count(isOpenEnded: source.isOpenEnded, isClustered: isClustered)
                    : rule.sum(heaviest: heaviest?.numerator)
            }
        case .ratio(_, _, let partUnit, let isShare):
            let rule = { (rule: IntervalRule) -> Certainty in
                guard isShare else { return rule.mean(heaviest: heaviest) }
                return partUnit == "count"
                    ? rule.shareOfEvents(isClustered: isClustered) : rule.share(heaviest: heaviest)
            }
            if source.hasOnlyWindows, let columns { return source.certainty(ofWindows: columns, by: rule) }
            return source.certainty(from: parts, by: rule)
        case .rate, .ramp:
            return source.certainty(from: parts) { $0.mean(heaviest: heaviest) }
        case .tally(let read):
            return source.certainty(from: parts) { rule in
                let tally = read(source.total)
                return rule.mean(heaviest: heaviest, events: (skewness: tally.skewness, count: Double(tally.count)))
            }
        case .shares:
            return source.certainty(from: parts) { $0.share(heaviest: heaviest) }
        case .largest:
            return .none
        }
    }

    private func row(_ statistic: Statistic, _ value: SummaryRow.Value?, _ certainty: Certainty) -> SummaryRow {
        var interval: ClosedRange<Double>?
        var parts = 1
        var gap: IntervalGap?
        if value != nil {
            switch certainty {
            case .interval(let bounds, let count): (interval, parts) = (bounds, count)
            case .gap(let found): gap = found
            case .none: break
            }
        }
        return SummaryRow(
            scope: scope,
            metric: name,
            stat: statistic.name,
            unit: statistic.unit,
            value: value,
            interval: interval,
            n: parts,
            gap: gap
        )
    }
}
