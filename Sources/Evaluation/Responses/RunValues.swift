package import LiveActivityModel
package import Statistics

/// The values of a response in a run: one for each independent part, nil if undefined.
package struct RunValues: Sendable {
    package let values: [Double?]
    /// The change of one value by the ride with the most weight; 0 if no ride outweighs the others.
    package var heaviest = 0.0

    /// The values that are defined.
    package var defined: [Double] { values.compactMap(\.self) }

    /// Creates the values of a result, one for each replication.
    ///
    /// - Parameter catalog: The metrics of the result's scenario.
    package init(of response: ResolvedResponse, in result: RunResult, by catalog: MetricCatalog) {
        self.init(of: response, in: result, by: catalog) { response in
            RunValues(
                (0..<result.replications).map { response.row(in: result, replication: $0)?.value?.double },
                isAntithetic: result.scenario.replications.antithetic
            )
        }
        heaviest = response.heaviestMove(in: result)
    }

    /// Creates the values of a single replication, one for each cell.
    ///
    /// - Parameter catalog: The metrics of the result's scenario.
    package init(ofCellsFor response: ResolvedResponse, in result: RunResult, by catalog: MetricCatalog) {
        let cells = result.cells.map { RunResult(scenario: result.scenario, ReplicationResults(cell: $0)) }
        self.init(of: response, in: result, by: catalog) { response in
            RunValues(cells.map(response.value), isAntithetic: false)
        }
        // A ride is in one of the cells.
        heaviest = response.heaviestMove(in: result) * Double(result.cells.count)
    }

    /// Creates the values of the parts of a result.
    ///
    /// For a quotient, their mean is the quotient of the whole result; see ``Quotient``.
    private init(
        of response: ResolvedResponse,
        in result: RunResult,
        by catalog: MetricCatalog,
        values: (ResolvedResponse) -> RunValues
    ) {
        let parts = response.quotient.flatMap { quotient in
            let resolved = quotient.parts.compactMap { try? $0.resolve(in: result.scenario, by: catalog) }
            return resolved.count == 2 ? quotient.values(values(resolved[0]), values(resolved[1])) : nil
        }
        self = parts ?? values(response)
    }

    /// Returns the values for as many rides as another part of the fleet has, replication by replication.
    ///
    /// - Parameters:
    ///   - rides: The rides that the values are of.
    ///   - others: The rides of the other part.
    package func scaled(from rides: RunValues, to others: RunValues) -> RunValues {
        let scaled = values.indices.map { index -> Double? in
            guard rides.values.indices.contains(index), others.values.indices.contains(index),
                let value = values[index], let own = rides.values[index], let other = others.values[index], own > 0
            else { return nil }
            return value * other / own
        }
        return RunValues(values: scaled, heaviest: heaviest)
    }

    /// Returns the values of the first replications.
    package func prefix(_ count: Int) -> RunValues {
        RunValues(values: Array(values.prefix(count)), heaviest: heaviest)
    }

    private init(values: [Double?], heaviest: Double) {
        self.values = values
        self.heaviest = heaviest
    }

    /// Returns the values of the replications in which both are defined: one random world under two settings.
    package func pairs(with others: RunValues) -> (ours: [Double], theirs: [Double]) {
        let pairs = zip(values, others.values)
            .compactMap { ours, theirs in
                ours.flatMap { one in theirs.map { (one, $0) } }
            }
        return (pairs.map(\.0), pairs.map(\.1))
    }

    /// Returns the mean difference of the others' values with its uncertainty; nil with fewer than two values.
    package func difference(
        to others: RunValues,
        of response: ResolvedResponse,
        isPaired: Bool = true,
        level: Double = 0.95
    ) -> MeanDifference? {
        let (ours, theirs) = isPaired ? pairs(with: others) : (defined, others.defined)
        let event = max(
            response.eventSize(of: ours, heaviest: heaviest),
            response.eventSize(of: theirs, heaviest: others.heaviest)
        )
        guard isPaired else { return MeanDifference(independent: ours, theirs, event: event, level: level) }
        return DifferenceRule(count: ours.count, level: level)?
            .difference(ours, theirs, event: event, areCounts: response.unit == "count")
    }

    /// Creates the values of the replications of a recorded run.
    ///
    /// - Parameter weights: The divisors of the replications' sums, see ``ResolvedResponse/weight``; empty if unknown.
    package init(
        _ replications: [Double?],
        isAntithetic: Bool,
        of response: ResolvedResponse,
        weights: [Double?] = [],
        in scenario: Scenario
    ) {
        self.init(replications, isAntithetic: isAntithetic)
        let known = weights.compactMap(\.self)
        heaviest = response.heaviestMove(
            value: defined.isEmpty ? 0 : defined.reduce(0, +) / Double(defined.count),
            weight: known.isEmpty ? nil : known.reduce(0, +) / Double(known.count),
            in: scenario
        )
    }

    /// Creates the values of replications.
    ///
    /// The members of an antithetic pair depend on each other, so their mean is one value.
    package init(_ replications: [Double?], isAntithetic: Bool) {
        guard isAntithetic else {
            values = replications
            return
        }
        values = stride(from: 0, to: replications.count - 1, by: 2)
            .map { index in
                guard let first = replications[index], let second = replications[index + 1] else { return nil }
                return (first + second) / 2
            }
    }
}

/// A response that is the quotient of two sums over all replications, as in a summary.
///
/// The mean of the replications' own quotients is a different number. With few rides in each it is far off, because a
/// replication with one ride weighs as much as one with ten.
package struct Quotient {
    /// Numerator and denominator.
    package let parts: [Response]
    /// The factor of the quotient of the sums.
    let perUnit: Double

    /// Returns a value for each replication.
    ///
    /// Their mean is the quotient of the sums, and their spread is the spread of the quotient. The variation of the
    /// denominators is removed to first order (the delta method, as in `RatioEstimator`). An empty replication has the
    /// quotient as its value.
    ///
    /// - Returns: Nil if a replication lacks one of its parts. All values are nil if the denominators add up to 0.
    package func values(_ numerators: RunValues, _ denominators: RunValues) -> RunValues? {
        let (tops, bottoms) = (numerators.defined, denominators.defined)
        let count = numerators.values.count
        guard tops.count == count, bottoms.count == count, denominators.values.count == count else { return nil }
        let whole = bottoms.reduce(0, +)
        guard whole > 0 else { return RunValues([Double?](repeating: nil, count: count), isAntithetic: false) }
        let ratio = tops.reduce(0, +) / whole
        let mean = whole / Double(count)
        return RunValues(
            zip(tops, bottoms).map { (ratio + ($0 - ratio * $1) / mean) * perUnit },
            isAntithetic: false
        )
    }
}
