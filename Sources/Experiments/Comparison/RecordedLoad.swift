import TextFormats

/// A test in real time as its directory tells of it.
///
/// The files are read as untrusted input.
public struct RecordedLoad: Sendable {
    /// A row of `summary.csv`.
    public struct Row: Hashable, Sendable {
        /// The metric's name.
        public let metric: String
        /// `all`, or a part.
        public let scope: String
        /// Which statistic.
        public let statistic: String
        /// The value's unit.
        public let unit: String
        /// The value; nil where it is undefined.
        public let value: Double?

        /// The row as it is written in conditions, with its statistic.
        public var name: String { Response(metric: metric, scope: scope, statistic: statistic).text }
    }

    /// The directory, as it was named.
    public let path: String
    /// The command: `load apns`.
    public let name: String
    /// The hash of what was asked for.
    public let id: String
    /// The version of the program that wrote it; nil where `run.json` does not state it.
    public let version: String?
    /// The seed of its draws.
    public let seed: UInt64
    /// What it was asked for, in the order of its file; what `--set` gave stands there by its own keys.
    public let settings: [(name: String, value: String)]
    /// Whether it was ended before its time, so that it is a part of what was asked for.
    public let isEndedEarly: Bool
    /// Whether it was merged of shares that are not the whole load.
    public let isOfSomeShares: Bool
    /// Every metric.
    public let rows: [Row]

    /// A load writes some hundred rows.
    private static let mostRows = 100_000
    /// No load yields more, and arithmetic with it stays finite.
    private static let largest = 1e19

    /// Reads `run.json` and `summary.csv`.
    ///
    /// - Throws: What is missing or wrong.
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

    /// Values in place of the scenario's, each as `key=value`; a text without a key stands for itself.
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

    /// Whether the rate is what it found, not what it was asked.
    var findsItsRate: Bool {
        settings.contains { ["find_limit", "max_rate"].contains($0.name) && $0.value == "true" }
    }

    func has(_ response: Response) -> Bool {
        row(response.metric, scope: response.scope, statistic: response.statistic) != nil
    }

    /// The row of a metric; without a statistic that which is written first.
    func row(_ metric: String, scope: String, statistic: String?) -> Row? {
        rows.first { row in
            row.metric == metric && row.scope == scope && statistic.map { $0 == row.statistic } ?? true
        }
    }
}
