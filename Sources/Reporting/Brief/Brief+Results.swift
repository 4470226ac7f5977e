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
        self.init(question: question ?? Brief.question(of: loaded.scenario), answer: [])
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
        certainty = file.texts("guarantee") + file.missingToday
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

    // MARK: - Runs

    private mutating func readRun(_ directory: String, today: String?, _ loaded: LoadedScenario) throws {
        let run = try RecordedResults(directory: directory)
        let outcomes = try run.checks()
        let statements = CheckList(outcomes).statements
        decidingResponses =
            outcomes.map(\.check.comparison.response.text)
            + HeadlineTile.headline(of: run.scenario).map(\.response.text)
        let more = statements.count - 1 - Brief.mostChecks
        let checks = statements.prefix(1 + Brief.mostChecks) + (more > 0 ? ["For \(more) more, see report.md."] : [])
        let faults = FaultRecovery.sentences(of: run).map { "\($0.prefix(1).uppercased())\($0.dropFirst())" }
        var before: BriefPushes?
        if let today {
            let other = try RecordedResults(directory: today)
            try compare(other, run)
            answer += checks + faults
            before = try Brief.pushes(of: other)
            chart = try? Chart.overlay(base: other, changed: run, names: .ofToday).map(Chart.Recorded.init)
        } else {
            let tiles = try HeadlineTile.tiles(of: run, besides: Brief.additions(run.scenario))
            let unchecked = ["The scenario has no checks: it sets no limits to decide by."]
            let capacity = run.capacity.joined(separator: " ")
            answer =
                (checks.isEmpty ? unchecked : Array(checks)) + faults
                + (capacity.isEmpty ? [] : [capacity])
            numbers = tiles.map { tile in
                BriefNumber(name: tile.label, today: "", proposed: tile.value, difference: tile.interval)
            }
            heading = "value"
            certainty = [
                "\(Format.replications(run.replications)); an interval contains the true value with a probability of 95 %. "
                    + "A number without an interval may be due to chance."
            ]
            chart = Chart.Recorded(in: directory, preferring: ["freshness", ""])
        }
        pushes = try Brief.pushes(of: run)
            .map {
                BriefPushes(period: $0.period, rides: $0.rides, today: before?.proposed, proposed: $0.proposed)
            }
        if today == nil, run.capacity.isEmpty, pushes?.proposed ?? 0 > 0 {
            certainty.append(
                "The limit that saturates first is not stated: an earlier version of freshet wrote these results. Repeat the run for it."
            )
        }
        basis = ["Run \(run.id), \(Brief.version(run.version)), fingerprint \(run.fingerprint ?? "–")."]
        let count = run.replications
        let repeated = today.map { [($0, "again-today"), (directory, "again-change")] } ?? [(directory, "again")]
        command =
            repeated.map { directory, output in
                "freshet run \(Brief.word("\(directory)/scenario.resolved.yaml")) --replications \(count) --output \(output)"
            }
            .joined(separator: "\n")
    }

    /// The largest number of checks on the page, so that it stays one page.
    private static let mostChecks = 8

    /// The numbers besides the headline: the cards that the monitor gives up, in a run with faults.
    private static func additions(_ scenario: Scenario) -> [(response: Response, label: String)] {
        scenario.faults.isEmpty || !scenario.monitor.enabled ? [] : [HeadlineTile.severe]
    }

    /// Reads the differences of a run to today's.
    private mutating func compare(_ today: RecordedResults, _ run: RecordedResults) throws {
        var options = ResultComparison.Options()
        let headline = HeadlineTile.headline(of: run.scenario) + Brief.additions(run.scenario)
        options.responses = headline.map(\.response)
        options.isPooled = true
        options.names = .ofToday
        func compared(_ options: ResultComparison.Options) throws -> ResultComparison {
            do throws(ComparisonError) { return try ResultComparison(today, run, options) } catch {
                throw Failure.incomparable(error)
            }
        }
        let comparison = try compared(options)
        // A page must not praise a change that is worse in a number that the table lacks.
        options.responses = []
        let losses = try compared(options).metrics
            .filter { metric in
                metric.verdict == .worse && !headline.contains { $0.response.text == metric.response }
            }
        // One replication of each has no estimate of chance.
        let isOfOneWorld = comparison.metrics.contains(where: \.isOfOneReplication)
        let mark =
            switch comparison.verdict {
            case _ where isOfOneWorld: "?"
            case .better where losses.isEmpty: "✓"
            case .worse: "✗"
            default: "?"
            }
        var verdict = ComparisonReport(comparison)
            .verdict(besides: [], worse: losses.map { MetricWords.quoted($0.response) })
        for (response, label) in headline { verdict = verdict.replacing(response.text, with: "\"\(label)\"") }
        if isOfOneWorld {
            let fact = verdict.replacing(" (one replication each: may be chance)", with: "")
            verdict = "One replication of each, so it may be chance: \(fact.prefix(1).lowercased())\(fact.dropFirst())"
        }
        answer = ["\(mark) \(verdict).", "Changed: \(Brief.words(comparison.changes))"]
        if !losses.isEmpty {
            let list = losses.map { "\(MetricWords.quoted($0.response)) \($0.changeText)" }
            answer.append("Worse: \(list.joined(separator: "; ")).")
        }
        let (before, after) = (Brief.texts(comparison.metrics, \.first), Brief.texts(comparison.metrics, \.second))
        numbers = zip(headline, comparison.metrics).enumerated()
            .map { place, pair in
                BriefNumber(
                    name: pair.0.label,
                    today: before[place],
                    proposed: after[place],
                    difference: pair.1.verdict == .otherBasis ? "not comparable" : pair.1.changeText
                )
            }
        let count = min(today.replications, run.replications)
        certainty = [
            count > 1
                ? "\(Format.replications(count)) of each, paired on the same random worlds; a difference smaller than its ± may be chance (95 % for all numbers together)."
                : "One replication of each: chance may explain any difference."
        ]
    }

    /// Formats the headline numbers of a run; the shares of ride time come first and add up as printed.
    private static func texts(_ metrics: [MetricComparison], _ value: (MetricComparison) -> Double?) -> [String] {
        let shares = Headline.shares(metrics.prefix(Headline.rideTime.count).map(value))
        let texts = metrics.map { Format.value(value($0), unit: $0.unit, isShare: $0.isShare) }
        return shares.contains(Format.undefined) ? texts : shares + texts.dropFirst(shares.count)
    }

    private static func words(_ changes: [ScenarioChange]) -> String {
        guard !changes.isEmpty else { return "nothing; the scenarios are the same." }
        let shown = changes.prefix(5).map { MarkdownText.code(OneLine.excerpt("\($0)", longest: 120)) }
        let rest = changes.count - shown.count
        return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more." : ".")
    }

    /// Returns the pushes and rides of a run, per replication; nil if its summary lacks them.
    private static func pushes(of run: RecordedResults) throws -> BriefPushes? {
        let rows = try run.summary()
        func total(_ metric: String) -> Double? {
            rows.first { $0.metric == metric && $0.scope == "all" && $0.stat == "total" }?.value?.double
        }
        guard let pushes = total("pushes_sent_count"), let rides = total("rides_requested_count") else { return nil }
        let count = Double(max(1, run.replications))
        let period = PushPeriod(run.scenario)
        let volume = PushVolume(pushes: pushes / count, rides: rides / count)
        return BriefPushes(
            period: period.words,
            rides: period.rides(volume),
            today: nil,
            proposed: period.pushes(volume)
        )
    }

    // MARK: - Assumptions

    /// A factor with the size of its effect on a response.
    private struct Mover {
        let factor: String
        let by: String
        let response: String
        /// The effect as a share of the response's mean; nil if it is unknown.
        let effect: Double?

        /// Returns the factors that several sweeps move a response by, the largest effect first and unknown ones last, each
        /// factor once.
        ///
        /// Effects on different responses have no common order.
        static func ranked(_ movers: [Mover], on response: String?) -> [Mover] {
            movers.filter { $0.response == response }.enumerated()
                .sorted { ($1.element.effect ?? -1, $0.offset) < ($0.element.effect ?? -1, $1.offset) }
                .map(\.element).unique(by: \.factor)
        }

        static func list(_ file: DesignFile) -> [Mover] {
            let response = file.text("deciding_response")
            return (file.members["movers"]?.elements ?? [])
                .compactMap { value in
                    guard let members = value.members, let factor = members["factor"]?.text,
                        let by = members["by"]?.text
                    else { return nil }
                    return Mover(
                        factor: OneLine.excerpt(factor, longest: 128),
                        by: OneLine.excerpt(by, longest: 128),
                        response: response,
                        effect: members["effect"]?.number
                    )
                }
        }
    }

    /// The largest number of assumptions on the page, so that it stays one page.
    private static let mostAssumptions = 7

    /// The largest number of effects on other responses on the page.
    private static let mostOtherEffects = 4

    /// The share of a response's mean below which an effect has no line of its own.
    private static let leastEffect = 0.001

    /// States the assumptions: those with a known effect first, then the others in the order of the file.
    ///
    /// - Throws: `ScenarioError` if the file of `--scenario` is missing or invalid.
    private mutating func state(
        _ movers: [Mover],
        assumptionsIn results: LoadedScenario,
        _ options: Options
    ) throws(ScenarioError) {
        // The file may have changed since, so only values that the results have too are taken from it.
        let name = results.scenario.name
        let file: LoadedScenario?
        if let path = options.scenario {
            file = try ScenarioReader.read(file: path)
        } else {
            let places = name.contains("/") ? [] : ["\(name).yaml", name]
            file = places.lazy.compactMap { try? ScenarioReader.read(file: $0) }.first
        }
        let marked = file.flatMap { try? $0.assumptions() } ?? []
        let (then, now) = (PointValues(results.scenario), file.map { PointValues($0.scenario) })
        let varied = (results.experiment.factors?.vary ?? []).map(\.path)
        let valid = marked.filter { assumption in
            // A level that was chosen from several is a part of the answer.
            guard !assumption.path.hasPrefix("factors"), !assumption.path.hasPrefix("checks"),
                !varied.contains(assumption.path)
            else { return false }
            guard let value = try? now?.texts(assumption.path).first else { return false }
            return (try? then.texts(assumption.path).first) == value
        }
        // A choice is a part of the answer and no assumption.
        let chosen = (results.experiment.factors?.vary ?? []).filter(\.isChoice).map(\.path)
        let movers = movers.filter { mover in
            !mover.factor.split(separator: " ").contains { chosen.contains(String($0)) }
        }
        let responses = movers.map(\.response).unique
        let deciding = decidingResponses.first(where: responses.contains)
        let ranked = Mover.ranked(movers, on: deciding)
        let idle = ranked.filter { $0.effect ?? 1 < Brief.leastEffect }.map { "`\($0.factor)`" }
        func lines(_ movers: [Mover]) -> [String] {
            movers.filter { $0.effect ?? 1 >= Brief.leastEffect }
                .map { mover in
                    let reason = valid.first { mover.factor == $0.path || mover.factor.hasPrefix($0.path + ".") }
                    let effect = "`\(mover.factor)` moves `\(mover.response)` by \(mover.by)"
                    return effect + (reason.map { Brief.remark($0) } ?? "")
                }
        }
        let known = lines(ranked)
        let elsewhere = responses.filter { $0 != deciding }.flatMap { lines(Mover.ranked(movers, on: $0)) }
        let unlisted = elsewhere.count - Brief.mostOtherEffects
        otherEffects =
            elsewhere.prefix(Brief.mostOtherEffects)
            + (unlisted > 0 ? ["\(unlisted) more are in the reports of the sweeps."] : [])
        let unmoved = valid.filter { assumption in
            !movers.contains { $0.factor == assumption.path || $0.factor.hasPrefix(assumption.path + ".") }
        }
        // An inherited assumption may be about another place, so those of the file itself come first.
        let rest = unmoved.filter { $0.origin == nil } + unmoved.filter { $0.origin != nil }
        let others = rest.map { "`\($0.path)` = `\(OneLine.excerpt($0.value, longest: 48))`\(Brief.remark($0))" }
        assumptions = Array((known + others).prefix(Brief.mostAssumptions))
        let omitted = known.count + others.count - assumptions.count
        if marked.isEmpty {
            basis.append(
                "Assumptions are not listed: no scenario file with the name `\(results.scenario.name)` marks any (`--scenario FILE` names it)."
            )
        }
        let more =
            (deciding.flatMap { idle.isEmpty ? nil : " No visible effect on `\($0)`: \(idle.enumeration)." } ?? "")
            + (omitted > 0
                ? " \(omitted) more are marked `# assumption` in the scenario file or in a file that it extends." : "")
        let isInherited = rest.contains { $0.origin != nil }
        let origin = isInherited ? ", first those of the scenario file, then those of files that it extends" : ""
        order =
            deciding.map { response in
                "Assumptions, those that move the answer's `\(response)` most first"
                    + (others.isEmpty ? "" : "; those whose effect is unknown follow\(origin)") + ".\(more)"
            }
            ?? "Assumptions in the order of the keys\(origin); results that show how much each one moves the answer were not given (add a sweep of them).\(more)"
    }

    private static func remark(_ assumption: Assumption) -> String {
        let place = assumption.origin.map {
            " in \(OneLine.excerpt(String($0.split(separator: "/").last ?? ""), longest: 60))"
        }
        let reason = assumption.reason.isEmpty ? nil : OneLine.excerpt(assumption.reason, longest: 90)
        guard place != nil || reason != nil else { return "" }
        return " (assumed\(place ?? "")\(reason.map { ": \($0)" } ?? ""))"
    }

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
    private static func question(of scenario: Scenario) -> String {
        let sentences = sentences(scenario.descriptionLine)
        let questions = sentences.filter { $0.hasSuffix("?") }
        return questions.isEmpty ? sentences[0] : questions.joined(separator: " ")
    }

    static func version(_ version: String?) -> String {
        version.map { "freshet \($0)" } ?? "an unknown version of freshet"
    }

    /// Returns a path as a word of a shell.
    private static func word(_ text: String) -> String {
        text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-".contains($0)) }
            ? text : "'\(text.replacing("'", with: #"'\''"#))'"
    }
}

/// `sweep.json` or `tune.json`, as far as a brief uses it.
private struct DesignFile {
    let path: String
    let members: JSONMembers

    /// The largest size; `sweep.json` lists all points [bytes].
    private static let largest = 1 << 26

    init(_ directory: String, _ name: String) throws(ScenarioError) {
        path = "\(directory)/\(name)"
        let bytes = try TextFile.bytes(of: path, limit: Self.largest)
        guard let members = try? JSONMembers(Array(bytes)) else {
            throw .invalid([Diagnostic(file: path, message: "must be a JSON object")])
        }
        self.members = members
    }

    /// The mark of the answer: ✓, ≈, ✗ or ?.
    var mark: String { ["✓", "≈", "✗"].first { $0 == text("mark") } ?? "?" }

    func text(_ key: String) -> String { OneLine.excerpt(members[key]?.text ?? "", longest: 2000) }

    func texts(_ key: String) -> [String] {
        (members[key]?.elements ?? []).compactMap(\.text).map { OneLine.excerpt($0, longest: 2000) }
    }

    /// The answer, at least one sentence.
    func answer() throws(ScenarioError) -> [String] {
        let answer = texts("answer")
        guard !answer.isEmpty else {
            let message = "has no answer: an earlier version of freshet wrote it; repeat the command that did"
            throw .invalid([Diagnostic(file: path, message: message)])
        }
        return answer
    }

    /// The sentence on today's settings if they are missing.
    var missingToday: [String] { [text("today_missing")].filter { !$0.isEmpty }.map(MarkdownText.escaped) }

    var pushes: BriefPushes? { members["today"]?.members?["pushes"]?.members.flatMap(BriefPushes.init) }

    var basis: [String] {
        let sweep = members["sweep_id"]?.text.map { "Sweep \($0)" }
        let id = sweep ?? members["tune_id"]?.text.map { "Search \($0)" } ?? ""
        let version = members["freshet_version"]?.text.map { OneLine.excerpt($0, longest: 32) }
        return ["\(OneLine.excerpt(id, longest: 64)), \(Brief.version(version))."]
    }
}

extension Array {
    fileprivate func appending(_ element: Element) -> [Element] { self + [element] }
}
