import LiveActivityModel

/// Two sweeps of the same factors, compared point by point and response by response.
public struct SweepComparison: ComparedResults {
    /// The baseline.
    public let first: RecordedSweep
    /// The candidate.
    public let second: RecordedSweep
    /// The settings that differ between the scenarios, except for the factors.
    public let changes: [ScenarioChange]
    /// The responses at the common points, grouped by point in the order of the first design.
    public let metrics: [MetricComparison]
    /// The options of the comparison.
    public let options: RunComparison.Options
    /// Remarks that readers need to interpret the numbers, in sentences.
    public let notes: [String]

    /// The versions of the program that wrote the two.
    public var versions: ProgramVersions { ProgramVersions(first: first.version, second: second.version) }
    /// The levels of the points that both sweeps have, in the order of the first design.
    public let points: [[String]]

    /// Compares two sweeps.
    ///
    /// - Throws: ``ComparisonError`` if the sweeps are not comparable, or lack a requested response.
    public init(
        _ first: RecordedSweep,
        _ second: RecordedSweep,
        _ options: RunComparison.Options = .init()
    ) throws(ComparisonError) {
        guard first.factors == second.factors else {
            throw .notComparable([.otherFactors(first.factors, second.factors)])
        }
        let changes = ScenarioChange.changes(from: first.scenario, to: second.scenario)
            .filter { change in !first.factors.contains { Reading.isPath(change.path, within: $0) } }
        let pairs = Self.pairs(first, second)
        let obstacles =
            RunComparison.obstacles(of: changes, options)
            + (pairs.isEmpty ? [.otherPoints(first.pointCount, second.pointCount)] : [])
        guard obstacles.isEmpty else { throw .notComparable(obstacles) }
        let asked = try Self.asked(options.responses, first, second)
        func kept(_ count: Response, over window: Response.Window?) -> Entry? {
            var count = count
            count.window = window
            return try? Self.asked([count], first, second).first
        }
        let isAntithetic = [first, second].map(\.scenario.replications.antithetic)
        let levels = asked.flatMap { entry in pairs.map { _ in entry.response.response } }
        let level = RunComparison.Options.level(for: levels)
        metrics = pairs.flatMap { one, other in
            let point = zip(first.factors, one.levels).map { "\($0)=\($1)" }.joined(separator: ", ")
            func compared(_ entry: Entry, level: Double = 0.95) -> MetricComparison {
                let response = entry.response
                let ours = one.values[entry.places.first]
                let theirs = other.values[entry.places.second]
                var metric = MetricComparison(
                    response,
                    RunValues(ours, isAntithetic: isAntithetic[0], of: response, in: first.scenario),
                    RunValues(theirs, isAntithetic: isAntithetic[1], of: response, in: second.scenario),
                    options,
                    changes: changes,
                    level: level
                )
                .asMeasured(response, in: first.scenario(of: one), and: second.scenario(of: other))
                metric.point = point
                return metric
            }
            return asked.map { entry in
                let window = entry.response.response.window
                return entry.response.response.populations
                    .reduce(compared(entry, level: level)) { result, population in
                        guard let count = kept(population.count, over: window) else {
                            return result.ofUnknown(population.count)
                        }
                        let whole = population.whole.flatMap { kept($0, over: window) }
                        return result.of(population: compared(count), among: whole.map { compared($0) })
                    }
            }
        }
        self.first = first
        self.second = second
        self.changes = changes
        self.options = options
        points = pairs.map(\.0.levels)
        let missing = asked.map { entry in
            let response = entry.response.response
            return response.populations.map(\.count).filter { kept($0, over: response.window) == nil }
        }
        notes =
            ProgramVersions(first: first.version, second: second.version).notes
            + Self.notes(first, second, pairs.count) + RunComparison.notes(withoutInterval: metrics)
            + Self.notes(of: asked.map(\.response.text), missing: missing)
    }

    /// Returns notes on responses that can only be judged worse because a count of their population is missing; one
    /// sentence for each missing count.
    private static func notes(of responses: [String], missing: [[Response]]) -> [String] {
        let names = missing.map { $0.map(\.text).joined(separator: " and ") }
        return names.indices
            .filter { !names[$0].isEmpty && !names[..<$0].contains(names[$0]) }
            .map { first in
                let all = responses.indices.filter { names[$0] == names[first] }.map { responses[$0] }
                return
                    "\(names[first]) \(missing[first].count == 1 ? "is no response" : "are no responses") of both sweeps, so a "
                    + "better value of \(all.joined(separator: ", ")) has no verdict: it may cover other activities or less time on "
                    + "screens. Add \(names[first]) to factors.responses."
            }
    }

    /// A response of both sweeps, with its indices among their values.
    private typealias Entry = (response: ResolvedResponse, places: (first: Int, second: Int))

    /// Returns the pairs of points with the same levels.
    ///
    /// Repeated points are paired in their order.
    private static func pairs(
        _ first: RecordedSweep,
        _ second: RecordedSweep
    ) -> [(RecordedSweep.Point, RecordedSweep.Point)] {
        var others = Dictionary(grouping: second.points.reversed(), by: \.levels)
        return first.points.compactMap { point in others[point.levels]?.popLast().map { (point, $0) } }
    }

    /// Returns the responses that both sweeps have, or the requested ones, with their indices in both.
    private static func asked(
        _ responses: [Response],
        _ first: RecordedSweep,
        _ second: RecordedSweep
    ) throws(ComparisonError) -> [Entry] {
        let catalog = MetricCatalog(of: first.scenario)
        func resolved(_ response: Response) throws(ComparisonError) -> ResolvedResponse {
            do throws(ResponseError) {
                return try response.resolve(in: first.scenario, by: catalog)
            } catch {
                throw .unknownResponse(response, run: first.path, error)
            }
        }
        let common = first.responses.filter(second.responses.contains)
        var names = common
        if !responses.isEmpty {
            names = []
            for response in responses {
                let text = try resolved(response).text
                guard common.contains(text) else {
                    throw .unknownMetric(
                        response.text,
                        run: first.path,
                        advice: "allowed (in both sweeps): \(common.joined(separator: ", "))"
                    )
                }
                names.append(text)
            }
        }
        var found: [Entry] = []
        for name in names {
            guard let one = first.responses.firstIndex(of: name), let other = second.responses.firstIndex(of: name),
                let response = try? Response(parsing: name)
            else { continue }
            found.append((try resolved(response), (one, other)))
        }
        return found
    }

    private static func notes(_ first: RecordedSweep, _ second: RecordedSweep, _ common: Int) -> [String] {
        var notes: [String] = []
        if first.id == second.id, first.fingerprint == second.fingerprint {
            notes.append("Both are the same sweep: the same scenario, seed and histories.")
        }
        if common < first.pointCount || common < second.pointCount {
            notes.append(
                "Of \(first.pointCount) and \(second.pointCount) design points \(common) have the same levels in both sweeps; "
                    + "the others are left out."
            )
        }
        if min(first.replications, second.replications) < 2 {
            notes.append(
                "Points have one replication, so the effect of chance is unknown and differences have no intervals."
            )
        }
        return notes
    }
}
