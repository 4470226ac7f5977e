import InputFiles
import ScenarioLanguage
public import SimulationKernel
import Statistics

/// A distribution fitted to times of a log, with what a reader needs to judge it.
public struct LogFit: Sendable {
    /// The distribution, as a scenario states it.
    public let distribution: Distribution
    /// It on one line of YAML.
    public let yaml: String
    /// The number of values, the interval of the median and the goodness of fit, in words.
    public let comment: String
    /// The median and its 95 % interval [µs].
    public let median: Double
    public let medianInterval: ClosedRange<Double>
    /// The number of values.
    public let count: Int

    /// The number of values to which a family is fitted; more change nothing that matters.
    private static let most = 4000

    /// Fits the values of a sample; nil if there are none.
    ///
    /// - Parameters:
    ///   - values: The values [µs], none negative.
    ///   - count: The number of values that they represent.
    ///   - all: The number of values from which they are a uniform sample; nil if there are no others.
    public init?(_ values: [Int64], count: Int? = nil, sampledFrom all: Int? = nil) {
        guard !values.isEmpty else { return nil }
        let ascending = values.sorted()
        self.count = count ?? values.count
        let middle = ascending[ascending.count / 2]
        let whole = Sample(ascending)
        let interval = whole.interval(ofQuantile: 0.5)
        median = Double(middle)
        let number = "n = \(self.count)" + (all.map { ", a uniform sample of \($0)" } ?? "")
        let (low, high) = (whole.quantile(0.01), whole.quantile(0.99))
        if Double(high - low) <= 0.002 * Double(middle) || high - low <= 2 {
            distribution = .constant(Double(middle))
            yaml = Self.yaml(distribution)
            medianInterval = median...median
            comment = "\(number); 98 % of the values equal it within 0.2 %"
            return
        }
        medianInterval = interval.lowerBound...min(interval.upperBound, Double(whole.largest))
        let step = max(1, ascending.count / Self.most)
        let thinned = stride(from: step / 2, to: ascending.count, by: step).map { ascending[$0] }
        var values = DataColumn.Values()
        values.values = thinned
        let calibration = try? Calibration(
            Calibration.Source(file: "", column: DataColumn(name: "time", unit: .microseconds), values: values),
            resolution: whole.resolution,
            families: FitFamily.allCases
        )
        let words =
            "\(number), median \(Self.text(median)) (95 %: \(Self.text(medianInterval.lowerBound)) … "
            + "\(Self.text(medianInterval.upperBound)))"
        if let calibration, let best = calibration.best, best.missed.isEmpty {
            distribution = calibration.distribution(best.fit)
            yaml = calibration.yaml(best.fit)
            let pValue = KolmogorovSmirnov.pValue(distance: best.distance, count: thinned.count)
            comment =
                "\(words); \(best.fit.family.rawValue), KS distance \(Self.digits(best.distance)) "
                + (pValue < 0.05 ? "(more than chance; every quantile within 10 %)" : "(no more than chance)")
        } else {
            // Between the points are straight lines, so a long tail needs many.
            let probabilities = [
                0, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.97, 0.98, 0.985, 0.99, 0.995, 0.998,
                0.999, 1,
            ]
            var points = probabilities.map { probability in
                QuantilePoint(
                    probability: probability,
                    value: Double(
                        probability == 0
                            ? whole.smallest : probability == 1 ? whole.largest : whole.quantile(probability)
                    )
                )
            }
            for index in points.indices { points[index].value = Self.rounded(points[index].value) }
            distribution = .quantiles(points)
            yaml = Self.yaml(distribution)
            comment = "\(words); no family fits, so these are the quantiles"
        }
    }

    /// Rounds a number of microseconds to four digits.
    static func rounded(_ value: Double) -> Double { value < 1 ? value : NumberText.rounded(value, digits: 4) }

    static func text(_ microseconds: Double) -> String {
        DurationText.text(microseconds: rounded(microseconds).rounded())
    }

    static func digits(_ number: Double) -> String { NumberText.text(NumberText.rounded(number, digits: 3)) }

    static func yaml(_ distribution: Distribution) -> String {
        DistributionNotation(measure: .duration, depth: 1).write(distribution).yamlLines.joined(separator: "\n")
    }
}
