import Evaluation
import InputFiles
import LiveActivityModel
import Results
import ScenarioLanguage
import Studies
import TextFormats

/// The assumptions behind an answer, in the order in which they move it.
extension Brief {
    /// A factor with the size of its effect on a response.
    struct Mover {
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
    mutating func state(
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
        let chosen = results.experiment.factors.map { factors in factors.choices.map { factors.vary[$0].path } } ?? []
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
}
