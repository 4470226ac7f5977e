import Quantities
import RandomStreams

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

/// Walks the arrivals of a run.
struct ArrivalSequence {
    /// One requested ride.
    struct Arrival {
        let ride: UInt64
        let at: Instant
        /// The row of the trace; nil without a trace.
        let row: Int?
    }

    private let world: World
    private let random: RandomSource
    private var nextRide: UInt64 = 0
    private var clock = Instant.start
    /// The copies of trace rows, when the trace is scaled or not; empty without a trace.
    private var tracedRows: [(at: Instant, row: Int)] = []

    init(world: World, random: RandomSource) {
        self.world = world
        self.random = random
        if case .trace(let scale) = world.arrivals {
            tracedRows = ArrivalSequence.copies(
                of: world.scenario.rides.trace?.rides ?? [],
                scale: scale,
                random: random
            )
        }
    }

    /// The next arrival; nil when there is none before the end of arrivals.
    mutating func next() -> Arrival? {
        var row: Int?
        switch world.arrivals {
        case .poisson(let rates, let interval):
            guard let instant = nextPoisson(rates: rates, interval: interval) else { return nil }
            clock = instant
        case .even(let count, let first, let spread):
            guard nextRide < UInt64(count) else { return nil }
            let share = spread.microseconds.multipliedFullWidth(by: Int64(nextRide))
            let offset = Int64(count).dividingFullWidth(share).quotient
            clock = .start + first + TimeSpan(microseconds: offset)
        case .trace:
            guard nextRide < UInt64(tracedRows.count) else { return nil }
            clock = tracedRows[Int(nextRide)].at
            row = tracedRows[Int(nextRide)].row
        }
        guard clock < world.arrivalsEnd else { return nil }
        defer { nextRide += 1 }
        return Arrival(ride: nextRide, at: clock, row: row)
    }

    /// A Poisson process with piecewise constant rate, by inversion: a gap of rate one is used up at the local rate.
    private func nextPoisson(rates: [UInt64], interval: TimeSpan) -> Instant? {
        let draw = random.draw(
            entity: WorldEntity.arrivals,
            purpose: Purpose.arrivalGap.rawValue,
            index: UInt32(truncatingIfNeeded: nextRide)
        )
        var gap = UInt64(world.bank.sample(world.samplers.arrivalGap, draw))
        var instant = clock
        while instant < world.arrivalsEnd {
            let step = instant.microseconds / interval.microseconds
            let rate = rates[Int(step % Int64(rates.count))]
            let left = UInt64((step + 1) * interval.microseconds - instant.microseconds)
            if rate > 0, gap / rate < left {
                return instant + TimeSpan(microseconds: Int64(gap / rate))
            }
            gap -= rate * left
            instant = instant + TimeSpan(microseconds: Int64(left))
        }
        return nil
    }

    /// The rows of a trace as often as the scale says.
    ///
    /// Below 1 rows are kept by chance; above 1 each row appears that often on average, and copies are moved by up to ten
    /// minutes, because identical requests at one instant would be a burst that no city has.
    private static func copies(
        of rides: [TracedRide],
        scale: Double,
        random: RandomSource
    ) -> [(at: Instant, row: Int)] {
        let whole = Int(scale)
        let rest = Probability(scale - Double(whole))
        var rows: [(at: Instant, row: Int)] = []
        for (row, ride) in rides.enumerated() {
            func draw(_ purpose: Purpose, _ index: Int) -> UInt64 {
                random.draw(
                    entity: WorldEntity.firstTraceRow + UInt64(row),
                    purpose: purpose.rawValue,
                    index: UInt32(truncatingIfNeeded: index)
                )
            }
            let count = whole + (rest.happens(draw(.traceCopy, 0)) ? 1 : 0)
            for copy in 0..<count {
                let shift = copy == 0 ? 0 : UInt64(600_000_000).multipliedFullWidth(by: draw(.traceShift, copy)).high
                rows.append((ride.request + TimeSpan(microseconds: Int64(shift)), row))
            }
        }
        // Ties in the order of rows, then of copies, as they were appended: the sort must be stable, and is made so.
        return rows.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
    }
}
