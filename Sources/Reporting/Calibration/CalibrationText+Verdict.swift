import ScenarioLanguage
import Statistics
import TextFormats
import Traces

/// The recommendation for a scenario.
extension CalibrationText {
    /// An assessment of the best fit, in a sentence or two.
    var verdict: String {
        guard let best = calibration.best else {
            return "No family fits: use the quantiles of the data."
        }
        var name = "the best by AIC, \(best.fit.family.rawValue),"
        if let first = calibration.candidates.first?.fit.family, first != best.fit.family {
            name = "\(best.fit.family.rawValue), almost as good by AIC as \(first.rawValue) and simpler,"
        }
        guard !best.missed.isEmpty else {
            return
                "\(name.prefix(1).uppercased())\(name.dropFirst()) matches every quantile "
                + "within the uncertainty of the data, or within \(Int(Calibration.tolerance * 100)) %."
        }
        let missed = best.missed.map { "p\(Int(calibration.points[$0].probability * 100))" }
        let isTail = best.missed.contains { calibration.points[$0].probability >= 0.9 }
        let alternatives = calibration.empirical == nil ? "the quantiles" : "the quantiles, or the raw data,"
        return
            "Even \(name) misses \(missed.joined(separator: ", ")) (marked !): more than "
            + "\(Int(Calibration.tolerance * 100)) % off, and beyond the uncertainty of the data. "
            + "Where \(isTail ? "the tail" : "that part") matters, use \(alternatives) below."
    }

    /// The YAML to paste: the best fit, then the quantiles and the raw data.
    var yaml: String {
        var lines: [String] = []
        if let best = calibration.best {
            if let log {
                lines.append("# the best fit, \(best.fit.family.rawValue); source: \(source)")
                let yaml = log.yaml(latency: calibration.distribution(best.fit), to: end)
                lines.append(yaml.hasSuffix("\n") ? String(yaml.dropLast()) : yaml)
            } else {
                lines.append("# the best fit; source: \(source)")
                lines.append(calibration.yaml(best.fit))
            }
        }
        lines += [
            "# the quantiles of the data, with straight lines between them", calibration.yaml(calibration.quantiles),
        ]
        if log == nil, let empirical = calibration.empirical {
            lines += ["# the raw data", calibration.yaml(empirical)]
        }
        return lines.joined(separator: "\n")
    }

    /// The source to name beside the figures in a scenario.
    private var source: String {
        let file = OneLine.text(calibration.source.file.split(separator: "/").last.map(String.init) ?? "")
        return "\(file), \(Self.title(calibration.source)), n = \(calibration.sample.count)"
    }
}
