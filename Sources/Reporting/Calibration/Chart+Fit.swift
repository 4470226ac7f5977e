import Experiments
import Foundation
import Statistics
import TextFormats

/// Charts of data and fits.
extension Chart {
    static func charts(_ calibration: Calibration) -> [Chart] {
        [exceedance(calibration), quantileQuantile(calibration)]
    }

    private static func colour(_ family: FitFamily) -> Colour {
        switch family {
        case .lognormal: .blue
        case .gamma: .bluishGreen
        case .weibull: .orange
        case .exponential: .reddishPurple
        case .mixture: .vermillion
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

    // MARK: - Exceedance

    /// The share of values at or above each value, for data and fits, on logarithmic axes that show the whole tail.
    private static func exceedance(_ calibration: Calibration) -> Chart {
        let sample = calibration.sample
        let count = Double(sample.count)
        let half = sample.isRounded ? Double(sample.resolution) / 2 : 0
        var points: [(value: Double, share: Double)] = []
        for group in sample.groups {
            let value = Double(group.value) - half
            let share = Double(sample.count - group.cumulative + group.count) / count
            guard onAxis(value, calibration) > 0 else { continue }
            // Points closer than this would overlap.
            let isOnTop = points.last.map { value < $0.value * 1.01 && share > $0.share * 0.99 } ?? false
            if !isOnTop || group.value == sample.largest { points.append((value, share)) }
        }
        let low = points.first?.value ?? 1
        let high = Double(sample.largest) * 1.3 + half
        let floor = 0.4 / count
        let steps = 150
        func row(_ value: Double, _ share: Double, _ series: String) -> JSONValue {
            ["value": number(onAxis(value, calibration)), "share": number(share), "series": .string(series)]
        }
        var curves: [JSONValue] = []
        for candidate in calibration.candidates {
            for step in 0...steps {
                let value = low * pow(high / low, Double(step) / Double(steps))
                let share = candidate.fit.exceedance(value)
                guard share >= floor else { break }
                curves.append(row(value, share, candidate.fit.family.rawValue))
            }
        }
        return Chart(
            template: "exceedance",
            name: "exceedance",
            title: CalibrationText.title(calibration.source),
            subtitle: subtitle(calibration),
            [
                "label": .string(axisTitle(calibration, "value")), "shares": [.number(floor), .number(1)],
                "values": [.number(onAxis(low, calibration)), .number(onAxis(high, calibration))],
                "points": .array(points.map { row($0.value, $0.share, "data") }), "curves": .array(curves),
            ],
            series([("data", .black)] + fitColours(calibration))
        )
    }

    // MARK: - Quantiles

    /// The quantiles of the fits against those of the data, on logarithmic axes; on the diagonal they agree.
    private static func quantileQuantile(_ calibration: Calibration) -> Chart {
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
