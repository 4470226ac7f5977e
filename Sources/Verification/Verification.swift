public import Experiments
import LiveActivityModel
import Statistics

/// Known results, and what the product makes of them.
public struct Verification: Sendable {
    /// The cases with what is run for each, in the order of the file.
    private let translated: [(known: Case, translation: Translation)]

    /// Reads a file of cases and translates those whose names begin with a prefix.
    ///
    /// - Throws: Everything that is wrong with the file.
    public init(file: String, only prefix: String = "") throws(ScenarioError) {
        var diagnostics: [Diagnostic] = []
        translated = try CaseFile.read(file).filter { $0.id.hasPrefix(prefix) }
            .map { known in
                let (translation, flaws) = Translator.translate(known, file: file)
                diagnostics += flaws
                return (known, Verification.madeReady(translation))
            }
        guard diagnostics.isEmpty else { throw .invalid(diagnostics) }
    }

    /// The cases' names, in the order of the file.
    public var ids: [String] { translated.map(\.known.id) }

    // MARK: - Scenarios

    /// Runs are of the scenario as its own file would state it, so that what is shown is what is run, and nothing is run
    /// that the product would not accept.
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
            scenario = experiment.scenario
            remark = [
                "\(known.quantity) is \(experiment.response.description).",
                experiment.isDeterministic
                    ? "Nothing is left to chance: freshet verify runs it once."
                    : "freshet verify runs it with seeds from 1 on, each in \(experiment.replications) replications or more.",
            ]
        case .trace(let trace):
            scenario = trace.scenario
            remark = ["freshet explain tells the story of activity 0, which must be that of the case."]
        case .threshold, .knownAnswer, .property, .notExpressible, .notUsed:
            return nil
        }
        let lines = ["Case \(known.id): \(known.model)."] + remark
        return lines.map { "# \($0)\n" }.joined() + "\n" + ScenarioWriter.resolvedYAML(scenario)
    }

    // MARK: - Judging

    /// Runs everything.
    ///
    /// - Parameters:
    ///   - seeds: How many seeds at least; a case may ask for more.
    ///   - jobs: How many cells to run at the same time. It never shows in the results.
    ///   - report: Is told of every case as soon as it is judged, with how many are done.
    /// - Returns: The judgements in the order of the file.
    /// - Throws: `CancellationError` when the task is cancelled.
    public func run(
        seeds: Int,
        jobs: Int,
        report: @Sendable (_ judgement: Judgement, _ done: Int) -> Void
    ) async throws -> [Judgement] {
        var judgements = [Judgement?](repeating: nil, count: translated.count)
        var done = 0
        for group in groups() {
            for (index, judgement) in zip(group, try await judge(group, seeds: seeds, jobs: jobs)) {
                judgements[index] = judgement
                done += 1
                report(judgement, done)
            }
        }
        return judgements.compactMap { $0 }
    }

    /// Cases that ask different things of one scenario are run together: places in the file, in order.
    private func groups() -> [[Int]] {
        var groups: [[Int]] = []
        var places: [Scenario: Int] = [:]
        for (index, item) in translated.enumerated() {
            if case .estimate(let experiment) = item.translation {
                if let place = places[experiment.scenario] {
                    groups[place].append(index)
                    continue
                }
                places[experiment.scenario] = groups.count
            }
            groups.append([index])
        }
        return groups
    }

    private func judge(_ group: [Int], seeds: Int, jobs: Int) async throws -> [Judgement] {
        let items = group.map { translated[$0] }
        let (known, translation) = items[0]
        switch translation {
        case .estimate:
            return try await estimates(items, seeds: seeds, jobs: jobs)
        case .trace(let trace):
            return [trace.judgement(of: known, world: try ScenarioLoader.world(trace.scenario))]
        case .knownAnswer(let answer):
            return [answer.judgement(of: known)]
        case .threshold(let search):
            return [try await search.judgement(of: known)]
        case .property(let property):
            return [try await property.judgement(of: known, jobs: jobs)]
        case .notExpressible(let reason):
            return [Judgement(id: known.id, verdict: .notExpressible, remark: reason)]
        case .notUsed(let reason):
            return [Judgement(id: known.id, verdict: .notUsed, remark: reason)]
        }
    }

    private func estimates(
        _ items: [(known: Case, translation: Translation)],
        seeds: Int,
        jobs: Int
    ) async throws -> [Judgement] {
        let experiments = items.compactMap { item in
            if case .estimate(let experiment) = item.translation { experiment } else { nil }
        }
        let isDeterministic = experiments[0].isDeterministic
        let fewest = items.map { $0.known.tolerance.fewestSeeds }.max() ?? 1
        let estimator = Estimator(
            world: try ScenarioLoader.world(experiments[0].scenario),
            questions: zip(items, experiments)
                .map { item, experiment in
                    Estimator.Question(
                        response: experiment.response,
                        relativeHalfWidth: item.known.tolerance.relativeHalfWidth
                    )
                },
            seeds: isDeterministic ? 1 : max(seeds, fewest),
            replications: isDeterministic ? 1 : experiments[0].replications,
            jobs: jobs
        )
        let answers = try await estimator.run()
        return zip(items, answers)
            .map { item, answer in
                Judgement(of: item.known, answer, seeds: estimator.seeds, isDeterministic: isDeterministic)
            }
    }
}
