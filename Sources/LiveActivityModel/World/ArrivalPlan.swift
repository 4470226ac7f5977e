import Quantities
import SimulationKernel

/// When rides are requested, as a sequence that every cell walks alike.
///
/// Rides are numbered in the order of their requests, over all cells; each cell takes those that hash to it. So the number
/// of cells changes nothing about the rides themselves.
enum ArrivalPlan: Sendable {
    /// Expected arrivals per microsecond in each rate interval, in units of 1/``unitGap``.
    case poisson(rates: [UInt64], interval: TimeSpan)
    case even(count: Int, at: TimeSpan, spread: TimeSpan)
    /// Requests in order, each with its row in the trace.
    case trace(scale: Double)

    /// How many units the mean gap of a Poisson process of rate one has.
    ///
    /// Rates as low as one ride an hour keep six digits in these units, and the longest gap that a sampler can give
    /// still fits 64 bits.
    static let unitGap = 1e15

    init(_ rides: Scenario.Rides) {
        if rides.trace != nil {
            self = .trace(scale: rides.scale)
            return
        }
        let arrivals = rides.arrivals
        switch arrivals.process {
        case .poisson:
            self = .poisson(
                rates: arrivals.ratesPerHour.map {
                    UInt64(($0 * rides.scale * (ArrivalPlan.unitGap / 3.6e9)).rounded())
                },
                interval: arrivals.rateInterval
            )
        case .even:
            self = .even(
                count: Int((Double(arrivals.count) * rides.scale).rounded()),
                at: arrivals.at,
                spread: arrivals.spread
            )
        }
    }
}
