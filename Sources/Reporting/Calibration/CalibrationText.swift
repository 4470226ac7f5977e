import Statistics
import TextFormats
public import Traces

/// The results of a fit, in words and tables: for the terminal and for `report.md`.
public struct CalibrationText: Sendable {
    let calibration: Calibration
    /// The send log, for its other numbers besides latencies; nil without a log.
    let log: SendLog?
    /// The event that ends a latency of the log.
    let end: SendLog.LatencyEnd

    /// Creates the texts of a calibration, and of the log that its values came from.
    public init(_ calibration: Calibration, log: SendLog? = nil, end: SendLog.LatencyEnd = .response) {
        self.calibration = calibration
        self.log = log
        self.end = end
    }

    /// The tables and the YAML as plain text.
    public var plain: String { ([.paragraph(opening)] + results).plain }

    /// `report.md`.
    var report: [Block] {
        let charts =
            "Chart: `charts/quantiles.vl.json` (quantiles of the fits against those of the data)."
        let remarks = calibration.source.remarks.map { "Uncertain: \(OneLine.text($0))" }
        return [Block](Block.heading(1, Self.title(calibration.source)), opening, remarks, results, charts)
    }

    private var results: [Block] {
        (log.map { .section("Answers", Self.answers($0), Self.notInModel($0)) } ?? [])
            + .section("Fits", families, remarks) + .section("Quantiles", quantiles, verdict)
            + .section("For a scenario", Block.code(yaml, language: "yaml"))
    }

    /// A title for the fitted data: `pickup_time since request_time where provider=lyft`.
    static func title(_ source: Calibration.Source) -> String {
        let column = source.column
        let since = column.since.map { " since \($0)" } ?? ""
        let filters = DataColumn.Filter.text(of: column.filters)
        return OneLine.text("\(column.name)\(since)\(filters.isEmpty ? "" : " where \(filters)")")
    }

    /// Formats a value with its unit, without the shift.
    func value(_ number: Double) -> String {
        guard calibration.source.column.unit == .one else { return Format.span(number) }
        return number < 1000 ? Format.number(number) : Format.count(Int64(number.rounded()))
    }

    private func value(_ number: Int64) -> String {
        calibration.source.column.unit == .one ? Format.count(number) : Format.span(number)
    }

    // MARK: - Opening

    private var opening: String {
        let (source, sample) = (calibration.source, calibration.sample)
        var lines = [
            "\(OneLine.text(source.file)): \(Self.title(source)), \(Format.count(Int64(sample.count))) values, "
                + "mean \(value(sample.mean + Double(source.column.shift)))"
        ]
        let left = [
            (source.values.filtered, "other rows"), (source.values.empty, "empty cells"),
            (source.values.negative, "rows below zero\(source.column.shift > 0 ? " or the shift" : "")"),
        ]
        let omitted = left.filter { $0.0 > 0 }.map { "\(Format.count(Int64($0.0))) \($0.1)" }
        if !omitted.isEmpty { lines.append("Left out: \(omitted.joined(separator: ", ")).") }
        if sample.isRounded {
            let zeros = sample.zeroCount
            let half = value(Double(sample.resolution) / 2)
            let ofZeros = "the \(Format.count(Int64(zeros))) zeros cover values below \(half)"
            lines.append(
                "Recorded in steps of \(value(sample.resolution)): each value covers half a step to either side"
                    + (zeros > 0 ? "; \(ofZeros)." : ".")
            )
        }
        if source.column.shift > 0 {
            lines.append("Only the part above \(value(source.column.shift)) is fitted.")
        }
        if let period = log?.period { lines.append(Self.period(period, count: log?.count ?? 0)) }
        return lines.joined(separator: "\n")
    }

    private static func period(_ period: ClosedRange<Int64>, count: Int) -> String {
        let length = period.upperBound - period.lowerBound
        let rate = length > 0 ? ", \(Format.number(Double(count) / (Double(length) / 1e6))) a second" : ""
        return "The log has \(Format.count(Int64(count))) requests within \(Format.span(length))\(rate)."
    }

    /// The largest number of kinds of answers in the list.
    private static let mostAnswers = 60

    private static func answers(_ log: SendLog) -> TextTable {
        func row(_ name: String, _ count: Int) -> [String] {
            [name, Format.count(Int64(count)), Format.percent(log.share(count))]
        }
        let rows = log.answers.prefix(mostAnswers)
            .map { answer in
                let status = answer.status.map { Wording.part("status", "\($0)") } ?? "no answer"
                if let number = answer.status, number != 200, answer.reason.isEmpty {
                    return row(answer.name, answer.count)
                }
                return row(status + (answer.reason.isEmpty ? "" : ", \(answer.reason)"), answer.count)
            }
        let others = log.answers.dropFirst(mostAnswers)
        return TextTable(
            ["Answer", "Requests:", "Share:"],
            rows: others.isEmpty
                ? rows : rows + [row("\(others.count) others", others.reduce(0) { $0 + $1.count })]
        )
    }

    /// The largest number of reasons that are named if the model lacks them.
    private static let mostReasons = 40

    /// Returns a sentence on rejections that no share of the scenario covers; empty if there are none.
    private static func notInModel(_ log: SendLog) -> String {
        let unknown = log.refusals.unknown
        guard !unknown.isEmpty else { return "" }
        let count = unknown.reduce(0) { $0 + $1.count }
        let names = unknown.prefix(mostReasons).map { "\($0.name) \(Format.count(Int64($0.count)))" }
        let others = unknown.count > mostReasons ? " and \(unknown.count - mostReasons) more" : ""
        return
            "Not in the scenario: \(Format.count(Int64(count))) of \(Format.count(Int64(log.count))) requests "
            + "(\(Format.percent(log.share(count)))) got an answer that the model does not have; these are not in "
            + "any other answer's share: \(names.joined(separator: ", "))\(others)."
    }

    // MARK: - Fits

    private var families: TextTable {
        TextTable(
            ["Family", "log L:", "AIC difference:", "KS distance:", "Distribution"],
            rows: calibration.candidates.map { candidate in
                let numbers = [
                    FixedPoint.text(candidate.fit.logLikelihood, places: 1),
                    FixedPoint.text(candidate.criterionDifference, places: 1),
                    FixedPoint.text(candidate.distance, places: 4),
                ]
                return [candidate.fit.family.rawValue] + numbers.map { $0 ?? Format.undefined }
                    + [calibration.yaml(candidate.fit)]
            }
        )
    }

    private var remarks: String {
        let problems = calibration.candidates.compactMap { candidate in
            candidate.problem.map { "\(candidate.fit.family.rawValue): not usable in a scenario, \($0)." }
        }
        return (calibration.failures.map { "\($0.family.rawValue): \($0.error)." } + problems).joined(separator: "\n")
    }

    private var quantiles: TextTable {
        let shift = calibration.source.column.shift
        return TextTable(
            ["Quantile", "Data:"] + calibration.candidates.map { "\($0.fit.family.rawValue):" },
            rows: calibration.points.enumerated()
                .map { index, point in
                    let cells = calibration.candidates.map { candidate in
                        let quantile = candidate.quantiles[index] + Double(shift)
                        let error = Self.relativeError(quantile, Double(point.value + shift))
                        return "\(value(quantile)) (\(error))" + (candidate.missed.contains(index) ? " !" : "")
                    }
                    return ["p\(Int(point.probability * 100))", value(point.value + shift)] + cells
                }
        )
    }

    private static func relativeError(_ value: Double, _ reference: Double) -> String {
        guard reference > 0, let text = FixedPoint.text((value / reference - 1) * 100, places: 1) else {
            return Format.undefined
        }
        return (text.hasPrefix("-") ? text : "+\(text)") + " %"
    }
}
