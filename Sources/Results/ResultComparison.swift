public import Evaluation
import InputFiles
import LiveActivityModel
public import ScenarioLanguage

/// Two results, compared metric by metric.
///
/// Runs of one world on the same seeds share their random draws. In each replication only the difference of the two
/// policies remains, and its interval is far narrower than the interval of either run (common random numbers). Sweeps
/// are compared in this way at each design point that both have. Loads have no replications, so their differences have
/// no intervals.
public struct ResultComparison: Sendable {
    /// The baseline.
    public let first: RecordedResults
    /// The candidate.
    public let second: RecordedResults
    /// The settings that differ between the two, except for the factors of sweeps.
    public let changes: [ScenarioChange]
    /// The metrics in the requested order, grouped by point in the order of the first design.
    public let metrics: [MetricComparison]
    /// The options of the comparison.
    public let options: Options
    /// Remarks that readers need to interpret the numbers, in sentences.
    public let notes: [String]
    /// The levels of the points that both have; one point without levels, except in sweeps.
    public let points: [[String]]

    /// The options of a comparison.
    public struct Options: Hashable, Sendable {
        /// The largest difference that does not count, as a share of the first run's value.
        public var noise: Double
        /// `true` if the runs are compared as independent, with any rides and seeds.
        public var isUnpaired: Bool
        /// The responses to compare; the usual ones if empty.
        public var responses: [Response]
        /// `true` if quotients are of the sums over all replications, as in a summary, instead of means over the
        /// replications' own quotients.
        public var isPooled = false
        /// The names of the two in texts.
        public var names = Names.letters
        /// The cohorts of one result that are compared with each other; nil to compare two results.
        public private(set) var cohorts: Cohorts?

        /// Returns the level of each interval, so that together they hold all true differences in 19 of 20 comparisons
        /// (Bonferroni's correction).
        ///
        /// - Parameter count: The number of metrics that can be better or worse.
        public static func level(forJudged count: Int) -> Double { 1 - 0.05 / Double(max(1, count)) }

        /// Returns the level of each interval for a comparison of these responses.
        package static func level(for responses: [Response]) -> Double {
            level(forJudged: responses.count { MetricDirection(of: $0) != .neutral })
        }

        /// The noise by default, also of `freshet check`, `scripts/ci-gate` and the action.
        public static let usualNoise = 0.005

        /// Creates options; by default with the usual noise, in pairs, with the usual responses.
        public init(noise: Double = usualNoise, isUnpaired: Bool = false, responses: [Response] = []) {
            self.noise = noise
            self.isUnpaired = isUnpaired
            self.responses = responses
        }

        /// Returns the options for comparing two cohorts of one result.
        ///
        /// Both have the same replications, and a small cohort may have few rides in each, so quotients are of sums.
        public func of(_ cohorts: Cohorts) -> Options {
            var options = self
            (options.cohorts, options.names, options.isPooled) = (cohorts, .of(cohorts), true)
            return options
        }
    }

    /// Two cohorts of one result.
    public struct Cohorts: Hashable, Sendable {
        /// The reference.
        public let first: String
        /// The cohort to judge.
        public let second: String

        /// Creates a pair of cohorts.
        public init(_ first: String, _ second: String) { (self.first, self.second) = (first, second) }

        /// Their scopes in results.
        var scopes: (first: String, second: String) { ("cohort:\(first)", "cohort:\(second)") }
    }

    /// The names of two results, as they stand within a sentence.
    public struct Names: Hashable, Sendable {
        public let first: String
        public let second: String
        /// `true` if they are names of directories or cohorts, whose letters do not change.
        private var areVerbatim = false

        init(first: String, second: String) {
            (self.first, self.second) = (first, second)
        }

        /// Returns the names of two result directories, as far up as they differ; letters if these are not plain or are
        /// long.
        public static func ofResults(_ first: String, _ second: String) -> Names {
            let parts = [first, second].map { $0.split(separator: "/").filter { $0 != "." } }
            for count in 1...3 {
                let tails = parts.map { $0.suffix(count).joined(separator: "/") }
                guard tails[0] != tails[1] else { continue }
                guard tails.allSatisfy({ $0.isPlain(1...40, also: "/._-") && $0.first != "-" }) else { return letters }
                var names = Names(first: tails[0], second: tails[1])
                names.areVerbatim = true
                return names
            }
            return letters
        }

        /// Returns the names of two cohorts.
        static func of(_ cohorts: Cohorts) -> Names {
            var names = Names(first: cohorts.first, second: cohorts.second)
            names.areVerbatim = true
            return names
        }

        /// The names of two results of equal rank.
        public static let letters = Names(first: "A", second: "B")
        /// The names for a change that is judged by a baseline.
        public static let ofChange = Names(first: "the baseline", second: "this change")

        /// The names for a choice beside today's settings.
        public static let ofToday = Names(first: "today", second: "the change")

        /// The names as titles of columns.
        public var titles: (first: String, second: String) {
            func title(_ name: String) -> String { String(name.trimmingPrefix("the ")) }
            return (title(first), title(second))
        }

        /// The names at the beginning of a sentence.
        public var atStart: (first: String, second: String) {
            areVerbatim ? (first, second) : (Self.capitalised(first), Self.capitalised(second))
        }

        /// Returns a name at the beginning of a sentence.
        public static func capitalised(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }
    }

    /// The overall verdict on all metrics.
    public enum Verdict: String, Hashable, Sendable {
        case better
        case worse
        case trade
        /// Nothing that has a direction differs by more than the noise.
        case noDifference = "no_difference"
        /// Nothing is certainly better or worse, but something may be.
        case unsure
        /// No metric with a direction could be judged: see ``MetricComparison/isUnjudged``.
        case nothingJudged = "nothing_judged"
    }

    /// Reads the results in two directories and compares them.
    ///
    /// - Throws: ``ComparisonError`` if the directories hold different kinds of results or a kind that cannot be
    ///   compared, if the results are not comparable, or if a file is invalid.
    public init(_ first: String, _ second: String, _ options: Options = .init()) throws(ComparisonError) {
        let sides = [first, second]
            .map { ComparisonError.Side(directory: $0, provenance: Provenance(of: $0) ?? .simulation) }
        for side in sides where !side.provenance.hasForm(of: side.provenance) { throw .neverCompared(side) }
        guard sides[0].provenance.hasForm(of: sides[1].provenance) else { throw .otherKinds(sides[0], sides[1]) }
        let results: [RecordedResults]
        do throws(ScenarioError) {
            results = [try RecordedResults(directory: first), try RecordedResults(directory: second)]
        } catch {
            throw .unreadable(error)
        }
        try self.init(results[0], results[1], options)
    }

    /// Reads the results in a directory and compares two of their cohorts.
    ///
    /// - Throws: ``ComparisonError`` if the results have no such cohorts, if they lack a requested response, or if a file
    ///   is invalid.
    public init(_ cohorts: Cohorts, in directory: String, _ options: Options = .init()) throws(ComparisonError) {
        let results: RecordedResults
        do throws(ScenarioError) { results = try RecordedResults(directory: directory) } catch {
            throw .unreadable(error)
        }
        guard !results.isLoad, results.provenance.hasForm(of: results.provenance) else {
            throw .withoutCohorts(.init(directory: directory, provenance: results.provenance))
        }
        let known = results.scenario.cohortParts.map { String($0.scope.trimmingPrefix("cohort:")) }
        for name in [cohorts.first, cohorts.second] where !known.contains(name) {
            throw .unknownCohort(name, run: directory, known: known)
        }
        try self.init(results, results, options.of(cohorts))
    }

    /// Compares two results.
    ///
    /// - Throws: ``ComparisonError`` if they are not comparable, if they lack a requested response, or if a file is
    ///   invalid.
    public init(
        _ first: RecordedResults,
        _ second: RecordedResults,
        _ options: Options = .init()
    ) throws(ComparisonError) {
        (self.first, self.second, self.options) = (first, second, options)
        let isOfOneKind =
            first.isLoad ? first.name == second.name : first.provenance.hasForm(of: second.provenance)
        guard isOfOneKind else {
            throw .otherKinds(
                .init(directory: first.path, provenance: first.provenance),
                .init(directory: second.path, provenance: second.provenance)
            )
        }
        let pair = try ResultPair(first, second, options)
        (changes, points) = (pair.changes, pair.points.map { first.points[$0.first].levels })
        metrics = pair.metrics
        notes = Self.notes(first, second, options, metrics, points: points.count) + pair.missingPopulations
    }

    /// Returns a metric of two loads, reported or not; nil if neither has it.
    package func compared(_ response: Response) -> MetricComparison? {
        (try? ResultPair(first, second, options))?.compared(response, at: (0, 0))
    }

    /// The versions of the program that wrote the two.
    public var versions: ProgramVersions { ProgramVersions(first: first.version, second: second.version) }

    /// A sentence on different versions of the program; empty if they are the same.
    ///
    /// Reports begin with it, because every difference may then come from the program.
    public var noteOnVersions: String { versions.note(options.names) }

    /// The metrics that are not comparable because their bases differ, in order.
    public var metricsOnOtherBases: [MetricComparison] { metrics.filter { $0.verdict == .otherBasis } }

    /// The metrics that only one of the two can show, in order.
    public var metricsUnmetInOne: [MetricComparison] {
        metrics.filter { $0.verdict == .notMeasured && $0.unmet?.isInBoth == false }
    }

    /// The metrics that have a verdict, in order.
    public var judged: [MetricComparison] {
        directed.filter { !$0.isUnjudged }
    }

    /// The metrics that can be better or worse, in order: the base of all counts in a report.
    public var directed: [MetricComparison] { metrics.filter { $0.direction != .neutral || $0.isLost } }

    /// The metrics that can be better or worse, but have no verdict, in order.
    public var unjudged: [MetricComparison] { directed.filter(\.isUnjudged) }

    /// The number of metrics that can be better or worse.
    ///
    /// Their intervals hold together, each at the level of ``Options/level(forJudged:)``.
    public var judgedCount: Int { metrics.count { $0.direction != .neutral } }

    /// `true` if independent runs of one replication each are compared, so that chance explains any difference.
    public var isOfSingleWorlds: Bool { metrics.contains { $0.isOfSingleWorlds } }

    /// The overall verdict of the metrics that have a direction.
    ///
    /// Nothing is judged if all metrics are neutral and both sides have values.
    public var verdict: Verdict {
        if judged.isEmpty, metrics.contains(where: \.isUnjudged) { return .nothingJudged }
        let verdicts = judged.map(\.verdict)
        switch (verdicts.contains(.better), verdicts.contains(.worse)) {
        case (true, true): return .trade
        case (true, false): return .better
        case (false, true): return .worse
        case (false, false): return verdicts.contains(.unsure) ? .unsure : .noDifference
        }
    }

    /// Returns the recorded checks of the candidate; a sweep has none of its own, because its checks are of its points.
    ///
    /// - Throws: ``ScenarioError`` if `checks.csv` is invalid.
    public func checks() throws(ScenarioError) -> [CheckOutcome] { second.isSweep ? [] : try second.checks() }
}
