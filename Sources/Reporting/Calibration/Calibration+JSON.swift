import InputFiles
import ScenarioLanguage
import SimulationKernel
import Statistics
public import TextFormats
public import Traces

extension Calibration {
    /// `fit.json`: the fits for scripts, with a description of the log that the values came from.
    public func json(log: SendLog? = nil, end: SendLog.LatencyEnd = .response) -> JSONValue {
        var members: [String: JSONValue] = [
            // This number grows when scripts that read the file must change.
            "schema_version": 1,
            "fit_id": .string(id.hexadecimal),
            "title": .string(CalibrationText.title(source)),
            "unit": .string(source.column.unit == .one ? "1" : "us"),
            "count": .integer(Int64(sample.count)),
            "zeros": .integer(Int64(sample.zeroCount)),
            "is_rounded": .bool(sample.isRounded),
            "resolution": .integer(sample.resolution),
            "shift": .integer(source.column.shift),
            "left_out": [
                "filtered": .integer(Int64(source.values.filtered)),
                "empty": .integer(Int64(source.values.empty)),
                "negative": .integer(Int64(source.values.negative)),
            ],
            "fits": .array(candidates.map(json(of:))),
            "quantiles_yaml": .string(yaml(quantiles)),
        ]
        if let best {
            members["best"] = .string(best.fit.family.rawValue)
            if let log { members["yaml"] = .string(log.yaml(latency: distribution(best.fit), to: end)) }
        }
        if let log {
            members["answers"] = .array(log.answers.map { Calibration.json(of: $0, in: log) })
            members["answers_not_in_model"] = .array(log.refusals.unknown.map { Calibration.json(of: $0, in: log) })
        }
        return .object(members)
    }

    private func json(of candidate: Candidate) -> JSONValue {
        let fit = candidate.fit
        let parameters = fit.parameters.map { ($0.name, JSONValue.number(Calibration.digits($0.value))) }
        let shift = source.column.shift
        let quantiles = zip(points, candidate.quantiles)
            .map { point, quantile -> JSONValue in
                [
                    "probability": .decimal(point.probability, places: 2),
                    "data": .integer(point.value + shift),
                    "fit": .number(Calibration.digits(quantile + Double(shift))),
                ]
            }
        return [
            "family": .string(fit.family.rawValue),
            "parameters": .object(Dictionary(parameters) { first, _ in first }),
            "log_likelihood": .decimal(fit.logLikelihood, places: 3),
            "aic": .decimal(fit.informationCriterion, places: 3),
            "aic_difference": .decimal(candidate.criterionDifference, places: 3),
            "ks_distance": .decimal(candidate.distance, places: 6),
            "quantiles": .array(quantiles),
            "missed": .array(candidate.missed.map { .decimal(points[$0].probability, places: 2) }),
            "problem": candidate.problem.map { .string($0) } ?? .null,
            "yaml": .string(yaml(fit)),
        ]
    }

    /// Rounds a number to digits that a search for a maximum reproduces on any machine.
    static func digits(_ number: Double) -> Double { NumberText.rounded(number, digits: 5) }

    private static func json(of answer: SendLog.Answer, in log: SendLog) -> JSONValue {
        [
            "status": answer.status.map { .integer(Int64($0)) } ?? .null,
            "reason": .string(answer.reason),
            "count": .integer(Int64(answer.count)),
            "share": .decimal(log.share(answer.count), places: 6),
        ]
    }

    /// A hash of the values and of the options of the fit.
    private var id: UInt64 {
        var hash = Fingerprint()
        let families = candidates.map(\.fit.family) + failures.map(\.family)
        for family in FitFamily.allCases.enumerated() where families.contains(family.element) {
            hash.combine(UInt64(family.offset))
        }
        hash.combine(UInt64(sample.resolution))
        hash.combine(UInt64(source.column.shift))
        for group in sample.groups {
            hash.combine(UInt64(group.value))
            hash.combine(UInt64(group.count))
        }
        return hash.value
    }
}

extension CSVText {
    /// `fit.csv`: one row for each number of each fit, with quantiles beside those of the data.
    static func fits(_ calibration: Calibration) -> String {
        var rows: [[String]] = []
        let unit = calibration.source.column.unit == .one ? "1" : "us"
        let shift = Double(calibration.source.column.shift)
        for (rank, candidate) in calibration.candidates.enumerated() {
            func add(_ quantity: String, _ unit: String, _ value: Double?, data: Double? = nil) {
                let error = data.flatMap { data in value.flatMap { data > 0 ? $0 / data - 1 : nil } }
                rows.append(
                    ["\(rank + 1)", candidate.fit.family.rawValue, quantity, unit]
                        + [value, data, error].map { field($0) }
                )
            }
            for parameter in candidate.fit.parameters {
                add(parameter.name, parameter.isScale ? unit : "1", Calibration.digits(parameter.value))
            }
            add("log_likelihood", "1", (candidate.fit.logLikelihood * 1000).rounded() / 1000)
            add("aic", "1", (candidate.fit.informationCriterion * 1000).rounded() / 1000)
            add("aic_difference", "1", (candidate.criterionDifference * 1000).rounded() / 1000)
            add("ks_distance", "1", candidate.distance)
            for (point, quantile) in zip(calibration.points, candidate.quantiles) {
                let shifted = Calibration.digits(quantile + shift)
                add("p\(Int(point.probability * 100))", unit, shifted, data: Double(point.value) + shift)
            }
        }
        return text(
            header: ["rank", "family", "quantity", "unit", "value", "data_value", "relative_error"],
            rows: rows
        )
    }
}

extension RunFiles {
    /// Creates the files of a calibration, and of the log that its values came from.
    public init(_ calibration: Calibration, log: SendLog? = nil, end: SendLog.LatencyEnd = .response) {
        self.init(
            report: CalibrationText(calibration, log: log, end: end).report,
            [("fit.json", calibration.json(log: log, end: end).text), ("fit.csv", CSVText.fits(calibration))],
            charts: [.quantileQuantile(calibration)]
        )
    }
}
