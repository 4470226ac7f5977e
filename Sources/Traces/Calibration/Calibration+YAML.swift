import InputFiles
import ScenarioLanguage
public import SimulationKernel
public import Statistics

/// Fits in the form of scenarios.
extension Calibration {
    /// The number of digits of a parameter; no data support more.
    private static let digits = 4

    /// Returns a fit in the scenario's vocabulary, on one line: `{lognormal: {median: 98.2s, p95: 8m20s}}`.
    public func yaml(_ fit: Fit) -> String {
        yaml(distribution(fit))
    }

    /// Returns a fit with its shift and with parameters rounded to four digits, as written by ``yaml(_:)``.
    public func distribution(_ fit: Fit) -> Distribution {
        Self.written(fit.distribution, shift: source.column.shift)
    }

    /// The data as a quantile function, from the smallest to the largest value.
    public var quantiles: Distribution {
        var probabilities = [0.01, 0.05, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99]
        if sample.count >= 1000 { probabilities.append(0.999) }
        let inner = probabilities.map { (probability: $0, value: sample.quantile($0)) }
        let points = [(0, sample.smallest)] + inner + [(1, sample.largest)]
        return .quantiles(points.map { QuantilePoint(probability: $0.0, value: Double($0.1 + source.column.shift)) })
    }

    /// The column itself; nil if only a part of it was fitted.
    public var empirical: Distribution? {
        guard source.isWholeColumn else { return nil }
        let (column, unit) = (source.column.name, source.column.unit)
        return .empirical(EmpiricalValues(file: source.file, column: column, unit: unit.factor, sorted: []))
    }

    /// Returns a distribution on one line.
    public func yaml(_ distribution: Distribution) -> String {
        let measure = source.column.unit == .one ? Measure.number : .duration
        return DistributionNotation(measure: measure, depth: 1).write(distribution).yamlLines.joined(separator: "\n")
    }

    /// Returns a fitted distribution, shifted and rounded.
    static func written(_ distribution: Distribution, shift: Int64) -> Distribution {
        let rounded = rounded(distribution)
        return shift == 0 ? rounded : .shifted(by: Double(shift), rounded)
    }

    private static func rounded(_ distribution: Distribution) -> Distribution {
        switch distribution {
        case .exponential(let mean): .exponential(mean: rounded(mean))
        case .lognormal(let median, let p95): .lognormal(median: rounded(median), p95: rounded(p95))
        case .gamma(let shape, let scale): .gamma(shape: rounded(shape), scale: rounded(scale))
        case .weibull(let shape, let scale): .weibull(shape: rounded(shape), scale: rounded(scale))
        default: distribution
        }
    }

    private static func rounded(_ number: Double) -> Double {
        NumberText.rounded(number, digits: digits)
    }
}
