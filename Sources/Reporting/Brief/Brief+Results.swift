import Evaluation
import InputFiles
import LiveActivityModel
public import Results
import ScenarioLanguage
import Studies
public import TextFormats

extension Brief {
    /// The reason why results make no brief.
    public enum Failure: UserError {
        /// The kinds of results do not fit together.
        case unfit(String)
        /// The results lack something that this version writes.
        case outdated(String)
        /// The sweep or search has not finished.
        case unfinished(String)
        /// The two runs cannot be compared.
        case incomparable(ComparisonError)

        public var failure: FailureKind {
            if case .unfinished = self { .inputMissing } else { .badData }
        }

        public var description: String {
            switch self {
            case .unfit(let text), .outdated(let text), .unfinished(let text): text
            case .incomparable(let error): "\(error)"
            }
        }
    }

    /// Composes the brief of results: a run, a sweep, a search, or two runs with today's first.
    ///
    /// Further sweeps say in which order assumptions move the answer. Nothing is simulated.
    ///
    /// - Throws: ``Failure``, or `ScenarioError` if a file is missing or invalid.
    public init(_ directories: [String], _ options: Options) throws {
        for directory in directories where Provenance(of: directory) == nil {
            let kept = TaskStore(beside: directory).count
            guard kept == 0 else {
                throw Failure.unfinished(
                    "\(directory): has no results yet, because its sweep or search was stopped or still runs; "
                        + "\(Format.replications(kept)) of design points are finished and kept. The command that began it (freshet run, "
                        + "freshet sweep or freshet tune with --output \(Brief.word(directory))) continues from there; make the brief when it has ended"
                )
            }
        }
        var kinds = directories.map { Provenance(of: $0) ?? .simulation }
        var paths = directories
        let first = paths.removeFirst()
        let kind = kinds.removeFirst()
        var today: String?
        switch kind {
        case .sweep, .search: break
        case .simulation:
            if let next = kinds.first, next == kind {
                (today, _) = (first, kinds.removeFirst())
            }
        case .liveRun, .load, .comparison, .fit:
            throw Failure.unfit("\(first) has \(kind.words); a brief is made of simulated runs, sweeps and searches")
        }
        let directory = today == nil ? first : paths.removeFirst()
        if let other = zip(kinds, paths).first(where: { $0.0 != .sweep }) {
            throw Failure.unfit(
                "\(other.1) has \(other.0.words); allowed after the first results: one run after today's, and sweeps that "
                    + "say which assumptions matter"
            )
        }
        let loaded = try ScenarioReader.read(resultsIn: directory)
        var movers: [Mover] = []
        for path in paths { movers += try Mover.list(DesignFile(path, "sweep.json")) }
        let question = options.question.map(MarkdownText.escaped)
        self.init(question: question ?? Brief.question(of: loaded.experiment), answer: [])
        self.directory = directory
        switch kind {
        case .search: try readSearch(directory)
        case .sweep: movers = try readSweep(directory, loaded.experiment) + movers
        default: try readRun(directory, today: today, loaded)
        }
        if self.question.isEmpty { self.question = loaded.scenario.name }
        basis.insert(contentsOf: Brief.basis(of: loaded.experiment), at: 0)
        if TaskStore(beside: directory).count > 0 {
            certainty.append(
                "A later sweep or search with this directory has not finished; these are the results from before it."
            )
        }
        try state(movers, assumptionsIn: loaded, options)
    }

    // MARK: - Searches and sweeps

    private mutating func readSearch(_ directory: String) throws {
        let file = try DesignFile(directory, "tune.json")
        let sentences = try file.answer()
        answer = ["\(file.mark) \(sentences[0])"] + sentences.dropFirst()
        numbers = file.members["numbers"]?.elements?.compactMap(BriefNumber.init) ?? []
        pushes = file.pushes
        if let nearest: Int = file.members["nearest"]?.members?["point"]?.integer() {
            let today: Int? = file.members["today"]?.members?["point"]?.integer()
            heading = "nearest, point \(nearest)\(today == nearest ? " (today)" : "")"
        }
        let replications = [file.text("numbers_basis")].filter { !$0.isEmpty }
        certainty = file.texts("guarantee") + replications + file.missingToday
        let limits = (file.members["constraints"]?.elements ?? []).compactMap { $0.members?["response"]?.text }
        decidingResponses = [file.text("objective")] + file.texts("terms") + limits
        chart = Chart.Recorded(in: directory, preferring: ["tune"])
        basis = file.basis
        command = "freshet tune \(Brief.word("\(directory)/scenario.resolved.yaml")) --output again"
    }

    /// Reads a sweep.
    ///
    /// - Returns: The factors in the order in which they move the answer.
    private mutating func readSweep(_ directory: String, _ experiment: Experiment) throws -> [Mover] {
        let file = try DesignFile(directory, "sweep.json")
        let sentences = try file.answer().map { $0.replacing("**", with: "") }
        let against = file.text("against_today")
        answer =
            against.isEmpty ? sentences : ["\(file.mark) \(against)"] + sentences.filter { $0 != against }
        numbers = file.members["numbers"]?.elements?.compactMap(BriefNumber.init) ?? []
        pushes = file.pushes
        let count: Int = file.members["replications"]?.integer() ?? 1
        certainty =
            [
                count > 1
                    ? "\(Format.replications(count)) of each design point in the same random worlds; a difference smaller than its ± may be chance (95 %)."
                    : "One replication of each design point gives no estimate of chance."
            ] + file.missingToday
        answer = [file.text("across_worlds")].filter { !$0.isEmpty } + answer
        decidingResponses = [file.text("deciding_response")] + file.texts("responses")
        // Of several maps, the page shows that of the response that decides.
        let map = "map-\(Chart.fileName(file.text("deciding_response")))"
        chart = Chart.Recorded(in: directory, preferring: ["pareto", map, "map-", "effects-", "sensitivity-"])
        basis = file.basis
        command =
            "freshet run \(Brief.word("\(directory)/scenario.resolved.yaml")) --replications \(count) --output again"
        return Mover.list(file)
    }

    // MARK: - Texts

    /// The scenario in a sentence or two.
    private static func basis(of experiment: Experiment) -> [String] {
        let scenario = experiment.scenario
        let scale = experiment.remarkOnScale.map { Brief.sentences($0)[0] }
        let changes = scenario.changesOfFile.map { OneLine.excerpt($0, longest: 300) }
        return ["A simulation of `\(scenario.name)`, seed \(scenario.seed), not a measurement of phones."]
            + (changes.map { ["Changed from the scenario file: `\($0)`."] } ?? [])
            + (scale.map { [$0] } ?? [])
    }

    /// Returns the sentences of a text.
    private static func sentences(_ text: String) -> [String] {
        let ends = text.ranges(of: /[.?!](?= |$)/).map(\.upperBound)
        let starts = [text.startIndex] + ends
        let parts = zip(starts, ends).map { text[$0..<$1].trimmingPrefix(while: \.isWhitespace) }
        return parts.isEmpty ? [text] : parts.map(String.init)
    }

    /// The question of a scenario: the questions in its description, or its first sentence without any.
    ///
    /// A description for other values would mislead, so the name with the faults and factors replaces it.
    private static func question(of experiment: Experiment) -> String {
        let scenario = experiment.scenario
        guard scenario.hasOwnDescription else { return title(of: experiment) }
        let sentences = sentences(scenario.descriptionLine)
        let questions = sentences.filter { $0.hasSuffix("?") }
        return questions.isEmpty ? sentences[0] : questions.joined(separator: " ")
    }

    /// The name of a scenario with its first faults and factors.
    private static func title(of experiment: Experiment) -> String {
        let (scenario, clock) = (experiment.scenario, ClockTime(experiment.scenario))
        func shown(_ parts: [String]) -> String {
            parts.prefix(3).joined(separator: ", ") + (parts.count > 3 ? " and \(parts.count - 3) more" : "")
        }
        let faults = scenario.faults.map { "\(Wording.fault($0.kind)) (\($0.time(by: clock)))" }
        let factors = (experiment.factors?.vary ?? []).map { MarkdownText.code($0.path) }
        let parts = [
            faults.isEmpty ? nil : shown(faults), factors.isEmpty ? nil : "by \(shown(factors))",
        ]
        .compactMap(\.self)
        return scenario.name + (parts.isEmpty ? "" : ": \(parts.joined(separator: ", "))")
    }

    static func version(_ version: String?) -> String {
        version.map { "freshet \($0)" } ?? "an unknown version of freshet"
    }

    /// Returns a path as a word of a shell.
    static func word(_ text: String) -> String {
        text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-".contains($0)) }
            ? text : "'\(text.replacing("'", with: #"'\''"#))'"
    }
}
