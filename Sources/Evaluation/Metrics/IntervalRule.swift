import Statistics

/// The rule that derives an interval from the differences between parts, or the reason why there is none.
///
/// The method depends on the kind of value: a count, a share of events, a share of time, a mean. All methods are
/// textbook methods; docs/intervals.md states them with their sources.
struct IntervalRule {
    /// The independent and identically distributed parts of the run.
    var parts: [Part]
    /// The confidence level: the probability that the interval contains the long-run value.
    var level = 0.95

    /// A quotient's numerator and denominator, or a count over 1.
    typealias Part = (numerator: Double, denominator: Double)

    /// The smallest number of events for an interval.
    static let fewestEvents = DifferenceRule.fewestEvents
    /// The limit below which a count is of rare events and may vary like a Poisson count even if the number of rides is
    /// fixed.
    static let rareCount = 30.0

    /// The largest relative standard error of the sum of denominators at which a quotient's error is that of its
    /// residuals.
    ///
    /// Kish, Survey Sampling, 1965: a tenth, or at most a fifth.
    static let denominatorError = 0.2
    /// The number of values that a mean needs, per squared skewness.
    ///
    /// Cochran, Sampling Techniques, 1977, section 2.15.
    static let valuesPerSquaredSkewness = 25.0

    /// Returns the interval of a sum of counts.
    ///
    /// - Parameters:
    ///   - isOpenEnded: `true` if rides arrive by a Poisson process, so that no sum varies less than a Poisson count.
    ///   - isClustered: `true` if one ride or disturbance may cause many events, so that none seen does not imply few.
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
        // Events in such large clusters are counted by the cluster.
        if dispersion > 2, let gap = gap(value: sum, error: error) { return .gap(gap) }
        let cautious = max(mayBePoisson ? 1 : 0, dispersion * error.inflation)
        guard cautious > 0 else { return .gap(IntervalGap(.noVariation)) }
        return interval(GammaInterval(estimate: sum, dispersion: cautious, level: level).range)
    }

    /// Returns the interval of a sum of times, or of other quantities.
    func sum(heaviest: Double?) -> Certainty {
        guard let error = totalError else { return .gap(IntervalGap(.onePart)) }
        let sum = parts.reduce(0) { $0 + $1.numerator }
        return mean(sum, error: error, move: heaviest)
    }

    /// Returns the interval of a quotient that can be any number from 0 on.
    ///
    /// - Parameters:
    ///   - heaviest: The heaviest single contribution to numerator and denominator.
    ///   - events: The skewness and the number of single values, if known.
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

    /// Returns the interval of a share of time.
    ///
    /// - Parameter heaviest: The heaviest single contribution to numerator and denominator.
    func share(heaviest: Part?) -> Certainty {
        ofQuotient { found in
            if let gap = unevenParts(found) { return .gap(gap) }
            // The events make up the share or its complement, whichever is rarer.
            let rarer = max(0, min(found.value, 1 - found.value))
            if let gap = gap(value: rarer, error: found.error, move: heaviest.map(found.move(by:))) { return .gap(gap) }
            let size = found.value * (1 - found.value) / (found.error.squared * found.error.inflation)
            return interval(WilsonInterval(share: found.value, of: size, level: level).range)
        }
    }

    /// Returns the interval of a share of events: of all trials, or of fewer if they are clustered.
    ///
    /// - Parameter isClustered: `true` if one ride or disturbance may cause many events, so that none seen does not
    ///   imply few.
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

    /// A standard error, and its reliability.
    private struct Error {
        /// The variance of the estimate.
        var squared: Double
        /// The square of Student's quantile over the normal quantile, by which a variance from few parts must be
        /// multiplied.
        var inflation: Double
        /// The half-width of the interval if it were symmetrical.
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

    /// Returns the variance of the sum of values with a common distribution.
    private static func variance(_ values: [Double]) -> Double {
        let count = Double(values.count)
        let mean = values.reduce(0, +) / count
        return values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } * count / (count - 1)
    }

    /// The variance of denominators between parts, as a multiple of a Poisson count's.
    private var denominatorDispersion: Double {
        let denominators = parts.map(\.denominator)
        return Self.variance(denominators) / max(1, denominators.reduce(0, +))
    }

    private struct Quotient {
        var value: Double
        var error: Error
        /// The sum of the denominators.
        var whole: Double

        /// Returns how far one contribution moves the value.
        func move(by contribution: Part) -> Double {
            abs(contribution.numerator - value * contribution.denominator) / whole
        }
    }

    /// Evaluates the pooled quotient with its error by the delta method; returns a gap if there is no such error.
    ///
    /// A part counts in proportion to its denominator (L. Kish, Survey Sampling, 1965), because a nearly empty part
    /// gives almost no information about the differences.
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

    /// Returns a gap if parts are too uneven for a quotient's error to follow from their residuals; nil otherwise.
    private func unevenParts(_ found: Quotient) -> IntervalGap? {
        let uneven = Self.variance(parts.map(\.denominator)).squareRoot() / (found.whole * Self.denominatorError)
        if uneven > 1 { return IntervalGap(.fewEvents, factor: uneven * uneven) }
        return unevenParts(around: found.value)
    }

    /// Returns a gap if the residuals of the parts are too skewed for Student's quantiles; nil otherwise.
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

    /// Returns the gap of a value with this error; nil if the value has an interval.
    ///
    /// - Parameter move: The distance by which the heaviest single contribution would move the value.
    private func gap(value: Double, error: Error, move: Double? = nil) -> IntervalGap? {
        guard value > 0, error.squared > 0 else { return IntervalGap(.noVariation) }
        // The error shrinks with the root of the run's size, the weight of one contribution with the size itself.
        let heaviest = (move ?? 0) * GammaInterval.mostUnseen(level: level) / error.reach
        let few = max(Self.fewestEvents * error.squared, error.reach * error.reach) / (value * value)
        if heaviest > 1 { return IntervalGap(.heaviest, factor: max(heaviest * heaviest, few)) }
        return few > 1 ? IntervalGap(.fewEvents, factor: few) : nil
    }

    private func interval(_ bounds: ClosedRange<Double>) -> Certainty { .interval(bounds, parts: parts.count) }
}
