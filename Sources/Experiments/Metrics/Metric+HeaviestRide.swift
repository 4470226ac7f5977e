import LiveActivityModel

extension Metric {
    /// By how much the ride that weighs most would move the usual statistic of one replication; 0 where no ride weighs more than
    /// others do.
    ///
    /// - Parameters:
    ///   - value: The statistic.
    ///   - weight: By what a replication's sum is divided, on average; nil for about as much as the scenario lets expect.
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

    /// The response that states the weight of ``heaviestMove(value:weight:in:)``; nil where there is none, or no need of one.
    ///
    /// A mean over time states no time of its own: it is of the time on screens.
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
