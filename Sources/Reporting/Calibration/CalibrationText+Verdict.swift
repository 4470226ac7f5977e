import Experiments
import Statistics

/// What to put into a scenario.
extension CalibrationText {
    /// A chance that makes a fit doubtful.
    private static let lowChance = 0.05

    /// Whether the best fit will do, in a sentence or two.
    var verdict: String {
        guard let best = calibration.best else {
            return "No family fits: use the quantiles of the data."
        }
        var name = "the best by AIC, \(best.fit.family.rawValue),"
        if let first = calibration.candidates.first?.fit.family, first != best.fit.family {
            name = "\(best.fit.family.rawValue), next to as good by AIC as \(first.rawValue) and simpler,"
        }
        guard !best.missed.isEmpty else {
            let hit =
                "\(name.prefix(1).uppercased())\(name.dropFirst()) hits every quantile within what the data can tell, "
                + "or within \(Int(Calibration.tolerance * 100)) %."
            guard let chance = best.chance, chance <= Self.lowChance else { return hit }
            return hit + " Chance alone would seldom put the data as far from it, though (p): "
                + "look at the charts, or use the quantiles below."
        }
        let missed = best.missed.map { "p\(Int(calibration.points[$0].probability * 100))" }
        let isTail = best.missed.contains { calibration.points[$0].probability >= 0.9 }
        let alternatives = calibration.empirical == nil ? "the quantiles" : "the quantiles, or the data themselves,"
        return
            "Even \(name) misses \(missed.joined(separator: ", ")) (marked !): more than "
            + "\(Int(Calibration.tolerance * 100)) % off, and outside of what the data can tell. "
            + "Where \(isTail ? "the tail" : "that part") matters, use \(alternatives) below."
    }

    /// What to paste: the best fit, then the data as they are.
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
            lines += ["# the data themselves", calibration.yaml(empirical)]
        }
        return lines.joined(separator: "\n")
    }

    /// The source that a scenario should name beside the figures.
    private var source: String {
        let file = OneLine.text(calibration.source.file.split(separator: "/").last.map(String.init) ?? "")
        return "\(file), \(Self.title(calibration.source)), n = \(calibration.sample.count)"
    }
}
