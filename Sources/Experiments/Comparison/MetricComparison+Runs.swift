import LiveActivityModel
import Statistics

/// The values of a response in a run: one for each independent part, nil where it is undefined.
struct RunValues: Sendable {
    let values: [Double?]
    /// By how much the ride that weighs most would move one of them; 0 where no ride weighs more than others do.
    var heaviest = 0.0

    /// Those that are defined.
    var defined: [Double] { values.compactMap(\.self) }

    /// The values of a result; the mean of those of a quotient is the quotient of the whole result, see ``Quotient``.
    init(of response: ResolvedResponse, in result: RunResult) {
        func values(_ response: ResolvedResponse) -> RunValues {
            RunValues(
                (0..<result.replications).map { response.row(in: result, replication: $0)?.value?.double },
                isAntithetic: result.scenario.replications.antithetic
            )
        }
        let quotient = response.quotient
        let parts = quotient.flatMap { quotient in
            let resolved = quotient.parts.compactMap { try? $0.resolve(in: result.scenario) }
            return resolved.count == 2 ? quotient.values(values(resolved[0]), values(resolved[1])) : nil
        }
        self = parts ?? values(response)
        heaviest = response.heaviestMove(in: result)
    }

    /// The values of the first replications.
    func prefix(_ count: Int) -> RunValues { RunValues(values: Array(values.prefix(count)), heaviest: heaviest) }

    private init(values: [Double?], heaviest: Double) {
        self.values = values
        self.heaviest = heaviest
    }

    /// The values of both where both have one: of one random world under two settings.
    func pairs(with others: RunValues) -> (ours: [Double], theirs: [Double]) {
        let pairs = zip(values, others.values)
            .compactMap { ours, theirs in
                ours.flatMap { one in theirs.map { (one, $0) } }
            }
        return (pairs.map(\.0), pairs.map(\.1))
    }

    /// The mean difference of the others' values, with what chance may have done to it; nil for fewer than two.
    func difference(
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

    /// The values of the replications of a recorded run.
    ///
    /// - Parameter weights: What the replications' sums are divided by, see ``ResolvedResponse/weight``; none where that is not known.
    init(
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

    /// The values of replications; the members of an antithetic pair depend on each other, so their mean is one value.
    init(_ replications: [Double?], isAntithetic: Bool) {
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

/// A response that is the quotient of two sums over all replications, as a summary states it.
///
/// The mean of the replications' own quotients is another number, and with few rides in each far from it: a replication with
/// one ride weighs as much as one with ten.
struct Quotient {
    /// Numerator and denominator.
    let parts: [Response]
    /// What the quotient of the sums is multiplied by.
    let perUnit: Double

    /// A value for each replication, whose mean is the quotient of the sums and whose spread is that of the quotient.
    ///
    /// What the denominators vary by is taken out to first order (the delta method, as in `RatioEstimator`). A replication with
    /// nothing in it adds nothing: it has the quotient itself.
    ///
    /// - Returns: Nil where a replication does not tell its parts. No value at all where the denominators add up to nothing.
    func values(_ numerators: RunValues, _ denominators: RunValues) -> RunValues? {
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

extension MetricComparison {
    /// The basis that differs if one of two was ended early.
    static let length = "length"
    /// What differs where one was merged of a part of its load's shares.
    static let shares = "set of shares"

    /// Compares the values of two runs.
    ///
    /// - Parameters:
    ///   - changes: In what their scenarios differ.
    ///   - isPart: `true` if one of them was ended early. A scenario has its own hours and faults, so a part of it is not
    ///     comparable in anything, shares and ages included.
    ///   - level: The chance that its interval holds the true difference.
    init(
        _ response: ResolvedResponse,
        _ first: RunValues,
        _ second: RunValues,
        _ options: RunComparison.Options,
        changes: [ScenarioChange] = [],
        isPart: Bool = false,
        level: Double = 0.95
    ) {
        self.response = response.text
        differingBases = (isPart ? [Self.length] : []) + changes.map(\.path).filter(response.response.isRedefined)
        unit = response.unit
        isShare = response.isShare
        direction = MetricDirection(of: response.response)
        // Half the rides leave half the cards behind, and nothing is the better for it.
        if unit == "count", direction != .neutral { differingBases += changes.filter(\.isOfRides).map(\.path) }
        let ours: [Double]
        let theirs: [Double]
        if options.isUnpaired {
            ours = first.defined
            theirs = second.defined
            counts = .independent(ours.count, theirs.count)
            isPartial =
                !ours.isEmpty && !theirs.isEmpty
                && (ours.count < first.values.count || theirs.count < second.values.count)
            isSame = false
        } else {
            (ours, theirs) = first.pairs(with: second)
            counts = .pairs(ours.count)
            isPartial = !ours.isEmpty && ours.count < min(first.values.count, second.values.count)
            isSame = !ours.isEmpty && ours == theirs
        }
        let chance = first.difference(to: second, of: response, isPaired: !options.isUnpaired, level: level)
        interval = chance?.interval
        reach = chance?.reach
        // What a run has by itself is told where the other has nothing to hold against it.
        let isOneSided = first.defined.isEmpty != second.defined.isEmpty
        self.first = Self.mean(isOneSided ? first.defined : ours)
        self.second = Self.mean(isOneSided ? second.defined : theirs)
        isLost = !isPart && isOneSided && second.defined.isEmpty && response.response.isDefinedWhenAllIsWell
        noise = (self.first?.magnitude ?? 0) * options.noise
    }

    private static func mean(_ values: [Double]) -> Double? {
        values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
    }
}

extension Response {
    /// Whether it has a value in every run that does what it is for.
    ///
    /// Recoveries need something to recover from, and a rank of the sender may be that of retries alone.
    fileprivate var isDefinedWhenAllIsWell: Bool {
        !["recovered_ratio", "recovery_time_us"].contains(metric) && !scope.hasPrefix("rank:")
    }
}
