public import LiveActivityModel
import TextFormats

/// A sweep, read from its directory.
///
/// The files are read as untrusted input.
public struct RecordedSweep: Sendable {
    /// A design point.
    struct Point: Sendable {
        let number: Int
        /// The level of each factor, as written.
        let levels: [String]
        /// For each response, a value per replication; nil if it is undefined.
        var values: [[Double?]]
    }

    /// The directory, as given.
    public let path: String
    /// The hash of the sweep's inputs.
    public let id: String
    /// The hash of all histories.
    public let fingerprint: String
    /// The version of the program that wrote it; nil if `sweep.json` does not state it.
    public let version: String?
    /// The number of replications of each point.
    public let replications: Int
    /// The scenario that the factors vary.
    @Boxed public private(set) var scenario: Scenario
    /// The paths of the factors.
    public let factors: [String]
    /// The responses, as written.
    public let responses: [String]
    let points: [Point]
    /// The template for the scenarios of the points.
    private let template: ScenarioTemplate

    /// The responses with their units, without those that the scenario does not have.
    package var resolvedResponses: [ResolvedResponse] {
        let catalog = MetricCatalog(of: scenario)
        return responses.compactMap { text in try? Response(parsing: text).resolve(in: scenario, by: catalog) }
    }

    /// The number of design points.
    public var pointCount: Int { points.count }

    /// The largest magnitude of a value.
    ///
    /// No run exceeds it, and arithmetic with it stays finite.
    private static let largest = 1e19
    /// The largest size of an identity file [bytes].
    ///
    /// Larger files are rejected.
    private static let largestDescription = 1 << 26
    /// The largest number of factors or responses of a sweep.
    ///
    /// Files with more are rejected.
    private static let mostColumns = 1000
    /// Reads `sweep.json`, `scenario.resolved.yaml`, `points.csv` and `results.csv`.
    ///
    /// - Throws: ``ScenarioError`` if a file is missing or invalid.
    public init(directory: String) throws(ScenarioError) {
        path = directory
        let file = "\(directory)/sweep.json"
        let bytes = try TextFile.bytes(of: file, limit: Self.largestDescription)
        guard let json = try? JSONMembers(Array(bytes)),
            let id = json["sweep_id"]?.text, let fingerprint = json["fingerprint"]?.text,
            let replications: Int = json["replications"]?.integer(),
            RecordedRun.replicationCounts.contains(replications),
            let factors = json["factors"]?.elements, let responses = json["responses"]?.elements,
            factors.count <= Self.mostColumns, responses.count <= Self.mostColumns
        else {
            let message =
                "must be what `freshet sweep` writes, with sweep_id, fingerprint, replications, factors and responses; "
                + ResultKind.otherVersion(of: directory)
            throw .invalid([Diagnostic(file: file, message: message)])
        }
        (self.id, self.fingerprint) = (OneLine.excerpt(id, longest: 64), OneLine.excerpt(fingerprint, longest: 64))
        version = json["freshet_version"]?.text.map(OneLine.version)
        self.replications = replications
        self.factors = factors.map { OneLine.excerpt($0.text ?? "", longest: 128) }
        self.responses = responses.map { OneLine.excerpt($0.text ?? "", longest: 256) }
        let template = try ScenarioReader.results(in: directory) { (file) throws(ScenarioError) in
            try ScenarioReader.template(file: file, settings: [])
        }
        self.template = template
        scenario = template.base.experiment.scenario
        do throws(DataFileError) {
            var points = try Self.points(of: directory, factors: self.factors, responses: self.responses.count)
            try Self.read("\(directory)/results.csv", into: &points, self.responses, replications)
            self.points = points
        } catch {
            throw ScenarioError(error)
        }
    }

    /// Returns the scenario of a design point, or the base scenario if a level cannot be read.
    func scenario(of point: Point) -> Scenario {
        guard let design = template.base.experiment.factors, design.vary.map({ $0.path }) == factors else {
            return scenario
        }
        let levels = zip(design.vary, point.levels).map { factor, label in factor.level(called: label) }
        return (try? template.scenario(factors: design, levels: levels))?.scenario ?? scenario
    }

    private static func points(
        of directory: String,
        factors: [String],
        responses: Int
    ) throws(DataFileError) -> [Point] {
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

    /// Reads the values of all replications.
    private static func read(
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
            let value = NumberText.number(fields[3]).flatMap { $0.magnitude <= largest ? $0 : nil }
            if value == nil, !fields[3].isEmpty {
                table.reportInRow(
                    field: columns[3],
                    "must be a number within ±1e19 or empty, got \(ScenarioNode.quoted(fields[3]))"
                )
                continue
            }
            points[place].values[response].append(value)
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
