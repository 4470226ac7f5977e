import Evaluation
import InputFiles
import ScenarioLanguage
import TextFormats

extension RecordedResults {
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
        let columns = try table.columns(names)
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
}
