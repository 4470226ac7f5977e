import InputFiles
import ScenarioLanguage
import TextFormats

/// The tables of a sweep: its points and their values.
extension RecordedResults {
    /// The largest number of factors or responses of a sweep.
    ///
    /// Files with more are rejected.
    static let mostColumns = 1000

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
        let columns = try table.columns(names)
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
