import LiveActivityModel

extension Metric {
    /// Returns how far the heaviest ride would move the default statistic of one replication; 0 if no ride dominates.
    ///
    /// - Parameters:
    ///   - value: The statistic.
    ///   - weight: The mean divisor of a replication's sum; nil for an estimate from the scenario.
    func heaviestMove(value: Double, weight: Double?, in scenario: Scenario) -> Double {
        guard let contribution = outlier else { return 0 }
        let outlier = Outlier(scenario)
        let heaviest = contribution(outlier)
        let rides = RunEstimate(scenario).rides
        let expected: Double
        switch reading {
        case .total: return heaviest.numerator
        case .ratio, .rate, .ramp: expected = rides * outlier.ride
        case .tally, .shares, .largest: expected = rides
        }
        let whole = weight ?? expected
        return whole > 0 ? abs(heaviest.numerator - value * heaviest.denominator) / whole : 0
    }

    /// The response that states the weight for ``heaviestMove(value:weight:in:)``; nil if there is none or none is
    /// needed.
    ///
    /// A mean over time states no time of its own, so its weight is the time on screens.
    var weight: Response? {
        guard outlier != nil else { return nil }
        return switch reading {
        case .total, .largest: nil
        case .ratio, .rate: Response(metric: name, scope: scope, statistic: "denominator")
        case .tally, .shares: Response(metric: name, scope: scope, statistic: "count")
        case .ramp: Response(metric: "displayed_fresh_time_ratio", scope: scope, statistic: "denominator")
        }
    }
}
