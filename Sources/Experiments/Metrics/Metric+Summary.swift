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
            let estimate = RatioEstimate(
                parts: batches.map { (Double(numerator($0)), Double(denominator($0))) }
            )
            let bottom = denominator(total)
            let value = bottom == 0 ? nil : SummaryRow.Value.decimal(Double(numerator(total)) / Double(bottom))
            return [
                row("ratio", value, estimate.map { bounded($0.interval, isShare: isShare) }, n: batches.count),
                row("numerator", .integer(numerator(total)), unit: unit),
                row("denominator", .integer(bottom), unit: unit),
            ]

        case .tally(let read):
            let tally = read(total)
            let estimate = RatioEstimate(parts: batches.map { (Double(read($0).sum), Double(read($0).count)) })
            let mean = tally.count == 0 ? nil : SummaryRow.Value.decimal(Double(tally.sum) / Double(tally.count))
            return [
                row("count", .integer(tally.count), unit: "count"),
                row("mean", mean, estimate?.interval, n: batches.count),
                row("p50", tally.quantile(0.5).map { .integer($0) }),
                row("p95", tally.quantile(0.95).map { .integer($0) }),
                row("p99", tally.quantile(0.99).map { .integer($0) }),
                row("max", tally.count == 0 ? nil : .integer(tally.largest)),
            ]

        case .ramp(let read):
            let ramp = read(total)
            let estimate = RatioEstimate(
                parts: batches.map { part in
                    let time = Double(read(part).time)
                    return ((read(part).mean ?? 0) * time, time)
                }
            )
            return [
                row("mean", ramp.mean.map { .decimal($0) }, estimate?.interval, n: batches.count),
                row("p50", ramp.quantile(0.5).map { .integer($0) }),
                row("p95", ramp.quantile(0.95).map { .integer($0) }),
                row("p99", ramp.quantile(0.99).map { .integer($0) }),
            ]

        case .largest(let read):
            return [row("max", source.replications.map(read).max().map { .integer($0) })]
        }
    }

    /// An interval without what the quantity cannot be: nothing here is negative, and no share exceeds one.
    private func bounded(_ interval: ClosedRange<Double>, isShare: Bool) -> ClosedRange<Double> {
        max(0, interval.lowerBound)...(isShare ? min(1, interval.upperBound) : interval.upperBound)
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

/// The quotient of two means over batches, with its interval.
///
/// The batches' numerators and denominators vary together, so the interval is that of the residuals of the numerators
/// about the common quotient (the delta method; Law, Simulation Modeling and Analysis, on ratio estimators).
struct RatioEstimate {
    let ratio: Double
    let halfWidth: Double

    /// Nil with fewer than two batches, or when the denominators add up to nothing.
    init?(parts: [(numerator: Double, denominator: Double)]) {
        let top = parts.reduce(0) { $0 + $1.numerator }
        let bottom = parts.reduce(0) { $0 + $1.denominator }
        guard bottom > 0, parts.count > 1 else { return nil }
        let reach = Student.reach(level: 0.95, degreesOfFreedom: Double(parts.count - 1))
        ratio = top / bottom
        var squares = 0.0
        for part in parts {
            let residual = part.numerator - ratio * part.denominator
            squares += residual * residual
        }
        let n = Double(parts.count)
        halfWidth = reach * (squares * n / (n - 1)).squareRoot() / bottom
    }

    var interval: ClosedRange<Double> { (ratio - halfWidth)...(ratio + halfWidth) }
}
