import Statistics

/// From the differences between parts to an interval, or to the reason why they do not carry one.
///
/// The method follows from what a value is: a count, a share of events, a share of time, a mean. Each is one of the
/// textbooks'; docs/intervals.md states them with their sources.
struct IntervalRule {
    /// The parts of the run that are alike and independent.
    var parts: [Part]
    /// The chance that an interval holds the long-run value.
    var level = 0.95

    /// A quotient's numerator and denominator, or a count over 1.
    typealias Part = (numerator: Double, denominator: Double)

    /// The fewest events that carry an interval.
    static let fewestEvents = DifferenceRule.fewestEvents
    /// A count below this may vary as a Poisson count does even where the number of rides is fixed: it is of rare events.
    static let rareCount = 30.0

    /// How far denominators may vary, as a standard error of their sum, for a quotient's error to be that of its residuals.
    ///
    /// Kish, Survey Sampling, 1965: a tenth, a fifth at the outside.
    static let denominatorError = 0.2
    /// How many values a mean needs for each square of their skewness.
    ///
    /// Cochran, Sampling Techniques, 1977, section 2.15.
    static let valuesPerSquaredSkewness = 25.0

    /// The interval of a sum of counts.
    ///
    /// - Parameters:
    ///   - isOpenEnded: Whether rides come by a Poisson process, so that no sum varies less than a Poisson count.
    ///   - isClustered: Whether one ride or disturbance may bring many, so that none seen does not mean few.
    func count(isOpenEnded: Bool, isClustered: Bool = false) -> Certainty {
        let sum = parts.reduce(0) { $0 + $1.numerator }
        guard let error = totalError else { return .gap(IntervalGap(.onePart)) }
        guard sum > 0 || isClustered else {
            return interval(GammaInterval(estimate: 0, dispersion: 1, level: level).range)
        }
        if isClustered {
            if let gap = gap(value: sum, error: error) ?? unevenParts(around: sum / Double(parts.count)) {
                return .gap(gap)
            }
        }
        let mayBePoisson = isOpenEnded || sum < Self.rareCount
        let dispersion = error.squared / sum
        // Events in clusters that are this large are counted by the cluster.
        if dispersion > 2, let gap = gap(value: sum, error: error) { return .gap(gap) }
        let cautious = max(mayBePoisson ? 1 : 0, dispersion * error.inflation)
        guard cautious > 0 else { return .gap(IntervalGap(.noVariation)) }
        return interval(GammaInterval(estimate: sum, dispersion: cautious, level: level).range)
    }

    /// The interval of a sum of times, or of anything else that has a size.
    func sum(heaviest: Double?) -> Certainty {
        guard let error = totalError else { return .gap(IntervalGap(.onePart)) }
        let sum = parts.reduce(0) { $0 + $1.numerator }
        return mean(sum, error: error, move: heaviest)
    }

    /// The interval of a quotient that can be any number from 0 on.
    ///
    /// - Parameters:
    ///   - heaviest: What the heaviest single contribution adds to numerator and denominator.
    ///   - events: The skewness of single values and their number, where they are known.
    func mean(heaviest: Part?, events: (skewness: Double, count: Double)? = nil) -> Certainty {
        if let events {
            let needed = Self.valuesPerSquaredSkewness * events.skewness * events.skewness
            if needed > events.count { return .gap(IntervalGap(.fewEvents, factor: needed / events.count)) }
        }
        return ofQuotient { found in
            unevenParts(found).map { .gap($0) }
                ?? mean(found.value, error: found.error, move: heaviest.map(found.move(by:)))
        }
    }

    /// The interval of a share of time.
    ///
    /// - Parameter heaviest: What the heaviest single contribution adds to numerator and denominator.
    func share(heaviest: Part?) -> Certainty {
        ofQuotient { found in
            if let gap = unevenParts(found) { return .gap(gap) }
            // The rarer of the share and its complement is what events make up.
            let rarer = max(0, min(found.value, 1 - found.value))
            if let gap = gap(value: rarer, error: found.error, move: heaviest.map(found.move(by:))) { return .gap(gap) }
            let size = found.value * (1 - found.value) / (found.error.squared * found.error.inflation)
            return interval(WilsonInterval(share: found.value, of: size, level: level).range)
        }
    }

    /// The interval of a share of events: of all trials, or of fewer where they come in clusters.
    ///
    /// - Parameter isClustered: Whether one ride or disturbance may bring many, so that none seen does not mean few.
    func shareOfEvents(isClustered: Bool = false) -> Certainty {
        ofQuotient { found in
            let events = parts.reduce(0) { $0 + $1.numerator }
            if isClustered, events < Self.fewestEvents {
                return .gap(IntervalGap(.fewEvents, factor: Self.fewestEvents / max(1, events)))
            }
            let variance = found.value * (1 - found.value)
            let size =
                variance > 0
                ? min(found.whole, variance / max(found.error.squared * found.error.inflation, .leastNonzeroMagnitude))
                : found.whole / max(1, denominatorDispersion)
            return interval(WilsonInterval(share: min(1, found.value), of: size, level: level).range)
        }
    }

    // MARK: - Errors

    /// A standard error, and how well it is known.
    private struct Error {
        /// The variance of the estimate.
        var squared: Double
        /// Student's quantile over the normal one, squared: what a variance from few parts has to be multiplied by.
        var inflation: Double
        /// Half of the interval, if it were symmetrical.
        var reach: Double

        init(squared: Double, degreesOfFreedom: Double, level: Double) {
            self.squared = squared
            inflation = Student.inflation(level: level, degreesOfFreedom: degreesOfFreedom)
            reach = Student.reach(level: level, degreesOfFreedom: degreesOfFreedom) * squared.squareRoot()
        }
    }

    /// The error of the sum of the parts' numerators; nil for fewer than two parts.
    private var totalError: Error? {
        guard parts.count >= 2 else { return nil }
        return Error(
            squared: Self.variance(parts.map(\.numerator)),
            degreesOfFreedom: Double(parts.count - 1),
            level: level
        )
    }

    /// The variance of the sum of some values that vary alike.
    private static func variance(_ values: [Double]) -> Double {
        let count = Double(values.count)
        let mean = values.reduce(0, +) / count
        return values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } * count / (count - 1)
    }

    /// By how much denominators vary between parts, in units of a Poisson count's variance.
    private var denominatorDispersion: Double {
        let denominators = parts.map(\.denominator)
        return Self.variance(denominators) / max(1, denominators.reduce(0, +))
    }

    private struct Quotient {
        var value: Double
        var error: Error
        /// The sum of the denominators.
        var whole: Double

        /// By how much one contribution moves the value.
        func move(by contribution: Part) -> Double {
            abs(contribution.numerator - value * contribution.denominator) / whole
        }
    }

    /// What follows from the pooled quotient with its error by the delta method; a gap where there is no such error.
    ///
    /// Parts count as far as their denominators are alike (L. Kish, Survey Sampling, 1965): a part with next to nothing in
    /// it says next to nothing about how parts differ.
    private func ofQuotient(_ certainty: (Quotient) -> Certainty) -> Certainty {
        guard parts.count >= 2 else { return .gap(IntervalGap(.onePart)) }
        let whole = parts.reduce(0) { $0 + $1.denominator }
        let squares = parts.reduce(0) { $0 + $1.denominator * $1.denominator }
        guard whole > 0, let estimate = RatioEstimator(parts) else { return .gap(IntervalGap(.noVariation)) }
        let effective = whole * whole / squares
        guard effective >= 2 else { return .gap(IntervalGap(.fewEvents, factor: Self.fewestEvents)) }
        let error = Error(
            squared: estimate.standardError * estimate.standardError,
            degreesOfFreedom: min(effective, Double(parts.count)) - 1,
            level: level
        )
        return certainty(Quotient(value: estimate.ratio, error: error, whole: whole))
    }

    // MARK: - Gaps

    /// Why parts are too unlike each other for a quotient's error to be known by their residuals; nil where they are not.
    private func unevenParts(_ found: Quotient) -> IntervalGap? {
        let uneven = Self.variance(parts.map(\.denominator)).squareRoot() / (found.whole * Self.denominatorError)
        if uneven > 1 { return IntervalGap(.fewEvents, factor: uneven * uneven) }
        return unevenParts(around: found.value)
    }

    /// Why the residuals of the parts are too skewed for Student's quantiles; nil where they are not.
    private func unevenParts(around value: Double) -> IntervalGap? {
        let residuals = parts.map { $0.numerator - value * $0.denominator }
        guard let skewness = residuals.skewness(around: 0) else { return nil }
        let skewed = skewness / [Double].largestSkewness
        return skewed > 1 ? IntervalGap(.fewEvents, factor: max(2, skewed * skewed)) : nil
    }

    private func mean(_ value: Double, error: Error, move: Double?) -> Certainty {
        if let gap = gap(value: value, error: error, move: move) { return .gap(gap) }
        let dispersion = error.squared * error.inflation / value
        return interval(GammaInterval(estimate: value, dispersion: dispersion, level: level).range)
    }

    /// Why a value of this error has no interval; nil where it has one.
    ///
    /// - Parameter move: By how much the heaviest single contribution would move the value.
    private func gap(value: Double, error: Error, move: Double? = nil) -> IntervalGap? {
        guard value > 0, error.squared > 0 else { return IntervalGap(.noVariation) }
        // An error shrinks with the root of the run's size, and what one contribution weighs with the size itself.
        let heaviest = (move ?? 0) * GammaInterval.mostUnseen(level: level) / error.reach
        let few = max(Self.fewestEvents * error.squared, error.reach * error.reach) / (value * value)
        if heaviest > 1 { return IntervalGap(.heaviest, factor: max(heaviest * heaviest, few)) }
        return few > 1 ? IntervalGap(.fewEvents, factor: few) : nil
    }

    private func interval(_ bounds: ClosedRange<Double>) -> Certainty { .interval(bounds, parts: parts.count) }
}
