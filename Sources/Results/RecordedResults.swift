public import Evaluation
import InputFiles
public import LiveActivityModel
public import ScenarioLanguage
import SimulationKernel
import TextFormats

/// Results of a run, a load or a sweep.
///
/// They are written to a directory after a run or a load, or read from it. If they are read, identity, scenario and
/// settings are read at once, the values of a run on request. The files are read as untrusted input.
public struct RecordedResults: Sendable {
    /// The version of the format of `run.json`.
    ///
    /// It grows if scripts that read the file would have to change.
    public static let schemaVersion = 1
    /// The largest size of `run.json`; larger files are rejected unread [bytes].
    static let largestDescription = 1 << 20
    /// The largest size of `sweep.json`, which lists all points [bytes].
    private static let largestDesign = 1 << 26
    /// The numbers of replications that a run can have.
    public static let replicationCounts = 1...100_000

    /// The directory, as given; empty if they were not read.
    public let path: String
    public let provenance: Provenance
    /// The hash of scenario, seed and data, or of a load's settings.
    public let id: String
    /// The version of the program that wrote them; nil if they do not state it.
    public let version: String?
    /// The name of the scenario, or of a load's command: `load apns`.
    public private(set) var name = ""
    /// The seed of all draws.
    public private(set) var seed: UInt64 = 0
    /// The number of replications, of each design point in a sweep; 1 for a load.
    public private(set) var replications = 1
    /// The hash of all histories; nil for a load, which has none.
    public private(set) var fingerprint: String?
    /// The real-time conditions of a scenario's run; nil for a simulation.
    public private(set) var realTime: Wire?
    /// Sentences on the limit that a run reached first; empty if its version did not write them.
    public private(set) var capacity: [String] = []
    /// `true` if `run.json` has an early end.
    private var hasEarlyEnd = false
    /// `true` if `run.json` has missing shares.
    private var hasMissingShares = false
    /// The settings of a load, in the order of the file; if they were read, values from `--set` have their own keys.
    public private(set) var settings: [(name: String, value: String)] = []
    /// Values that replace the scenario's in a load, each as `key=value`; empty if they were read.
    public private(set) var set: [String] = []
    /// The rows of the summary; if they were read, only a load's.
    public var rows: [SummaryRow] = []
    /// Metrics without data, which are not written but may occur in thresholds.
    public var absentRows: [SummaryRow] = []
    /// The time series; empty if they were read.
    public var series = Series()
    /// The distributions; empty if they were read.
    public var histograms: [MetricHistogram] = []
    /// The outcomes of thresholds or checks; empty if they were read, see ``checks()``.
    public var outcomes: [CheckOutcome] = []
    /// The early end, with its cause and time; nil if there was none, or if they were read.
    public var earlyEnd: EarlyEndMark?
    /// The shares of a load that were merged; nil for one generator, or if they were read.
    public var merger: ShareMerger?
    /// The lateness of the driver of a load; nil if it has none, or if they were read.
    public var lateness: DriverLateness?
    /// The scenario, without the contents of its data files, and its checks; the scenario that a sweep's factors vary.
    ///
    /// A load has the default scenario here, which has no effect.
    @Boxed public private(set) var experiment = Experiment(scenario: Scenario())
    /// The paths of a sweep's factors.
    public private(set) var factors: [String] = []
    /// The responses of a sweep, as written.
    public private(set) var responses: [String] = []
    /// The design points of a sweep; a run is one point without levels.
    private(set) var points = [Point(number: 0, levels: [], values: [])]
    /// The scenario file of a sweep, from which the scenarios of its points are made.
    private var scenarioFile: LoadedScenario?

    /// The conditions of a load besides its scenario.
    public struct Wire: Hashable, Sendable {
        /// The factor by which it ran faster than the wall clock, as written.
        public let speed: String
        /// The part that played APNs: `stand_in`, `in_process` or `endpoint`.
        public let apns: String
    }

    /// A time series: one row per window.
    public struct Series: Sendable {
        /// The columns after `window_start_us,window_us,scope`.
        public let columns: [String]
        /// The start and the length of each window [µs], then its values; a value is nil if it is undefined.
        public let windows: [(start: Int64, length: Int64, values: [Int64?])]

        /// Creates a time series.
        public init(_ columns: [String] = [], _ windows: [(start: Int64, length: Int64, values: [Int64?])] = []) {
            (self.columns, self.windows) = (columns, windows)
        }
    }

    /// A design point.
    struct Point: Sendable {
        let number: Int
        /// The level of each factor, as written.
        let levels: [String]
        /// For each response of the sweep, a value per replication; nil if it is undefined.
        var values: [[Double?]]
    }

    public var scenario: Scenario { experiment.scenario }

    /// `true` if they cover only a part of the scenario or load, because it was ended early.
    public var isEndedEarly: Bool { earlyEnd != nil || hasEarlyEnd }

    /// `true` if they were merged from only some of a load's shares.
    public var isOfSomeShares: Bool { merger?.isPart ?? hasMissingShares }

    /// `true` for the results of a sweep.
    public var isSweep: Bool { provenance == .sweep }

    /// `true` for the results of a load without a scenario's rows.
    public var isLoad: Bool { if case .load = provenance { true } else { false } }

    /// The number of design points.
    public var pointCount: Int { points.count }

    /// The responses of a sweep with their units, without those that the scenario does not have.
    package var resolvedResponses: [ResolvedResponse] {
        let catalog = MetricCatalog(of: scenario)
        return responses.compactMap { text in try? Response(parsing: text).resolve(in: scenario, by: catalog) }
    }

    /// Reads the results in a directory.
    ///
    /// An unmarked directory is taken for a run, so that the message says what is missing.
    ///
    /// - Parameter withScenario: `false` if the scenario of a run is not needed; it may be missing then.
    /// - Throws: ``ScenarioError`` if a file is missing or invalid.
    public init(directory: String, withScenario: Bool = true) throws(ScenarioError) {
        let provenance = Provenance(of: directory) ?? .simulation
        switch provenance {
        case .load: try self.init(load: directory, provenance)
        case .sweep: try self.init(sweep: directory)
        case .simulation, .liveRun, .search, .comparison, .fit: try self.init(run: directory, provenance, withScenario)
        }
    }

    /// Creates the results of a load, without a time series and histograms.
    ///
    /// Unlike a simulated run, no load repeats exactly, so its directory is never committed.
    ///
    /// - Parameters:
    ///   - name: The name of the command, such as `load apns`.
    ///   - settings: The requested settings, by name.
    ///   - set: Values that replace the scenario's, each as `key=value`.
    public init(
        load name: String,
        seed: UInt64,
        settings: [(name: String, value: String)],
        set: [String] = [],
        rows: [SummaryRow]
    ) {
        var hash = Fingerprint()
        let asked = ([name] + settings.flatMap { [$0.name, $0.value] } + set).joined(separator: "\n")
        for byte in asked.utf8 { hash.combine(UInt64(byte)) }
        hash.combine(seed)
        self.init("", .load(name), id: hash.value.hexadecimal, version: nil)
        (self.name, self.seed, self.settings, self.set, self.rows) = (name, seed, settings, set, rows)
    }

    /// Creates the results of a run, without rows, a time series and histograms.
    public init(_ run: RunResult) {
        let scenario = run.scenario
        self.init("", run.realTime == nil ? .simulation : .liveRun, id: "\(RunID(scenario))", version: nil)
        (name, seed, replications) = (scenario.name, scenario.seed, run.replications)
        fingerprint = run.fingerprint.value.hexadecimal
        (earlyEnd, lateness) = (run.realTime?.earlyEnd, run.realTime?.lateness)
        experiment = Experiment(scenario: scenario)
    }

    private init(_ path: String, _ provenance: Provenance, id: String, version: String?) {
        (self.path, self.provenance, self.id, self.version) = (path, provenance, id, version)
    }

    /// Reads `run.json` and `scenario.resolved.yaml`.
    private init(
        run directory: String,
        _ provenance: Provenance,
        _ withScenario: Bool
    ) throws(ScenarioError) {
        let description = try RunDescriptionFile(directory, limit: Self.largestDescription)
        try description.requireForm(Self.schemaVersion)
        let id = try description.text("run_id")
        self.init(directory, provenance, id: id, version: description.version)
        fingerprint = try description.text("fingerprint")
        replications = try description.integer("replications", in: Self.replicationCounts)
        (realTime, hasEarlyEnd) = description.realTime
        capacity = description.capacity
        if withScenario {
            experiment = try ScenarioReader.read(resultsIn: directory).experiment
            (name, seed) = (scenario.name, scenario.seed)
        } else {
            name = try description.text("name", longest: 300)
            seed = try description.integer("seed", in: 0...UInt64.max)
        }
    }

    /// Reads `run.json` and `summary.csv`.
    private init(load directory: String, _ provenance: Provenance) throws(ScenarioError) {
        let bytes = try TextFile.bytes(of: "\(directory)/run.json", limit: Self.largestDescription)
        guard let json = try? JSONMembers(Array(bytes)), let name = json["name"]?.text,
            let id = json["run_id"]?.text, let seed: UInt64 = json["seed"]?.integer(),
            let settings = json["settings"]?.members
        else { throw Self.foreign(directory, "run.json", "load", "name, run_id, seed and settings") }
        self.init(directory, provenance, id: OneLine.excerpt(id, longest: 64), version: Self.version(in: json))
        self.name = OneLine.excerpt(name, longest: 64)
        self.seed = seed
        hasEarlyEnd = json["ended_early"] != nil
        hasMissingShares = json["shares"]?.members?["is_part"] == .bool(true)
        self.settings = settings.members
            .flatMap { name, value in
                name == "set" ? Self.set(value.elements ?? []) : [(name, value.text ?? "")]
            }
            .map { (OneLine.excerpt($0.name, longest: 128), OneLine.excerpt($0.value, longest: 300)) }
        rows = try ScenarioError.of { () throws(DataFileError) in try Self.rows(of: "\(directory)/summary.csv") }
    }

    /// Reads `sweep.json`, `scenario.resolved.yaml`, `points.csv` and `results.csv`.
    private init(sweep directory: String) throws(ScenarioError) {
        let bytes = try TextFile.bytes(of: "\(directory)/sweep.json", limit: Self.largestDesign)
        guard let json = try? JSONMembers(Array(bytes)),
            let id = json["sweep_id"]?.text, let fingerprint = json["fingerprint"]?.text,
            let replications: Int = json["replications"]?.integer(), Self.replicationCounts.contains(replications),
            let factors = json["factors"]?.elements, let responses = json["responses"]?.elements,
            factors.count <= Self.mostColumns, responses.count <= Self.mostColumns
        else {
            let members = "sweep_id, fingerprint, replications, factors and responses"
            throw Self.foreign(directory, "sweep.json", "sweep", members)
        }
        self.init(directory, .sweep, id: OneLine.excerpt(id, longest: 64), version: Self.version(in: json))
        self.fingerprint = OneLine.excerpt(fingerprint, longest: 64)
        self.replications = replications
        self.factors = factors.map { OneLine.excerpt($0.text ?? "", longest: 128) }
        self.responses = responses.map { OneLine.excerpt($0.text ?? "", longest: 256) }
        let scenarioFile = try ScenarioReader.read(resultsIn: directory)
        self.scenarioFile = scenarioFile
        experiment = scenarioFile.experiment
        (name, seed) = (scenario.name, scenario.seed)
        let (paths, names) = (self.factors, self.responses)
        points = try ScenarioError.of { () throws(DataFileError) in
            var points = try Self.points(of: directory, factors: paths, responses: names.count)
            try Self.read("\(directory)/results.csv", into: &points, names, replications)
            return points
        }
    }

    /// Returns the scenario of a design point, or the base scenario if a level cannot be read.
    func scenario(of point: Point) -> Scenario {
        guard let scenarioFile, let design = scenarioFile.experiment.factors, design.vary.map({ $0.path }) == factors
        else { return scenario }
        let levels = zip(design.vary, point.levels).map { factor, label in factor.level(called: label) }
        return (try? scenarioFile.scenario(factors: design, levels: levels))?.scenario ?? scenario
    }

    private static func version(in json: JSONMembers) -> String? { json["freshet_version"]?.text.map(OneLine.version) }

    private static func foreign(
        _ directory: String,
        _ file: String,
        _ command: String,
        _ members: String
    ) -> ScenarioError {
        let message =
            "must be what `freshet \(command)` writes, with \(members); \(Provenance.otherVersion(of: directory))"
        return .invalid([Diagnostic(file: "\(directory)/\(file)", message: message)])
    }

    /// Evaluates the thresholds that can be evaluated, over the results so far.
    public mutating func judge(_ thresholds: [Check]) {
        let rows = rows + absentRows
        outcomes = thresholds.compactMap { try? $0.outcome(in: rows) }
    }

    /// Evaluates thresholds over the results so far, and the limit on failed requests.
    public mutating func judge(_ thresholds: [Check], failures: Int, atMost limit: Int) {
        judge(thresholds)
        outcomes.append(.failures(failures, atMost: limit))
    }

    /// `true` if a threshold or check does not hold.
    public var hasFailures: Bool { outcomes.contains { !$0.holds } }

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
}
