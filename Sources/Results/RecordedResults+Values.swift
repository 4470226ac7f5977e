package import Evaluation
import InputFiles
package import ScenarioLanguage
import TextFormats

extension RecordedResults {
    /// The largest number of rows of a summary, which has a few hundred.
    private static let mostRows = 100_000
    /// The largest number of factors or responses of a sweep.
    ///
    /// Files with more are rejected.
    static let mostColumns = 1000

    /// Returns the values of some responses, replication by replication, at each point.
    ///
    /// - Parameters:
    ///   - responses: Responses that the scenario has.
    ///   - required: The number of leading responses that must have values. Others may have none.
    /// - Returns: For each point and response, a value per replication, nil if it is undefined; no values for a
    ///   response that was not recorded.
    /// - Throws: ``ScenarioError`` if `replications.csv` of a run is invalid.
    /// - Complexity: Reads the file of a run once, and keeps only the requested values in memory.
    func values(of responses: [ResolvedResponse], required: Int) throws(ScenarioError) -> [[[Double?]]] {
        guard isSweep else {
            return try ScenarioError.of { () throws(DataFileError) in
                [try replicationValues(of: responses, required: required)]
            }
        }
        let places = responses.map { resolved in
            self.responses.firstIndex { [resolved.text, resolved.response.text].contains($0) }
        }
        return points.map { point in places.map { place in place.map { point.values[$0] } ?? [] } }
    }

    /// Reads values from `replications.csv`.
    private func replicationValues(
        of responses: [ResolvedResponse],
        required: Int
    ) throws(DataFileError) -> [[Double?]] {
        var table = try CSVTable(CSVReader(path: "\(path)/replications.csv"))
        let names = ["replication", "scope", "metric", "stat", "unit", "value"]
        let columns = names.compactMap { table.column($0, besides: names) }
        try table.throwIfInvalid()
        var indices: [Response: [Int]] = [:]
        for (index, resolved) in responses.enumerated() { indices[resolved.response, default: []].append(index) }
        var values = responses.map { _ in [Double?](repeating: nil, count: replications) }
        var seen = responses.map { _ in [Bool](repeating: false, count: replications) }
        while try table.advance() {
            let key = Response(
                metric: table.row.text(columns[2]),
                scope: table.row.text(columns[1]),
                statistic: table.row.text(columns[3])
            )
            guard let wanted = indices[key], let first = wanted.first else { continue }
            let replicationText = table.row.text(columns[0])
            guard let replication = Int(replicationText), values[first].indices.contains(replication) else {
                table.reportInRow(
                    field: columns[0],
                    "must be a replication of run.json, got \(ScenarioNode.quoted(replicationText)); allowed: "
                        + "0 … \(replications - 1)"
                )
                continue
            }
            guard !seen[first][replication] else {
                table.reportInRow(
                    field: columns[2],
                    "must be there once per replication, got two rows for replication \(replication)"
                )
                continue
            }
            let unit = table.row.text(columns[4])
            guard unit == responses[first].unit else {
                table.reportInRow(
                    field: columns[4],
                    "must be the unit of the metric, got \(ScenarioNode.quoted(unit)); allowed: \(responses[first].unit)"
                )
                continue
            }
            let value = table.value(in: columns[5])
            for index in wanted {
                seen[index][replication] = true
                values[index][replication] = value
            }
        }
        for (index, response) in responses.prefix(required).enumerated() where seen[index].contains(false) {
            table.reportInHeader(
                field: 0,
                "there is no row of \(response.text) for \(seen[index].count { !$0 }) of \(replications) replications; "
                    + Provenance.otherVersion(of: path)
            )
        }
        try table.throwIfInvalid()
        return values.indices.map { seen[$0].contains(true) ? values[$0] : [] }
    }

    /// Returns the rows of `summary.csv` with their intervals.
    ///
    /// - Throws: ``ScenarioError`` if the file of a run is missing or invalid; the rows of a load are known.
    package func summary() throws(ScenarioError) -> [SummaryRow] {
        isLoad ? rows : try ScenarioError.of { () throws(DataFileError) in try Self.rows(of: "\(path)/summary.csv") }
    }

    /// Reads the rows of `summary.csv`.
    static func rows(of path: String) throws(DataFileError) -> [SummaryRow] {
        var table = try CSVTable(CSVReader(path: path))
        let names = ["metric", "scope", "stat", "unit", "value", "ci_low", "ci_high"]
        let columns = names.compactMap { table.column($0, besides: names) }
        try table.throwIfInvalid()
        var rows: [SummaryRow] = []
        while try table.advance() {
            guard rows.count < mostRows else {
                table.reportInRow(field: 0, "there are too many rows; allowed: \(mostRows)")
                break
            }
            let fields = columns.prefix(4).map { OneLine.excerpt(table.row.text($0), longest: 128) }
            let numbers = columns.dropFirst(4).map { table.value(in: $0) }
            let interval = numbers[1].flatMap { low in numbers[2].flatMap { low <= $0 ? low...$0 : nil } }
            rows.append(
                SummaryRow(
                    scope: fields[1],
                    metric: fields[0],
                    stat: fields[2],
                    unit: fields[3],
                    value: numbers[0].map { .decimal($0) },
                    interval: interval
                )
            )
        }
        try table.throwIfInvalid()
        return rows
    }

    /// Reads the points of a sweep, without values.
    static func points(of directory: String, factors: [String], responses: Int) throws(DataFileError) -> [Point] {
        var table = try CSVTable(CSVReader(path: "\(directory)/points.csv"))
        let columns = (["point"] + factors).compactMap { table.column($0) }
        try table.throwIfInvalid()
        var points: [Point] = []
        while try table.advance() {
            let text = table.row.text(columns[0])
            guard let number = Int(text), number >= 0 else {
                table.reportInRow(
                    field: columns[0],
                    "must be the number of a design point, got \(ScenarioNode.quoted(text))"
                )
                continue
            }
            guard points.count < Factors.mostPoints else {
                table.reportInRow(field: columns[0], "there are too many design points; allowed: \(Factors.mostPoints)")
                break
            }
            points.append(
                Point(
                    number: number,
                    levels: columns.dropFirst().map { OneLine.excerpt(table.row.text($0), longest: 128) },
                    values: [[Double?]](repeating: [], count: responses)
                )
            )
        }
        try table.throwIfInvalid()
        return points
    }

    /// Reads the values of all replications of a sweep.
    static func read(
        _ path: String,
        into points: inout [Point],
        _ responses: [String],
        _ replications: Int
    ) throws(DataFileError) {
        var table = try CSVTable(CSVReader(path: path))
        let names = ["point", "replication", "response", "value"]
        let columns = names.compactMap { table.column($0, besides: names) }
        try table.throwIfInvalid()
        let places = Dictionary(points.enumerated().map { ($1.number, $0) }) { first, _ in first }
        let indices = Dictionary(responses.enumerated().map { ($1, $0) }) { first, _ in first }
        while try table.advance() {
            let fields = columns.map { table.row.text($0) }
            guard let place = Int(fields[0]).flatMap({ places[$0] }), let response = indices[fields[2]],
                let replication = Int(fields[1]), replication == points[place].values[response].count,
                replication < replications
            else {
                let got = fields.prefix(3).joined(separator: ",")
                table.reportInRow(
                    field: columns[0],
                    "must name a point of points.csv, its next replication and a response of sweep.json, got "
                        + ScenarioNode.quoted(got)
                )
                continue
            }
            points[place].values[response].append(table.value(in: columns[3]))
        }
        if let short = points.first(where: { $0.values.contains { $0.count < replications } }) {
            table.reportInHeader(
                field: 0,
                "each response must have \(replications) replications at each point, but point \(short.number) has fewer"
            )
        }
        try table.throwIfInvalid()
    }
}

extension CSVTable {
    /// Returns the value in a column of the row; nil if it is empty, or no value, which is reported.
    ///
    /// No result exceeds 1e19, and arithmetic with smaller values stays finite.
    mutating func value(in column: Int) -> Double? {
        let text = row.text(column)
        guard !text.isEmpty else { return nil }
        if let value = NumberText.number(text), value.magnitude <= 1e19 { return value }
        reportInRow(field: column, "must be a number within ±1e19 or empty, got \(ScenarioNode.quoted(text))")
        return nil
    }
}

extension ScenarioError {
    /// Reads data files of results and throws their errors as errors of the results.
    static func of<Value>(_ read: () throws(DataFileError) -> Value) throws(ScenarioError) -> Value {
        do throws(DataFileError) {
            return try read()
        } catch {
            throw ScenarioError(error)
        }
    }

    /// Creates the same error about a data file.
    init(_ error: DataFileError) {
        switch error {
        case .missing(let file): self = .missing(path: file)
        case .unreadable(let file, let reason): self = .unreadable(path: file, reason: reason)
        case .unavailable(let file, let reason): self = .unavailable(path: file, reason: reason)
        case .invalid(let diagnostics, let omitted):
            let more = diagnostics.last.map { [Diagnostic(file: $0.file, message: "and \(omitted) more")] } ?? []
            self = .invalid(diagnostics + (omitted > 0 ? more : []))
        }
    }
}
