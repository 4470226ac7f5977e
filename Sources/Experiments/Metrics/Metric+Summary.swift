import LiveActivityModel
import Quantities

/// What a summary is read off.
struct SummarySource {
    /// The whole of it.
    let total: Measurements
    /// Its independent parts, for intervals; none for no intervals.
    private var parts: [Measurements] = []
    /// Each replication by itself, for what cannot be added up.
    let replications: [Measurements]
    /// What its parts are; nil where no interval is asked for, as for one replication by itself.
    private var basis: RunResult.IntervalBasis?
    private let scenario: Scenario
    /// What weighs most in the scenario; nil where no interval is asked for.
    private(set) var outlier: Outlier?
    /// The chance that an interval holds the long-run value.
    private var level = 0.95

    /// The whole of a result, with its parts for intervals.
    init(_ result: RunResult, level: Double = 0.95) {
        total = result.total
        parts = result.batches
        replications = result.perReplication
        basis = result.intervalBasis
        scenario = result.scenario
        outlier = Outlier(result.scenario)
        self.level = level
    }

    /// One replication of a result, without parts.
    init(_ result: RunResult, replication: Int) {
        total = result.perReplication[replication]
        replications = [total]
        scenario = result.scenario
    }

    /// The same without what intervals are taken from.
    var withoutParts: SummarySource {
        var source = self
        (source.parts, source.basis, source.outlier) = ([], nil, nil)
        return source
    }

    /// Whether rides come by chance, so that no count varies less than a Poisson count.
    ///
    /// The members of an antithetic pair make up for each other on purpose.
    var isOpenEnded: Bool { hasPoissonArrivals && basis != .antitheticPairs }

    /// Whether totals of the parts vary as totals of runs do.
    ///
    /// Cells do not tell how many rides another run would have had when that number is fixed: between cells it varies
    /// all the same, by the hash.
    var totalsVary: Bool { basis != .cells || hasPoissonArrivals }

    private var hasPoissonArrivals: Bool { scenario.rides.trace == nil && scenario.rides.arrivals.process == .poisson }

    /// An interval from parts, by the rule that a reading asks for.
    func certainty(_ read: (Measurements) -> IntervalRule.Part, by rule: (IntervalRule) -> Certainty) -> Certainty {
        guard let basis else { return .none }
        guard basis != .windows else { return .gap(IntervalGap(.onePart)) }
        return rule(IntervalRule(parts: parts.map(read), level: level))
    }

    /// An interval from batches of windows, where the run has no other parts and its windows are alike.
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

    /// Whether the only parts of the run are windows.
    var hasOnlyWindows: Bool { basis == .windows }
}

extension Metric {
    /// The lines of this metric; an interval is that of the usual statistic.
    func rows(_ source: SummarySource) -> [SummaryRow] {
        let certainty = certainty(source)
        return zip(statistics, values(source))
            .map { row($0, $1, $0.isUsual ? certainty : .none) }
    }

    /// The values of ``statistics``.
    private func values(_ source: SummarySource) -> [SummaryRow.Value?] {
        let total = source.total
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
            return [.integer(tally.count), mean] + Self.probabilities.map { integer(tally.quantile($0)) }
                + [tally.count == 0 ? nil : .integer(tally.largest)]
        case .ramp(let read):
            let ramp = read(total)
            return [ramp.mean.map { .decimal($0) }] + Self.probabilities.map { integer(ramp.quantile($0)) }
        case .shares(let read):
            let shares = read(total)
            let mean = shares.count == 0 ? nil : SummaryRow.Value.decimal(shares.total / Double(shares.count))
            return [.integer(shares.count), mean]
        case .largest(let read, let divisor):
            let largest = source.replications.map(read).max()
            return [largest.map { divisor == 1 ? .integer($0) : .decimal(Double($0) / divisor) }]
        }
    }

    /// Those of the quantiles p50, p95 and p99.
    private static let probabilities = [0.5, 0.95, 0.99]

    /// The half-width of the metric's interval as a part of its value; nil where there is none.
    func relativeHalfWidth(_ result: RunResult) -> Double? {
        guard case .interval(let interval, _) = certainty(SummarySource(result)) else { return nil }
        let usual = statistics.first(where: \.isUsual)?.name
        guard let value = rows(SummarySource(result)).first(where: { $0.stat == usual })?.value?.double, value > 0
        else { return nil }
        return (interval.upperBound - interval.lowerBound) / 2 / value
    }

    /// How sure the usual statistic is.
    private func certainty(_ source: SummarySource) -> Certainty {
        let heaviest = outlier.flatMap { outlier in source.outlier.map(outlier) }
        switch reading {
        case .total(let read):
            guard source.totalsVary else { return .gap(IntervalGap(.fixedRides)) }
            return source.certainty {
                (Double(read($0)), 1)
            } by: { rule in
                unit == "count"
                    ? rule.count(isOpenEnded: source.isOpenEnded, isClustered: isClustered)
                    : rule.sum(heaviest: heaviest?.numerator)
            }
        case .ratio(let numerator, let denominator, let partUnit, let isShare):
            let rule = { (rule: IntervalRule) -> Certainty in
                guard isShare else { return rule.mean(heaviest: heaviest) }
                return partUnit == "count"
                    ? rule.shareOfEvents(isClustered: isClustered) : rule.share(heaviest: heaviest)
            }
            if source.hasOnlyWindows, let columns { return source.certainty(ofWindows: columns, by: rule) }
            return source.certainty({ (Double(numerator($0)), Double(denominator($0))) }, by: rule)
        case .rate(let count, let time, let perUnit):
            return source.certainty {
                (Double(count($0)) * perUnit, Double(time($0)))
            } by: {
                $0.mean(heaviest: heaviest)
            }
        case .tally(let read):
            return source.certainty { part in
                let tally = read(part)
                return (Double(tally.sum), Double(tally.count))
            } by: { rule in
                let tally = read(source.total)
                return rule.mean(heaviest: heaviest, events: (skewness: tally.skewness, count: Double(tally.count)))
            }
        case .ramp(let read):
            return source.certainty { part in
                let ramp = read(part)
                return ((ramp.mean ?? 0) * Double(ramp.time), Double(ramp.time))
            } by: {
                $0.mean(heaviest: heaviest)
            }
        case .shares(let read):
            return source.certainty {
                (read($0).total, Double(read($0).count))
            } by: {
                $0.share(heaviest: heaviest)
            }
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
