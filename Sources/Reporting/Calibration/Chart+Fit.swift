import Foundation
import Statistics
import TextFormats
import Traces

/// The chart of data and fits.
extension Chart {
    private static func colour(_ family: FitFamily) -> Colour {
        switch family {
        case .lognormal: .blue
        case .gamma: .bluishGreen
        case .weibull: .orange
        case .exponential: .reddishPurple
        }
    }

    /// The fits from best to worst.
    private static func fitColours(_ calibration: Calibration) -> [(name: String, colour: Colour)] {
        calibration.candidates.map { ($0.fit.family.rawValue, colour($0.fit.family)) }
    }

    private static func subtitle(_ calibration: Calibration) -> String {
        let file = calibration.source.file.split(separator: "/").last.map(String.init) ?? ""
        return "\(OneLine.text(file)), \(calibration.sample.count) values; fits in the order of AIC"
    }

    /// Converts a value for an axis: in the data's unit, with the shift added.
    private static func onAxis(_ value: Double, _ calibration: Calibration) -> Double {
        let column = calibration.source.column
        return (value + Double(column.shift)) / column.unit.factor
    }

    private static func axisTitle(_ calibration: Calibration, _ what: String) -> String {
        let unit = calibration.source.column.unit
        let name = unit == .minutes ? "min" : unit.rawValue
        return unit == .one ? what : "\(what) [\(name)]"
    }

    private static func number(_ value: Double) -> JSONValue {
        // Six significant digits draw any line; further digits depend on the machine.
        .decimal(value, places: value >= 1 ? 4 : 6)
    }

    /// The quantiles of the fits against those of the data, on logarithmic axes; on the diagonal they agree.
    static func quantileQuantile(_ calibration: Calibration) -> Chart {
        let sample = calibration.sample
        var values: [JSONValue] = []
        var bounds: ClosedRange<Double>?
        var last: (value: Double, probability: Double)?
        for group in sample.groups {
            // Rounded values show only where one interval ends and the next begins.
            let probability =
                sample.isRounded
                ? Double(group.cumulative) / Double(sample.count)
                : (Double(group.cumulative) - Double(group.count) / 2) / Double(sample.count)
            let value = Double(group.value) + (sample.isRounded ? Double(sample.resolution) / 2 : 0)
            let data = onAxis(value, calibration)
            guard data > 0, probability < 1 else { continue }
            if let last, data < last.value * 1.03, probability < last.probability + 0.02 { continue }
            last = (data, probability)
            bounds = bounds.map { min($0.lowerBound, data)...max($0.upperBound, data) } ?? data...data
            values += calibration.candidates.map { candidate in
                [
                    "data": number(data), "fit": number(onAxis(candidate.fit.quantile(probability), calibration)),
                    "series": .string(candidate.fit.family.rawValue),
                ]
            }
        }
        let range = bounds ?? 1...2
        let ends = (range.lowerBound * 0.7, range.upperBound * 1.4)
        let diagonal = [ends.0, ends.1].map { JSONValue.object(["data": number($0), "fit": number($0)]) }
        return Chart(
            template: "quantiles",
            name: "quantiles",
            title: "Quantiles of \(CalibrationText.title(calibration.source))",
            subtitle: subtitle(calibration) + "; fit and data agree on the grey line",
            [
                "dataLabel": .string(axisTitle(calibration, "quantile of the data")),
                "fitLabel": .string(axisTitle(calibration, "quantile of the fit")),
                "domain": [.number(ends.0), .number(ends.1)], "diagonal": .array(diagonal), "rows": .array(values),
            ],
            series(fitColours(calibration))
        )
    }
}
