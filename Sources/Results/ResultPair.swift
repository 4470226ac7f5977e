import Evaluation
import LiveActivityModel
import ScenarioLanguage

/// Two results of one kind, paired at the points that both have.
///
/// Results of scenarios are paired replication by replication, so that differences have intervals. Loads are paired row
/// by row.
struct ResultPair {
    let first: Values
    let second: Values
    let options: ResultComparison.Options
    /// The settings that differ between the two, except for the factors.
    let changes: [ScenarioChange]
    /// The places of the points with the same levels.
    ///
    /// Repeated points are paired in their order.
    let points: [(first: Int, second: Int)]
    /// The responses to compare.
    private let asked: [Response]
    /// The scopes of the two cohorts to compare; nil for two results.
    private let scopes: (first: String, second: String)?

    /// The responses of one of the results, with their values at each point.
    struct Values {
        let results: RecordedResults
        private var places: [Response: Int] = [:]
        private var resolved: [ResolvedResponse] = []
        private var values: [[RunValues?]] = []

        /// Reads the values of replications, which a load does not have.
        ///
        /// - Parameters:
        ///   - others: Responses that the results may lack.
        ///   - scope: The scope of all responses instead of their own; nil for their own.
        ///   - catalog: The metrics of the results' scenario.
        init(
            of asked: [Response],
            and others: [Response],
            in results: RecordedResults,
            scope: String?,
            by catalog: MetricCatalog
        ) throws(ComparisonError) {
            self.results = results
            guard !results.isLoad else { return }
            let scenario = results.scenario
            for (place, key) in (asked + others).enumerated() where places[key] == nil {
                let response = scope.map(key.with) ?? key
                do throws(ResponseError) {
                    resolved.append(try response.resolve(in: scenario, by: catalog))
                    places[key] = resolved.count - 1
                } catch  where place < asked.count {
                    throw .unknownResponse(response, run: results.path, error)
                } catch {}
            }
            let weights = resolved.map { response in
                response.response.window == nil
                    ? response.weight.flatMap { try? $0.resolve(in: scenario, by: catalog) } : nil
            }
            do throws(ScenarioError) {
                let required = Set(asked).count
                let known = try results.values(of: resolved + weights.compactMap(\.self), required: required)
                values = known.map { [resolved] point in
                    var ofWeights = point.dropFirst(resolved.count)
                    return resolved.indices.map { index in
                        let weight = weights[index].flatMap { _ in ofWeights.popFirst() } ?? []
                        guard !point[index].isEmpty else { return nil }
                        return RunValues(
                            point[index],
                            isAntithetic: scenario.replications.antithetic,
                            of: resolved[index],
                            weights: weight,
                            in: scenario
                        )
                    }
                }
            } catch {
                throw .unreadable(error)
            }
        }

        /// Returns a response with its values at a point; nil if the results lack it.
        subscript(response: Response, point: Int) -> (response: ResolvedResponse, values: RunValues)? {
            places[response].flatMap { place in values[point][place].map { (resolved[place], $0) } }
        }
    }

    init(
        _ first: RecordedResults,
        _ second: RecordedResults,
        _ options: ResultComparison.Options
    ) throws(ComparisonError) {
        guard first.factors == second.factors else {
            throw .notComparable([.otherFactors(first.factors, second.factors)])
        }
        let scopes = options.cohorts?.scopes
        self.scopes = scopes
        self.options = options
        let all =
            first.isLoad
            ? Self.changes(ofLoads: first, second)
            : Self.changes(from: first.scenario, to: second.scenario, options.cohorts)
        changes = all.filter { change in
            !first.factors.contains { Reading.isPath(change.path, within: $0.asOfScenario) }
        }
        var others = Dictionary(grouping: second.points.indices.reversed()) { second.points[$0].levels }
        points = first.points.indices.compactMap { place in
            others[first.points[place].levels]?.popLast().map { (place, $0) }
        }
        let obstacles = Self.obstacles(first, second, changes, options)
        let withoutPoints = points.isEmpty ? [Self.Obstacle.otherPoints(first.pointCount, second.pointCount)] : []
        guard obstacles.isEmpty, withoutPoints.isEmpty else { throw .notComparable(obstacles + withoutPoints) }
        let catalog = MetricCatalog(of: first.scenario)
        asked = try Self.asked(options, first, second, by: catalog)
        var counts = asked.flatMap { response in
            response.populations.flatMap { [$0.count, $0.whole].compactMap(\.self) }
                .map { $0.over(response.window) }
        }
        if options.isPooled {
            counts += asked.flatMap { response in
                let scoped = scopes.map { response.with(scope: $0.first) } ?? response
                let parts = (try? scoped.resolve(in: first.scenario, by: catalog))?.quotient?.parts ?? []
                return scopes == nil ? parts : parts.map { $0.with(scope: "all") }
            }
        }
        if scopes != nil { counts.append(Self.rides) }
        self.first = try Values(of: asked, and: counts, in: first, scope: scopes?.first, by: catalog)
        self.second = try Values(
            of: asked,
            and: counts,
            in: second,
            scope: scopes?.second,
            by: MetricCatalog(of: second.scenario)
        )
    }

    /// The count by which the populations of two cohorts are compared.
    private static let rides = Response(metric: "rides_requested_count")

    /// Returns the differences between two scenarios, or between two cohorts of one.
    private static func changes(
        from first: Scenario,
        to second: Scenario,
        _ cohorts: ResultComparison.Cohorts?
    ) -> [ScenarioChange] {
        guard let cohorts else { return ScenarioChange.changes(from: first, to: second) }
        func own(_ scenario: Scenario, _ name: String) -> Scenario {
            let index = scenario.cohorts.firstIndex { $0.name == name }
            return scenario.scenario(ofCohort: index.map { $0 + 1 } ?? 0)
        }
        return ScenarioChange.changes(from: own(first, cohorts.first), to: own(second, cohorts.second))
    }

    /// Returns the responses to compare: those that are requested, or that both sweeps have, or the usual ones.
    ///
    /// The responses of two cohorts are returned without a scope.
    private static func asked(
        _ options: ResultComparison.Options,
        _ first: RecordedResults,
        _ second: RecordedResults,
        by catalog: MetricCatalog
    ) throws(ComparisonError) -> [Response] {
        let responses = options.responses
        if first.isLoad { return try askedOfLoads(responses, first, second) }
        guard first.isSweep else {
            for response in responses where response.window != nil { throw .overWindow(response) }
            let onCards = ResultComparison.onCards(of: first.scenario, second.scenario)
            let usual = options.cohorts == nil ? ResultComparison.usual : ResultComparison.usualOfCohorts
            return responses.isEmpty ? usual + onCards : responses
        }
        if let scopes = options.cohorts?.scopes {
            let all = first.responses.compactMap { try? Response(parsing: $0) }
            let common = all.filter { $0.scope == scopes.first && all.contains($0.with(scope: scopes.second)) }
                .map { $0.with(scope: "all") }
            for response in responses where !common.contains(response) {
                let advice = "allowed (of both cohorts in the sweep): \(common.map(\.text).joined(separator: ", "))"
                throw .unknownMetric(response.text, run: first.path, advice: advice)
            }
            return responses.isEmpty ? common : responses
        }
        let common = first.responses.filter(second.responses.contains)
        guard !responses.isEmpty else { return common.compactMap { try? Response(parsing: $0) } }
        for response in responses {
            do throws(ResponseError) {
                if common.contains(try response.resolve(in: first.scenario, by: catalog).text) { continue }
            } catch {
                throw .unknownResponse(response, run: first.path, error)
            }
            let advice = "allowed (in both sweeps): \(common.joined(separator: ", "))"
            throw .unknownMetric(response.text, run: first.path, advice: advice)
        }
        return responses
    }

    // MARK: - Metrics

    /// The comparisons of all responses, point by point.
    var metrics: [MetricComparison] {
        let level = ResultComparison.Options.level(for: points.flatMap { _ in asked })
        return points.flatMap { point in asked.compactMap { compared($0, at: point, level: level) } }
    }

    /// Compares a response at a point, in light of its populations and of the failures that it leaves out.
    ///
    /// No mean is better if more activities are stale on fewer screens, or if fewer requests have an answer.
    func compared(_ response: Response, at point: (first: Int, second: Int), level: Double = 0.95) -> MetricComparison?
    {
        guard let metric = alone(response, at: point, level: level) else { return nil }
        let ofFailures = failures(without: response).compactMap { alone($0, at: point, isOfPopulation: true) }
            .filter { $0.verdict == .worse }
        let judged = response.populations.reduce(metric) { metric, population in
            guard let count = alone(population.count.over(response.window), at: point, isOfPopulation: true) else {
                return first.results.isSweep ? metric.ofUnknown(population.count) : metric
            }
            let whole = population.whole.flatMap { alone($0.over(response.window), at: point, isOfPopulation: true) }
            return metric.of(population: count, among: whole)
        }
        return ofFailures.reduce(judged) { $0.of(population: $1, among: nil) }
    }

    /// Compares a response at a point; nil if one of the results lacks it, or both loads.
    ///
    /// - Parameter isOfPopulation: `true` for a count behind a mean. The second cohort's is scaled to the rides of the first.
    private func alone(
        _ response: Response,
        at point: (first: Int, second: Int),
        level: Double = 0.95,
        isOfPopulation: Bool = false
    ) -> MetricComparison? {
        if first.results.isLoad { return rows(response, isOfPopulation: isOfPopulation) }
        guard let ours = first[response, point.first], var theirs = second[response, point.second] else { return nil }
        if scopes != nil, isOfPopulation {
            guard let rides = first[Self.rides, point.first], let others = second[Self.rides, point.second] else {
                return nil
            }
            theirs.values = theirs.values.scaled(from: others.values, to: rides.values)
        }
        let scenarios = (
            first.results.scenario(of: first.results.points[point.first]),
            second.results.scenario(of: second.results.points[point.second])
        )
        let isSweptByCohort = scopes != nil && first.results.isSweep
        let pooled = pooled(ours.response, at: point)
        var metric = MetricComparison(
            ours.response,
            pooled?.first ?? ours.values,
            pooled?.second ?? theirs.values,
            options,
            // A factor may set a value of one cohort.
            changes: isSweptByCohort ? Self.changes(from: scenarios.0, to: scenarios.1, options.cohorts) : changes,
            isPart: first.results.isEndedEarly || second.results.isEndedEarly,
            level: level
        )
        .asMeasured(
            ours.response,
            in: scenarios.0,
            and: scenarios.1,
            named: options.names
        )
        if scopes != nil {
            metric.response = ours.response.text.replacing(
                "{\(ours.response.response.scope)}",
                with: "",
                maxReplacements: 1
            )
            if ours.response.isSum, !isOfPopulation { metric.differingBases.append(MetricComparison.basisOfRides) }
        }
        let levels = zip(first.results.factors, first.results.points[point.first].levels).map { "\($0)=\($1)" }
        metric.point = levels.isEmpty ? nil : levels.joined(separator: ", ")
        return metric
    }

    /// Returns the values of a quotient of sums over the common replications; nil if the options request none.
    private func pooled(
        _ response: ResolvedResponse,
        at point: (first: Int, second: Int)
    ) -> (first: RunValues, second: RunValues)? {
        guard options.isPooled, let quotient = response.quotient else { return nil }
        let parts = scopes == nil ? quotient.parts : quotient.parts.map { $0.with(scope: "all") }
        let ours = parts.compactMap { first[$0, point.first]?.values }
        let theirs = parts.compactMap { second[$0, point.second]?.values }
        guard ours.count == 2, theirs.count == 2 else { return nil }
        let shared = options.isUnpaired ? .max : min(ours[0].values.count, theirs[0].values.count)
        guard let one = quotient.values(ours[0].prefix(shared), ours[1].prefix(shared)),
            let other = quotient.values(theirs[0].prefix(shared), theirs[1].prefix(shared))
        else { return nil }
        return (one, other)
    }

    /// Notes on responses that can only be judged worse because a count of their population is missing; one sentence
    /// for each missing count.
    var missingPopulations: [String] {
        guard first.results.isSweep, let point = points.first else { return [] }
        let sweeps = scopes == nil ? "both sweeps" : "the sweep"
        let names = asked.map { response in
            response.populations.map(\.count)
                .filter { alone($0.over(response.window), at: point, isOfPopulation: true) == nil }
                .flatMap { count in
                    guard let scopes else { return [count.text] }
                    return [count, Self.rides]
                        .flatMap { response in
                            [scopes.first, scopes.second].map { response.with(scope: $0).text }
                        }
                }
        }
        return names.indices
            .filter { !names[$0].isEmpty && !names[..<$0].contains(names[$0]) }
            .map { place in
                let counts = names[place].joined(separator: " and ")
                let all = asked.indices.filter { names[$0] == names[place] }.map { asked[$0].text }
                return
                    "\(counts) \(names[place].count == 1 ? "is no response" : "are no responses") of \(sweeps), so a "
                    + "better value of \(all.joined(separator: ", ")) has no verdict: it may cover other activities or less time on "
                    + "screens. Add \(counts) to factors.responses."
            }
    }

    // MARK: - Obstacles

    private typealias Obstacle = ComparisonError.Obstacle

    /// Returns the reasons why the two are not comparable: a different world, or different random draws.
    private static func obstacles(
        _ first: RecordedResults,
        _ second: RecordedResults,
        _ changes: [ScenarioChange],
        _ options: ResultComparison.Options
    ) -> [Obstacle] {
        // Loads on different seeds are comparable.
        guard !first.isLoad else { return [] }
        var obstacles: [Obstacle] = []
        let isTitled =
            first.name == second.name && first.scenario.description == second.scenario.description
        // Name and description are part of the id, but do not affect the simulation.
        if !first.isSweep, !options.isUnpaired, changes.isEmpty, first.id != second.id, isTitled,
            first.scenario.usesDataFiles
        {
            obstacles.append(.otherData(first.id, second.id))
        }
        for change in changes {
            switch change.path.split(separator: ".").first {
            case "clock" where change.path != "clock.starts_at": obstacles.append(.otherClock(change))
            case "cells": obstacles.append(.otherCells(change))
            case "seed" where !options.isUnpaired: obstacles.append(.otherSeed(change))
            case "rides" where !options.isUnpaired && !change.isOfRefreshes: obstacles.append(.otherRides(change))
            case "replications" where !options.isUnpaired: obstacles.append(.otherPairing(change))
            default: break
            }
        }
        return obstacles
    }
}

extension Response {
    /// Returns the response over a window.
    fileprivate func over(_ window: Window?) -> Response {
        var response = self
        response.window = window
        return response
    }
}

extension String {
    /// The path of a setting, without the cohort that it is set in.
    fileprivate var asOfScenario: String {
        wholeMatch(of: /cohorts\.[0-9]+\.set\.(.+)/).map { String($0.1) } ?? self
    }
}

extension Scenario {
    /// `true` if the scenario reads other files.
    fileprivate var usesDataFiles: Bool {
        var scenario = self
        var columns = 0
        scenario.updateEmpiricalValues { _, _ in columns += 1 }
        return rides.trace != nil || columns > 0
    }
}
