import TextFormats

/// A load, read from its directory.
///
/// The files are read as untrusted input.
public struct RecordedLoad: Sendable {
    /// A row of `summary.csv`.
    public struct Row: Hashable, Sendable {
        /// The metric's name.
        public let metric: String
        /// The scope: `all`, or a part.
        public let scope: String
        /// The name of the statistic.
        public let statistic: String
        /// The value's unit.
        public let unit: String
        /// The value; nil if it is undefined.
        public let value: Double?

        /// The row's name in conditions, including its statistic.
        public var name: String { Response(metric: metric, scope: scope, statistic: statistic).text }
    }

    /// The directory, as given.
    public let path: String
    /// The command: `load apns`.
    public let name: String
    /// The hash of the settings.
    public let id: String
    /// The version of the program that wrote it; nil if `run.json` does not state it.
    public let version: String?
    /// The seed of its draws.
    public let seed: UInt64
    /// The settings, in the order of the file; values from `--set` appear under their own keys.
    public let settings: [(name: String, value: String)]
    /// `true` if it was ended early, so that it covers only a part of the requested load.
    public let isEndedEarly: Bool
    /// `true` if it was merged from only some of the load's shares.
    public let isOfSomeShares: Bool
    /// All rows of the summary.
    public let rows: [Row]

    /// The largest number of rows.
    ///
    /// A load writes a few hundred.
    private static let mostRows = 100_000
    /// The largest magnitude of a value.
    ///
    /// No load exceeds it, and arithmetic with it stays finite.
    private static let largest = 1e19

    /// Reads `run.json` and `summary.csv`.
    ///
    /// - Throws: ``ScenarioError`` if a file is missing or invalid.
    public init(directory: String) throws(ScenarioError) {
        path = directory
        let file = "\(directory)/run.json"
        let bytes = try TextFile.bytes(of: file, limit: RecordedRun.largestDescription)
        guard let json = try? JSONMembers(Array(bytes)), let name = json["name"]?.text,
            let id = json["run_id"]?.text, let seed: UInt64 = json["seed"]?.integer(),
            let settings = json["settings"]?.members
        else {
            let message =
                "must be what `freshet load` writes, with name, run_id, seed and settings; "
                + ResultKind.otherVersion(of: directory)
            throw .invalid([Diagnostic(file: file, message: message)])
        }
        isEndedEarly = json["ended_early"] != nil
        isOfSomeShares = json["shares"]?.members?["is_part"] == .bool(true)
        self.name = OneLine.excerpt(name, longest: 64)
        self.id = OneLine.excerpt(id, longest: 64)
        version = json["freshet_version"]?.text.map(OneLine.version)
        self.seed = seed
        self.settings = settings.members
            .flatMap { name, value in
                name == "set" ? Self.set(value.elements ?? []) : [(name, value.text ?? "")]
            }
            .map { (OneLine.excerpt($0.name, longest: 128), OneLine.excerpt($0.value, longest: 300)) }
        do throws(DataFileError) {
            rows = try Self.rows(of: "\(directory)/summary.csv")
        } catch {
            throw ScenarioError(error)
        }
    }

    /// Splits values of `--set`, each of the form `key=value`.
    ///
    /// A text without a key is its own name.
    private static func set(_ elements: [JSONMembers.Value]) -> [(name: String, value: String)] {
        elements.compactMap(\.text)
            .map { text in
                guard let sign = text.firstIndex(of: "="), sign > text.startIndex else { return (text, "") }
                return (String(text[..<sign]), String(text[text.index(after: sign)...]))
            }
    }

    private static func rows(of path: String) throws(DataFileError) -> [Row] {
        var table = try CSVTable(CSVReader(path: path))
        let names = ["metric", "scope", "stat", "unit", "value"]
        let columns = names.compactMap { table.column($0, besides: names) }
        try table.throwIfInvalid()
        var rows: [Row] = []
        while try table.advance() {
            guard rows.count < mostRows else {
                table.reportInRow(field: 0, "there are too many rows; allowed: \(mostRows)")
                break
            }
            let fields = columns.map { OneLine.excerpt(table.row.text($0), longest: 128) }
            let value = NumberText.number(fields[4]).flatMap { $0.magnitude <= largest ? $0 : nil }
            if value == nil, !fields[4].isEmpty {
                table.reportInRow(
                    field: columns[4],
                    "must be a number within ±1e19 or empty, got \(ScenarioNode.quoted(fields[4]))"
                )
                continue
            }
            rows.append(Row(metric: fields[0], scope: fields[1], statistic: fields[2], unit: fields[3], value: value))
        }
        try table.throwIfInvalid()
        return rows
    }

    /// `true` if the rate is a result of the load, not a setting.
    var findsItsRate: Bool {
        settings.contains { ["find_limit", "max_rate"].contains($0.name) && $0.value == "true" }
    }

    func has(_ response: Response) -> Bool {
        row(response.metric, scope: response.scope, statistic: response.statistic) != nil
    }

    /// Returns the row of a metric; without a statistic, the first row of the metric.
    func row(_ metric: String, scope: String, statistic: String?) -> Row? {
        rows.first { row in
            row.metric == metric && row.scope == scope && statistic.map { $0 == row.statistic } ?? true
        }
    }
}
