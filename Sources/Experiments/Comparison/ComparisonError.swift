/// Why two runs were not compared.
public enum ComparisonError: Error, Hashable, Sendable {
    /// They cannot be held against each other: all the reasons.
    case notComparable([Obstacle])
    /// A run does not have a response.
    case unknownResponse(Response, run: String, ResponseError)
    /// A response over a window, which run directories do not keep by replication.
    case overWindow(Response)
    /// The two hold different kinds of results: each with its directory.
    case otherKinds(KindOfResults, KindOfResults)
    /// Both hold what is not compared.
    case neverCompared(KindOfResults)
    /// Results in real time do not have a metric.
    case unknownMetric(String, run: String, advice: String)
    /// A file of a run is missing or wrong.
    case unreadable(ScenarioError)

    /// What a directory holds.
    public struct KindOfResults: Hashable, Sendable {
        /// As it was named.
        public let directory: String
        /// What is in it.
        public let kind: ResultKind
    }

    /// Something in which runs must agree and do not.
    public enum Obstacle: Hashable, Sendable {
        case otherClock(ScenarioChange)
        case otherCells(ScenarioChange)
        case otherSeed(ScenarioChange)
        case otherRides(ScenarioChange)
        case otherPairing(ScenarioChange)
        /// The factors of two sweeps.
        case otherFactors([String], [String])
        /// Sweeps that have no design point in common: how many each has.
        case otherPoints(Int, Int)
        /// The ids of the runs: of one scenario, so its data files are not the same.
        case otherData(String, String)
    }
}

extension ComparisonError: CustomStringConvertible {
    /// What must hold, what was found and what to do, a line for each reason.
    public var description: String {
        switch self {
        case .notComparable(let obstacles):
            return (["the runs cannot be compared:"] + obstacles.map { "  \($0)" }).joined(separator: "\n")
        case .unknownResponse(let response, let run, let error):
            return "\(run): --metric \(response.text) \(error)"
        case .overWindow(let response):
            return "--metric \(response.text) must be of the whole run: replications.csv has no windows; "
                + "a check of the scenario can be over a window"
        case .otherKinds(let first, let second):
            return "the two cannot be compared: \(first.directory) holds \(first.kind.words), \(second.directory) "
                + "\(second.kind.words); \(Self.allowedKinds)"
        case .neverCompared(let results):
            return "\(results.directory) holds \(results.kind.words); \(Self.allowedKinds)"
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
            "they must measure the same stretch of time: \(change)"
        case .otherCells(let change):
            "they must have the same cells: \(change)"
        case .otherSeed(let change):
            "pairs need the same seed: \(change); --unpaired compares them as independent"
        case .otherRides(let change):
            "pairs need the same rides: \(change); --unpaired compares them as independent"
        case .otherPairing(let change):
            "pairs need the same replications: \(change); --unpaired compares them as independent"
        case .otherFactors(let first, let second):
            "sweeps must vary the same: \(first.joined(separator: ", ")) → \(second.joined(separator: ", "))"
        case .otherPoints(let first, let second):
            "sweeps must have design points in common: none of \(first) has the levels of one of the other's \(second)"
        case .otherData(let first, let second):
            "pairs need the same data files: the scenarios are the same, the runs are not (run_id: \(first) → \(second)); "
                + "--unpaired compares them as independent"
        }
    }
}

extension ScenarioChange: CustomStringConvertible {
    /// `path: first → second`.
    public var description: String { "\(path): \(first ?? "absent") → \(second ?? "absent")" }
}
