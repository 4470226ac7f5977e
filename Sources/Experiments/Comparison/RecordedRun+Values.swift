extension RecordedRun {
    /// The largest magnitude of a value.
    ///
    /// No run exceeds it, and arithmetic with it stays finite.
    private static let largest = 1e19

    /// Returns the values of some responses, replication by replication.
    ///
    /// - Parameters:
    ///   - responses: Responses of the whole run that the scenario has.
    ///   - required: The number of leading responses that must have rows; all by default. The others have no values if
    ///     their rows are missing.
    /// - Returns: For each response, a value per replication; nil if it is undefined.
    /// - Throws: ``ScenarioError`` if `replications.csv` is invalid.
    /// - Complexity: Reads the file once, and keeps only the requested values in memory.
    func values(of responses: [ResolvedResponse], required: Int? = nil) throws(ScenarioError) -> [[Double?]] {
        do throws(DataFileError) {
            let required = required ?? responses.count
            return try values(
                of: responses,
                required: required,
                in: CSVTable(CSVReader(path: "\(path)/replications.csv"))
            )
        } catch {
            throw ScenarioError(error)
        }
    }

    private func values(
        of responses: [ResolvedResponse],
        required: Int,
        in source: consuming CSVTable
    ) throws(DataFileError) -> [[Double?]] {
        var table = source
        let names = ["replication", "scope", "metric", "stat", "unit", "value"]
        let columns = names.compactMap { table.column($0, besides: names) }
        try table.throwIfInvalid()
        var indices: [Key: [Int]] = [:]
        for (index, resolved) in responses.enumerated() {
            let response = resolved.response
            let key = Key(metric: response.metric, scope: response.scope, statistic: response.statistic ?? "")
            indices[key, default: []].append(index)
        }
        var values = responses.map { _ in [Double?](repeating: nil, count: replications) }
        var seen = responses.map { _ in [Bool](repeating: false, count: replications) }
        while try table.advance() {
            let key = Key(
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
            let text = table.row.text(columns[5])
            let value = text.isEmpty ? nil : NumberText.number(text).flatMap { $0.magnitude <= Self.largest ? $0 : nil }
            if value == nil, !text.isEmpty {
                table.reportInRow(
                    field: columns[5],
                    "must be a number within ±1e19 or empty, got \(ScenarioNode.quoted(text))"
                )
            }
            for index in wanted {
                seen[index][replication] = true
                values[index][replication] = value
            }
        }
        for (index, response) in responses.prefix(required).enumerated() where seen[index].contains(false) {
            table.reportInHeader(
                field: 0,
                "there is no row of \(response.text) for \(seen[index].count { !$0 }) of \(replications) replications; "
                    + ResultKind.otherVersion(of: path)
            )
        }
        try table.throwIfInvalid()
        return values
    }

    /// The key of a row.
    private struct Key: Hashable {
        var metric: String
        var scope: String
        var statistic: String
    }
}

extension ScenarioError {
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
