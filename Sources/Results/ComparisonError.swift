public import Evaluation
public import ScenarioLanguage
public import TextFormats

/// The reason why two results were not compared.
public enum ComparisonError: Error, Hashable, Sendable {
    /// The two are not comparable, for all the reasons given.
    case notComparable([Obstacle])
    /// A run does not have a response.
    case unknownResponse(Response, run: String, ResponseError)
    /// A response covers a window, which run directories do not keep by replication.
    case overWindow(Response)
    /// The two directories hold different kinds of results.
    case otherKinds(Side, Side)
    /// Results of this kind cannot be compared.
    case neverCompared(Side)
    /// Results of this kind have no cohorts.
    case withoutCohorts(Side)
    /// The scenario of a run does not have a cohort.
    case unknownCohort(String, run: String, known: [String])
    /// Results of a load do not have a metric.
    case unknownMetric(String, run: String, advice: String)
    /// A file of a run is missing or wrong.
    case unreadable(ScenarioError)

    /// One of the two directories.
    public struct Side: Hashable, Sendable {
        /// The path of the directory, as given.
        public let directory: String
        /// The origin of the results in it.
        public let provenance: Provenance
    }

    /// A difference that prevents the comparison.
    public enum Obstacle: Hashable, Sendable {
        case otherClock(ScenarioChange)
        case otherCells(ScenarioChange)
        case otherSeed(ScenarioChange)
        case otherRides(ScenarioChange)
        case otherPairing(ScenarioChange)
        /// The factors of two sweeps.
        case otherFactors([String], [String])
        /// The numbers of design points of two sweeps that have none in common.
        case otherPoints(Int, Int)
        /// The ids of two runs of one scenario, which therefore read different data files.
        case otherData(String, String)
    }
}

extension ComparisonError: CustomStringConvertible {
    /// The requirements, the findings and the remedies, one line per reason.
    public var description: String {
        switch self {
        case .notComparable(let obstacles):
            return (["the runs cannot be compared:"] + obstacles.map { "  \($0)" }).joined(separator: "\n")
        case .unknownResponse(let response, let run, let error):
            return "\(run): --metric \(response.text) \(error)"
        case .overWindow(let response):
            return "--metric \(response.text) must cover the whole run: replications.csv has no windows; "
                + "a check in the scenario can use a window"
        case .otherKinds(let first, let second):
            return
                "the two cannot be compared: \(first.directory) holds \(first.provenance.words), \(second.directory) "
                + "\(second.provenance.words); \(Self.allowedKinds)"
        case .neverCompared(let results):
            return "\(results.directory) holds \(results.provenance.words); \(Self.allowedKinds)"
        case .withoutCohorts(let results):
            return
                "\(results.directory) holds \(results.provenance.words), which has no cohorts; allowed: a run or a sweep of "
                + "a scenario"
        case .unknownCohort(let name, let run, let known):
            return known.isEmpty
                ? "\(run): --cohorts needs a scenario with cohorts, got one without"
                : "\(run): --cohorts must name cohorts of the scenario, got \(ScenarioNode.quoted(name)); "
                    + Suggestion.advice(for: name, among: known)
        case .unknownMetric(let metric, let run, let advice):
            return "\(run): --metric \(metric): there is no such metric; \(advice)"
        case .unreadable(let error):
            return "\(error)"
        }
    }
}

extension ComparisonError {
    private static let allowedKinds =
        "allowed: two runs of a scenario, two results of one `freshet load` command, or two sweeps"
}

extension ComparisonError.Obstacle: CustomStringConvertible {
    /// The reason in a sentence.
    public var description: String {
        switch self {
        case .otherClock(let change):
            "both must measure the same interval: \(change)"
        case .otherCells(let change):
            "both must have the same cells: \(change)"
        case .otherSeed(let change):
            "a paired comparison needs the same seed: \(change); --unpaired compares the runs as independent"
        case .otherRides(let change):
            "a paired comparison needs the same rides: \(change); --unpaired compares the runs as independent"
        case .otherPairing(let change):
            "a paired comparison needs the same replications: \(change); --unpaired compares the runs as independent"
        case .otherFactors(let first, let second):
            "both sweeps must vary the same factors: \(first.joined(separator: ", ")) → \(second.joined(separator: ", "))"
        case .otherPoints(let first, let second):
            "the sweeps must share design points: none of A's \(first) has the same levels as one of B's \(second)"
        case .otherData(let first, let second):
            "a paired comparison needs the same data files: the scenarios are the same, but not the runs (run_id: \(first) → \(second)); "
                + "--unpaired compares the runs as independent"
        }
    }
}

extension ScenarioChange: CustomStringConvertible {
    /// `path: first → second`.
    public var description: String { "\(path): \(first ?? "absent") → \(second ?? "absent")" }
}

extension ComparisonError: UserError {
    public var failure: FailureKind {
        if case .unreadable(.missing) = self { .inputMissing } else { .badData }
    }
}
