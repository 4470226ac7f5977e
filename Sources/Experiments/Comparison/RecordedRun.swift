public import LiveActivityModel
import TextFormats

/// A run, read from its directory: identity and scenario at once, values on request.
///
/// The files are read as untrusted input.
public struct RecordedRun: Sendable {
    /// The version of the format of `run.json`.
    ///
    /// It grows if scripts that read the file would have to change.
    public static let schemaVersion = 1

    /// The largest size of an identity file; larger files are rejected unread [bytes].
    public static let largestDescription = 1 << 20
    /// The numbers of replications that a run can have.
    public static let replicationCounts = 1...100_000

    /// The run directory, as given.
    public let path: String
    /// The hash of scenario, seed and data.
    public let id: String
    /// The hash of the run's history.
    public let fingerprint: String
    /// The version of the program that wrote it; nil if `run.json` does not state it.
    public let version: String?
    /// The number of replications.
    public let replications: Int
    /// The real-time conditions of the run; nil for a simulated run.
    public let realTime: Wire?
    /// The scenario, without the contents of its data files, and its checks.
    @Boxed public private(set) var experiment: Experiment

    /// The conditions of a load besides its scenario.
    public struct Wire: Hashable, Sendable {
        /// The factor by which it ran faster than the wall clock, as written.
        public let speed: String
        /// The part that played APNs: `stand_in`, `in_process` or `endpoint`.
        public let apns: String
        /// `true` if it was ended early, so that it covers only a part of the scenario.
        public let isEndedEarly: Bool
    }

    /// `true` if it was ended early.
    public var isEndedEarly: Bool { realTime?.isEndedEarly ?? false }

    public var scenario: Scenario { experiment.scenario }

    /// Reads `run.json` and `scenario.resolved.yaml`.
    ///
    /// - Throws: ``ScenarioError`` if a file is missing or invalid.
    public init(directory: String) throws(ScenarioError) {
        path = directory
        let description = try RunDescriptionFile(directory, limit: Self.largestDescription)
        try description.requireForm(Self.schemaVersion)
        id = try description.text("run_id")
        fingerprint = try description.text("fingerprint")
        version = description.version
        replications = try description.integer("replications", in: Self.replicationCounts)
        realTime = description.realTime
        experiment = try ScenarioReader.read(resultsIn: directory).experiment
    }

    /// Returns the contents of a directory that holds no run, and how to get a run of it; nil for a run or unmarked
    /// contents.
    ///
    /// The text is a predicate: `holds a sweep; …`.
    package static func otherResults(in directory: String) -> String? {
        guard let kind = ResultKind(of: directory) else { return nil }
        return switch kind {
        case .run, .liveRun: nil
        case .sweep, .search: "holds \(kind.words), but metrics need a run; freshet run --point makes one"
        case .load, .comparison, .fit:
            "holds \(kind.words), not a run of a scenario; allowed: a directory that freshet run has written"
        }
    }
}

/// The members of a `run.json`.
private struct RunDescriptionFile {
    let directory: String
    let file: String
    let root: ScenarioNode

    init(_ directory: String, limit: Int) throws(ScenarioError) {
        self.directory = directory
        file = "\(directory)/run.json"
        if case .load? = ResultKind(of: directory), let message = RecordedRun.otherResults(in: directory) {
            throw .invalid([Diagnostic(file: directory, message: message)])
        }
        do throws(ScenarioError) {
            root = try TextFile.tree(of: file, limit: limit)
        } catch .missing(let path) {
            guard let message = RecordedRun.otherResults(in: directory) else { throw .missing(path: path) }
            throw .invalid([Diagnostic(file: directory, message: message)])
        }
    }

    func requireForm(_ version: Int) throws(ScenarioError) {
        guard try integer("schema_version", in: 1...Int.max) != version else { return }
        throw wrong("schema_version", "must be \(version); \(ResultKind.otherVersion(of: directory))")
    }

    func text(_ key: String) throws(ScenarioError) -> String {
        guard let text = node(key)?.scalar, !text.isEmpty else { throw wrong(key, "must be a text") }
        return OneLine.excerpt(text, longest: 64)
    }

    /// The version of the program; nil if it is not stated.
    var version: String? { node("freshet_version")?.scalar.map(OneLine.version) }

    func integer(_ key: String, in range: ClosedRange<Int>) throws(ScenarioError) -> Int {
        guard let number = node(key)?.scalar.flatMap({ Int($0) }), range.contains(number) else {
            let most = range.upperBound == .max ? "or more" : "… \(range.upperBound)"
            throw wrong(key, "must be a whole number; allowed: \(range.lowerBound) \(most)")
        }
        return number
    }

    /// The conditions of a load.
    var realTime: RecordedRun.Wire? {
        guard let live = node("real_time")?.mapping else { return nil }
        func text(_ key: String) -> String {
            OneLine.excerpt(live.first { $0.key == key }?.value.scalar ?? "", longest: 64)
        }
        return RecordedRun.Wire(
            speed: text("speed"),
            apns: text("apns"),
            isEndedEarly: live.contains { $0.key == "ended_early" }
        )
    }

    private func node(_ key: String) -> ScenarioNode? {
        root.mapping?.first { $0.key == key }?.value
    }

    private func wrong(_ key: String, _ message: String) -> ScenarioError {
        let found = node(key)
        let text: String
        if found == nil, node("schema_version") != nil {
            text = "\(key) is missing; \(ResultKind.otherVersion(of: directory))"
        } else {
            let parts = message.split(separator: ";", maxSplits: 1)
            text =
                "\(key) \(parts[0])" + (found.map { ", got \($0.excerpt)" } ?? ", but is missing")
                + (parts.count > 1 ? ";\(parts[1])" : "")
        }
        return .invalid([Diagnostic(file: file, place: found?.place ?? root.place, message: text)])
    }
}
