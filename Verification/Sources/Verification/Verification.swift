import InputFiles
import LiveActivityModel
public import ScenarioLanguage
import Studies

/// Known results and the product's answers.
public struct Verification: Sendable {
    /// The cases with their translations, in the order of the file.
    private let translated: [(known: Case, translation: Translation)]

    /// Reads a file of cases and translates those whose IDs begin with a prefix.
    ///
    /// - Throws: All errors in the file.
    public init(file: String, only prefix: String = "") throws(ScenarioError) {
        var diagnostics: [Diagnostic] = []
        translated = try CaseFile.read(file).filter { $0.id.hasPrefix(prefix) }
            .map { known in
                let (translation, problems) = Translator.translate(known, file: file)
                diagnostics += problems
                return (known, Verification.madeReady(translation))
            }
        guard diagnostics.isEmpty else { throw .invalid(diagnostics) }
    }

    /// The family names in a file's cases, which are their IDs without the number: `MONITOR` of `MONITOR-20`.
    ///
    /// Each is returned once, in the order of the file.
    ///
    /// - Throws: All errors in the file.
    public static func families(of file: String) throws(ScenarioError) -> [String] {
        var families: [String] = []
        for known in try CaseFile.read(file) {
            let family = known.id.split(separator: "-").dropLast().joined(separator: "-")
            if !family.isEmpty, !families.contains(family) { families.append(family) }
        }
        return families
    }

    /// The IDs of the cases, in the order of the file.
    public var ids: [String] { translated.map(\.known.id) }

    // MARK: - Scenarios

    /// Reads each scenario back from its own file, so that the displayed scenario is the one that is run, and an
    /// invalid scenario is not run.
    private static func madeReady(_ translation: Translation) -> Translation {
        do {
            switch translation {
            case .estimate(var experiment):
                experiment.scenario = try reread(experiment.scenario)
                return .estimate(experiment)
            case .trace(var trace):
                trace.scenario = try reread(trace.scenario)
                return .trace(trace)
            default:
                return translation
            }
        } catch {
            return .notExpressible("the scenario is out of range: \(error)")
        }
    }

    private static func reread(_ scenario: Scenario) throws(ScenarioError) -> Scenario {
        try ScenarioReader.read(yaml: ScenarioWriter.resolvedYAML(scenario), named: scenario.name).scenario
    }

    /// The scenario of a case as a file for `freshet run`, with a remark on how to read the answer; nil for a case
    /// without a scenario.
    public func scenarioFile(of id: String) -> String? {
        guard let (known, translation) = translated.first(where: { $0.known.id == id }) else { return nil }
        let scenario: Scenario
        let remark: [String]
        switch translation {
        case .estimate(let experiment):
            var first = experiment.scenario
            first.seed = known.seed(0)
            scenario = first
            remark = [
                "\(known.quantity) is \(experiment.response.description).",
                experiment.isDeterministic
                    ? "The scenario is deterministic: freshet verify runs it once."
                    : "freshet verify runs it with this seed and others, each in \(experiment.replications) replications or more.",
            ]
        case .trace(let trace):
            scenario = trace.scenario
            remark = ["freshet explain prints the history of activity 0, which must match the case."]
        case .threshold, .knownAnswer, .property, .notExpressible, .notUsed:
            return nil
        }
        let lines = ["Case \(known.id): \(known.model)."] + remark
        return lines.map { "# \($0)\n" }.joined() + "\n" + ScenarioWriter.resolvedYAML(scenario)
    }

    // MARK: - Judging

    /// Runs all cases.
    ///
    /// - Parameters:
    ///   - seeds: The minimum number of seeds; a case may require more.
    ///   - jobs: The number of cells to run at the same time; no effect on the results.
    ///   - report: Called with every case as soon as it is judged, and with the number of finished cases.
    /// - Returns: The judgements in the order of the file.
    /// - Throws: `CancellationError` when the task is cancelled.
    public func run(
        seeds: Int,
        jobs: Int,
        report: @Sendable (_ judgement: Judgement, _ done: Int) -> Void
    ) async throws -> [Judgement] {
        var judgements: [Judgement] = []
        for (known, translation) in translated {
            let judgement = try await judge(known, translation, seeds: seeds, jobs: jobs)
            judgements.append(judgement)
            report(judgement, judgements.count)
        }
        return judgements
    }

    private func judge(_ known: Case, _ translation: Translation, seeds: Int, jobs: Int) async throws -> Judgement {
        switch translation {
        case .estimate(let experiment):
            return try await judge(known, experiment, seeds: seeds, jobs: jobs)
        case .trace(let trace):
            return trace.judgement(of: known, world: try ScenarioLoader.world(trace.scenario))
        case .knownAnswer(let answer):
            return answer.judgement(of: known)
        case .threshold(let search):
            return try await search.judgement(of: known)
        case .property(let property):
            return try await property.judgement(of: known, jobs: jobs)
        case .notExpressible(let reason):
            return Judgement(id: known.id, verdict: .notExpressible, remark: reason)
        case .notUsed(let reason):
            return Judgement(id: known.id, verdict: .notUsed, remark: reason)
        }
    }

    private func judge(_ known: Case, _ experiment: Study, seeds: Int, jobs: Int) async throws -> Judgement {
        let isDeterministic = experiment.isDeterministic
        let count = isDeterministic ? 1 : max(seeds, known.tolerance.fewestSeeds)
        let estimator = Estimator(
            world: try ScenarioLoader.world(experiment.scenario),
            response: experiment.response,
            relativeHalfWidth: known.tolerance.relativeHalfWidth,
            seeds: (0..<count).map(known.seed),
            replications: isDeterministic ? 1 : experiment.replications,
            jobs: jobs
        )
        let estimates = try await estimator.run()
        return Judgement(of: known, estimates, seeds: count, isDeterministic: isDeterministic)
    }
}
