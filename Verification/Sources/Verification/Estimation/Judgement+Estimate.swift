import Statistics

extension Tolerance {
    /// The number of seeds that an answer needs.
    var fewestSeeds: Int {
        if case .monteCarlo(let limits) = self { max(2, limits.fewestSeeds) } else { 1 }
    }

    /// The maximum half-width of an interval, relative to the estimate.
    var relativeHalfWidth: Double {
        if case .monteCarlo(let limits) = self { limits.largestRelativeHalfWidth } else { .infinity }
    }
}

extension Judgement {
    /// Compares an estimate with the answer.
    init(of known: Case, _ estimates: SeedEstimates, seeds: Int, isDeterministic: Bool) {
        let exact = known.exactNumber ?? .nan
        let estimate = estimates.mean
        var complaints: [String] = []
        switch known.tolerance {
        case .absolute(let distance):
            if !(abs((estimate ?? .nan) - exact) <= distance) {
                complaints.append("off by more than \(distance)")
            }
        case .identical:
            complaints.append("an estimate is never identical")
        case .unknown(let reason):
            complaints.append(reason)
        case .monteCarlo(let limits):
            complaints = Judgement.complaints(limits, estimates, exact: exact, seeds: seeds)
        }
        self.init(
            id: known.id,
            verdict: complaints.isEmpty ? .pass : .fail,
            exact: exact,
            estimate: estimate,
            halfWidth: isDeterministic ? 0 : estimates.interval?.halfWidth,
            z: isDeterministic ? (estimate == exact ? 0 : nil) : estimates.score(against: exact),
            seedScores: isDeterministic ? nil : estimates.scores(around: exact),
            seeds: seeds,
            remark: complaints.joined(separator: "; ")
        )
    }

    private static func complaints(
        _ limits: Tolerance.MonteCarlo,
        _ estimates: SeedEstimates,
        exact: Double,
        seeds: Int
    ) -> [String] {
        guard let interval = estimates.interval else { return ["too little was seen of it"] }
        var complaints: [String] = []
        if seeds < limits.fewestSeeds {
            complaints.append("\(seeds) seeds are fewer than \(limits.fewestSeeds)")
        }
        if interval.isCertain {
            // The scenario is deterministic: only the rounding of times to microseconds, and of the answer, remains.
            return abs(interval.mean - exact) <= 1e-5 * abs(exact) ? complaints : complaints + ["certain and wrong"]
        }
        if !(abs(estimates.score(against: exact) ?? .infinity) <= limits.largestZ) {
            complaints.append("too far off")
        }
        if !(interval.halfWidth <= limits.largestRelativeHalfWidth * abs(exact)) {
            complaints.append("the interval is too wide")
        }
        if let spread = estimates.spread(around: exact) {
            let share = ChiSquare.cumulative(spread.sum, degreesOfFreedom: spread.degreesOfFreedom)
            if share < limits.spread.lowerBound { complaints.append("the seeds agree too well") }
            if share > limits.spread.upperBound { complaints.append("the seeds differ too much") }
        } else {
            complaints.append("the seeds differ, but none of them has a spread")
        }
        return complaints
    }
}
