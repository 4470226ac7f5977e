import LiveActivityModel
import Statistics

/// What a summary is read off.
struct SummarySource {
    /// The whole of it.
    let total: Measurements
    /// Its equally distributed parts, for intervals; none for no intervals.
    let batches: [Measurements]
    /// Whether totals of batches vary as totals of runs do.
    ///
    /// Cells do not tell how many rides another run would have had when that number is fixed: between cells it varies
    /// all the same, by the hash.
    let totalsVary: Bool
    /// Each replication by itself, for what cannot be added up.
    let replications: [Measurements]
    /// The time series of a run that is one replication of one cell, whose windows are all the parts that it has.
    let series: Series?
}

extension SummarySource {
    /// The whole of a result, with its parts for intervals.
    init(_ result: RunResult) {
        let rides = result.scenario.rides
        let isOpenEnded = rides.trace == nil && rides.arrivals.process == .poisson
        self.init(
            total: result.total,
            batches: result.batches,
            totalsVary: result.replications > 1 || isOpenEnded,
            replications: result.perReplication,
            series: result.intervalBasis == .windows ? result.total.series : nil
        )
    }

    /// One replication of a result, without parts.
    init(_ result: RunResult, replication: Int) {
        let total = result.perReplication[replication]
        self.init(total: total, batches: [], totalsVary: false, replications: [total], series: nil)
    }
}

extension SummarySource {
    /// The same without what intervals are taken from.
    var withoutParts: SummarySource {
        SummarySource(total: total, batches: [], totalsVary: false, replications: replications, series: nil)
    }
}

extension Metric {
    /// The lines of this metric.
    func rows(_ source: SummarySource) -> [SummaryRow] {
        let total = source.total
        let batches = source.batches
        switch reading {
        case .total(let read):
            let parts = batches.map { Double(read($0)) }
            // The run is the sum of its batches, so the interval of the mean is scaled up by their number.
            let interval = (source.totalsVary ? StudentInterval(parts) : nil)
                .map { interval in
                    let half = interval.halfWidth * Double(parts.count)
                    let value = Double(read(total))
                    return max(0, value - half)...(value + half)
                }
            return [row("total", .integer(read(total)), interval, n: batches.count)]

        case .ratio(let numerator, let denominator, let unit, let isShare):
            let estimate =
                estimate(batches)
                ?? columns.flatMap { columns in
                    source.series.flatMap { RatioEstimator(windowsOf: $0, columns.part, per: columns.whole) }
                }
            let bottom = denominator(total)
            let value = bottom == 0 ? nil : SummaryRow.Value.decimal(Double(numerator(total)) / Double(bottom))
            return [
                row("ratio", value, estimate, isShare: isShare),
                row("numerator", .integer(numerator(total)), unit: unit),
                row("denominator", .integer(bottom), unit: unit),
            ]

        case .rate(let count, let time, let unit):
            let whole = time(total)
            let value = whole == 0 ? nil : SummaryRow.Value.decimal(Double(count(total)) / Double(whole) * unit)
            return [
                row("rate", value, estimate(batches)),
                row("numerator", .integer(count(total)), unit: "count"),
                row("denominator", .integer(whole), unit: "us"),
            ]

        case .tally(let read):
            let tally = read(total)
            let mean = tally.count == 0 ? nil : SummaryRow.Value.decimal(Double(tally.sum) / Double(tally.count))
            return [
                row("count", .integer(tally.count), unit: "count"),
                row("mean", mean, estimate(batches)),
                row("p50", tally.quantile(0.5).map { .integer($0) }),
                row("p95", tally.quantile(0.95).map { .integer($0) }),
                row("p99", tally.quantile(0.99).map { .integer($0) }),
                row("max", tally.count == 0 ? nil : .integer(tally.largest)),
            ]

        case .ramp(let read):
            let ramp = read(total)
            return [
                row("mean", ramp.mean.map { .decimal($0) }, estimate(batches)),
                row("p50", ramp.quantile(0.5).map { .integer($0) }),
                row("p95", ramp.quantile(0.95).map { .integer($0) }),
                row("p99", ramp.quantile(0.99).map { .integer($0) }),
            ]

        case .shares(let read):
            let shares = read(total)
            let mean = shares.count == 0 ? nil : SummaryRow.Value.decimal(shares.total / Double(shares.count))
            return [
                row("count", .integer(shares.count), unit: "count"),
                row("mean", mean, estimate(batches), isShare: true),
            ]

        case .largest(let read, let divisor):
            let largest = source.replications.map(read).max()
            return [row("max", largest.map { divisor == 1 ? .integer($0) : .decimal(Double($0) / divisor) })]
        }
    }

    /// The half-width of the metric's interval as a part of its value; nil where there is none.
    func relativeHalfWidth(_ batches: [Measurements]) -> Double? {
        if case .total(let read) = reading {
            return StudentInterval(batches.map { Double(read($0)) })
                .flatMap { $0.mean > 0 ? $0.halfWidth / $0.mean : nil }
        }
        return estimate(batches).flatMap { $0.ratio > 0 ? $0.halfWidth / $0.ratio : nil }
    }

    /// The estimate of a quotient from batches; nil for what is no quotient, and with fewer than two.
    private func estimate(_ batches: [Measurements]) -> RatioEstimator? {
        switch reading {
        case .ratio(let numerator, let denominator, _, _):
            return RatioEstimator(batches.map { (Double(numerator($0)), Double(denominator($0))) })
        case .rate(let count, let time, let unit):
            return RatioEstimator(batches.map { (Double(count($0)) * unit, Double(time($0))) })
        case .tally(let read):
            return RatioEstimator(
                batches.map { batch in
                    let tally = read(batch)
                    return (Double(tally.sum), Double(tally.count))
                }
            )
        case .ramp(let read):
            return RatioEstimator(
                batches.map { batch in
                    let ramp = read(batch)
                    return ((ramp.mean ?? 0) * Double(ramp.time), Double(ramp.time))
                }
            )
        case .shares(let read):
            return RatioEstimator(batches.map { (read($0).total, Double(read($0).count)) })
        case .total, .largest:
            return nil
        }
    }

    /// A quotient with its interval, without what the quantity cannot be: nothing here is negative, no share exceeds one.
    private func row(
        _ stat: String,
        _ value: SummaryRow.Value?,
        _ estimate: RatioEstimator?,
        isShare: Bool = false
    ) -> SummaryRow {
        let interval = estimate.map { estimate in
            let upper = estimate.interval.upperBound
            return max(0, estimate.interval.lowerBound)...(isShare ? min(1, upper) : upper)
        }
        return row(stat, value, interval, n: estimate.map { $0.degreesOfFreedom + 1 } ?? 1)
    }

    private func row(
        _ stat: String,
        _ value: SummaryRow.Value?,
        _ interval: ClosedRange<Double>? = nil,
        n: Int = 1,
        unit: String? = nil
    ) -> SummaryRow {
        SummaryRow(
            scope: scope,
            metric: name,
            stat: stat,
            unit: unit ?? self.unit,
            value: value,
            interval: value == nil ? nil : interval,
            n: interval == nil ? 1 : n
        )
    }
}
