import Evaluation
import LiveActivityModel
import Quantities
import ScenarioLanguage
import Statistics
import Studies
import TextFormats

/// The points of a sweep against the present settings: today's.
struct AgainstPresent {
    let result: SweepResult

    init(_ result: SweepResult) { self.result = result }

    private var sweep: Sweep { result.sweep }

    /// The responses that have a difference at some point, by index.
    private var responses: [Int] {
        result.responses.indices.filter { response in
            result.points.indices.contains { result.change(of: response, at: $0) != nil }
        }
    }

    /// The present settings that were run, by index, in the order of the points.
    private var presents: [Int] {
        var presents: [Int] = []
        for present in result.points.indices.compactMap(sweep.present) where !presents.contains(present) {
            presents.append(present)
        }
        return presents
    }

    /// Sentences that say what *today* is, and where and why it is missing; empty if none is defined.
    var definition: [String] {
        let missing = [sweep.noteOnAbsentPresent].compactMap(\.self)
        guard let first = presents.first else { return missing }
        let levels = sweep.factors.choices.map {
            "\(sweep.factors.vary[$0].path) = \(result[first].point.levels[$0].words)"
        }
        let numbers = presents.map { "\(result[$0].point.number)" }
        let points =
            numbers.count == 1
            ? "point \(numbers[0])"
            : "points \(numbers.count > 6 ? "\(numbers[0]) … \(numbers[numbers.count - 1])" : numbers.enumeration), one in each world"
        let beside = result.presents.isEmpty ? "" : ", beside the design"
        return [
            "Today (*) is the scenario without the factors: \(levels.joined(separator: ", ")) (\(points)\(beside))."
        ] + missing
    }

    /// A sentence on the responses without a difference, because a factor defines them; empty if there are none.
    var omission: String {
        let omitted = result.responses.indices.filter { !result.isComparable($0) }
        guard !omitted.isEmpty, !presents.isEmpty else { return "" }
        let reasons = omitted.map { "`\(result.responses[$0])`, \(result.notComparable($0))" }
        return "Without a difference: \(reasons.joined(separator: "; "))."
    }

    /// Returns the table of differences to the present settings, for the first points; nil without any.
    ///
    /// - Parameter shortNames: `true` to name factors by the last part of their paths.
    func table(of shown: Int, shortNames: Bool = false) -> TextTable? {
        guard !presents.isEmpty else { return nil }
        let names = sweep.factors.vary.map { factor in
            shortNames ? factor.path.split(separator: ".").last.map(String.init) ?? "" : factor.path
        }
        let period = PushPeriod(sweep.experiment.scenario)
        return TextTable(
            ["point:"] + names.map { "\($0):" } + responses.map { "Δ \(result.responses[$0]):" }
                + ["Δ pushes \(period.words):"],
            // Today's own points have no difference.
            rows: result.points.indices.prefix(shown).filter { ![nil, $0].contains(sweep.present(of: $0)) }
                .map { index in
                    result.leadingCells(of: index) + responses.map { text(of: $0, at: index) }
                        + [pushes(at: index, period)]
                }
        )
    }

    /// Returns the difference of a response with the reach of chance.
    func text(of response: Int, at index: Int) -> String {
        let change = result.change(of: response, at: index)
        return Format.difference(
            change?.difference,
            reach: change?.chance?.reach,
            unit: result.units[response],
            isShare: result.isShare[response]
        )
    }

    /// Returns the values of a point against today's, for a brief.
    func numbers(at index: Int) -> [BriefNumber] {
        result.responses.indices.compactMap { response in
            guard let present = sweep.present(of: index), result.isComparable(response) else { return nil }
            return BriefNumber(
                name: result.responses[response],
                today: Format.value(result[present].rows[response]),
                proposed: Format.value(result[index].rows[response]),
                difference: text(of: response, at: index)
            )
        }
    }

    /// Returns the difference in pushes of a period.
    private func pushes(at index: Int, _ period: PushPeriod) -> String {
        guard let present = sweep.present(of: index) else { return Format.undefined }
        let (now, then) = (period.pushes(result[present].volume), period.pushes(result[index].volume))
        let relative = Format.relative(now > 0 ? (then - now) / now : nil)
        return Format.difference((then - now).rounded(), unit: "count", isShare: false)
            + (relative.isEmpty ? "" : " (\(relative))")
    }

    /// The present settings and the points' differences, for scripts; null if the present settings were not run.
    ///
    /// - Parameter chosen: The point to compare in pushes; nil for none.
    func json(chosen: Int?) -> JSONValue {
        guard !presents.isEmpty else { return .null }
        var members: [String: JSONValue] = [
            "points": .array(presents.map { .integer(Int64(result[$0].point.number)) }),
            "are_design_points": .bool(result.presents.isEmpty),
            "settings": .string(definition.joined(separator: " ")),
        ]
        if let chosen, let present = sweep.present(of: chosen) {
            members["chosen"] = .integer(Int64(result[chosen].point.number))
            members["pushes"] = PushPeriod(sweep.experiment.scenario)
                .json(present: result[present].volume, point: result[chosen].volume)
        }
        return .object(members)
    }

    /// The rides of the period behind the differences in pushes; a range if worlds differ, because their rides may be a
    /// factor.
    private var rides: String {
        let period = PushPeriod(sweep.experiment.scenario)
        let rides = presents.map { period.rides(result[$0].volume).rounded() }
        let (low, high) = (rides.min() ?? 0, rides.max() ?? 0)
        let least = low == high ? "" : "\(Format.count(mean: low)) to "
        return "\(least)\(Format.count(mean: high)) \(period.words)"
            + (low == high ? "" : "; a point has the same rides as its today")
    }

    /// The section of a report; empty if the present settings were not run.
    var section: [Block] {
        let shown = 100
        guard let table = table(of: shown) else {
            return definition.isEmpty
                ? [] : .section("Against today", MarkdownText.escaped(definition.joined(separator: " ")))
        }
        let chance =
            sweep.replications > 1
            ? " A difference that is smaller than its ± may be chance."
            : " One replication gives no estimate of chance."
        return .section(
            "Against today",
            definition.joined(separator: " "),
            table,
            "Differences are between paired replications, which have the same random worlds.\(chance) Pushes are for the rides "
                + "that were simulated: \(rides)."
                + (omission.isEmpty ? "" : " \(omission)")
        )
    }
}

/// The period for which pushes are counted: a day, or the whole run if it is shorter.
struct PushPeriod: Hashable, Sendable {
    /// The part of a run's pushes that falls into the period.
    private let factor: Double
    /// `a day`, or `per run of 4 h`.
    let words: String

    /// Determines the period of a scenario.
    init(_ scenario: Scenario) {
        let measured = scenario.clock.duration.microseconds - scenario.clock.warmUp.microseconds
        let day: Int64 = 86_400_000_000
        (factor, words) =
            measured >= day
            ? (Double(day) / Double(measured), "a day") : (1, "per run of \(Format.span(measured))")
    }

    func pushes(_ volume: PushVolume) -> Double { volume.pushes * factor }
    func rides(_ volume: PushVolume) -> Double { volume.rides * factor }

    /// The pushes of the present settings and of a point, for scripts and briefs.
    func json(present: PushVolume, point: PushVolume) -> JSONValue {
        [
            "period": .string(words), "rides": .decimal(rides(point), places: 3),
            "today": .decimal(pushes(present), places: 3), "point": .decimal(pushes(point), places: 3),
        ]
    }
}
