import Quantities
import SimulationKernel

/// The arrivals of a run: the requests of rides, as a sequence that is the same in every cell.
///
/// Rides are numbered in the order of their requests over all cells, and each cell simulates those that hash to it. The
/// number of cells therefore does not change the rides.
struct ArrivalSequence {
    /// One requested ride.
    struct Arrival {
        let ride: UInt64
        let at: Instant
        /// The row of the trace; nil without a trace.
        let row: Int32?
        /// The index of its city in the scenario; 0 without cities.
        let city: UInt8
        /// The number of rides that follow its content, with the next numbers; 1 without groups.
        var size: UInt32 = 1
    }

    /// The requests of one city as a Poisson process.
    private struct City {
        /// Expected requests per microsecond in each rate interval of local time, in units of 1/``unitGap``.
        let rates: [UInt64]
        /// The offset of local time from the run's clock within a cycle of rates [µs]; not negative.
        let ahead: Int64
    }

    /// The number of units in the mean gap of a Poisson process of rate one.
    ///
    /// In these units, rates as low as one ride an hour have six digits, and the longest gap of a sampler still fits
    /// into 64 bits.
    static let unitGap = 1e15

    private let world: World
    private let random: RandomSource
    /// A single one if the scenario has no cities.
    private let cities: [City]
    /// The number of members of a group; nil without groups.
    private let groupSizes: SamplerID?
    private var nextRide: UInt64 = 0
    /// The number of requests so far: of rides, or of groups of rides.
    private var requestCount: UInt64 = 0
    private var clock = Instant.start
    /// The rate of a Poisson process since ``clock``, and the end of its validity.
    private var rate: UInt64 = 0
    private var rateEnd = Instant.start
    /// The cumulative rates of the cities since ``clock``.
    private var ratesThrough: [UInt64] = []
    /// The copies of trace rows, scaled or not; empty without a trace.
    private var tracedRows: [(at: Instant, row: Int32)] = []

    init(world: World, random: RandomSource) {
        self.world = world
        self.random = random
        groupSizes = world.samplers.groups?.size
        let rides = world.scenario.rides
        let interval = rides.arrivals.rateInterval.microseconds
        cities = rides.arrivals.ratesByCity.enumerated()
            .map { index, rates in
                let zone = rides.arrivals.cities.isEmpty ? 0 : rides.arrivals.cities[index].timeZone.microseconds
                let cycle = interval * Int64(rates.count)
                return City(
                    rates: rates.map { UInt64(($0 * rides.scale * (Self.unitGap / 3.6e9)).rounded()) },
                    ahead: (zone % cycle + cycle) % cycle
                )
            }
        if let trace = rides.trace {
            tracedRows = Self.copies(of: trace.rides, scale: rides.scale, random: random)
        }
    }

    /// The next arrival; nil if there is none before the end of arrivals.
    mutating func next() -> Arrival? {
        var row: Int32?
        // Most arrivals are within the time for which the rate is known.
        if !advanceAtKnownRate() {
            if world.scenario.rides.trace != nil {
                guard requestCount < UInt64(tracedRows.count) else { return nil }
                clock = tracedRows[Int(requestCount)].at
                row = tracedRows[Int(requestCount)].row
            } else if world.scenario.rides.arrivals.process == .even {
                guard advanceEvenly() else { return nil }
            } else {
                advance(interval: world.scenario.rides.arrivals.rateInterval)
            }
        }
        guard clock < world.arrivalsEnd else { return nil }
        var arrival = Arrival(ride: nextRide, at: clock, row: row, city: cities.count == 1 ? 0 : drawnCity())
        if groupSizes != nil { arrival.size = groupSize }
        nextRide += UInt64(arrival.size)
        requestCount += 1
        return arrival
    }

    /// The number of members of the group that is requested next; 1 without groups.
    @inline(never)
    private var groupSize: UInt32 {
        guard let groupSizes else { return 1 }
        let draw = random.draw(
            entity: WorldEntity.arrivals,
            purpose: Purpose.groupSize.rawValue,
            index: UInt32(truncatingIfNeeded: requestCount)
        )
        return UInt32(min(max(world.bank.sample(groupSizes, draw), 1), Int64(Scenario.Groups.mostMembers)))
    }

    /// The city of the next request.
    ///
    /// The requests of all cities together form a Poisson process. The city of a request is random, with probabilities
    /// proportional to the rates at its instant (J. F. C. Kingman, *Poisson Processes*, Oxford 1993, section 5.1).
    /// Rides therefore keep their numbers in the order of requests, and a cell that searches for its own rides can
    /// ignore cities.
    private func drawnCity() -> UInt8 {
        let draw = random.draw(
            entity: WorldEntity.arrivals,
            purpose: Purpose.city.rawValue,
            index: UInt32(truncatingIfNeeded: requestCount)
        )
        let point = rate.multipliedFullWidth(by: draw).high
        return UInt8(ratesThrough.firstIndex { point < $0 } ?? 0)
    }

    /// The gap before the next request of a Poisson process of rate one, in units of 1/``unitGap``.
    @inline(__always)
    private var gap: UInt64 {
        let draw = random.draw(
            entity: WorldEntity.arrivals,
            purpose: Purpose.arrivalGap.rawValue,
            index: UInt32(truncatingIfNeeded: requestCount)
        )
        return UInt64(world.bank.sample(world.samplers.arrivalGap, draw))
    }

    /// Advances the clock to the next of evenly spaced requests; returns `false` after the last.
    private mutating func advanceEvenly() -> Bool {
        let arrivals = world.scenario.rides.arrivals
        let count = Int64((Double(arrivals.count) * world.scenario.rides.scale).rounded())
        guard requestCount < UInt64(count) else { return false }
        let share = arrivals.spread.microseconds.multipliedFullWidth(by: Int64(requestCount))
        let offset = count.dividingFullWidth(share).quotient
        clock = .start + arrivals.at + TimeSpan(microseconds: offset)
        return true
    }

    /// Advances the clock to the next request of a Poisson process if the rate does not change before.
    @inline(__always)
    private mutating func advanceAtKnownRate() -> Bool {
        guard rate > 0 else { return false }
        let instant = clock + TimeSpan(microseconds: Int64(gap / rate))
        guard instant < rateEnd else { return false }
        clock = instant
        return true
    }

    /// Advances the clock of a Poisson process with piecewise constant rate, by inversion: a gap of rate one is
    /// consumed at the local rate.
    ///
    /// If there is no request before the end of arrivals, the clock stops there or later.
    private mutating func advance(interval: TimeSpan) {
        var gap = gap
        while clock < world.arrivalsEnd {
            takeRates(interval: interval.microseconds)
            let left = UInt64((rateEnd - clock).microseconds)
            if rate > 0, gap / rate < left {
                clock = clock + TimeSpan(microseconds: Int64(gap / rate))
                return
            }
            gap -= rate * left
            clock = rateEnd
        }
    }

    /// Determines the current rates, and how long all of them are valid.
    private mutating func takeRates(interval: Int64) {
        (rate, rateEnd) = (0, .never)
        ratesThrough.removeAll(keepingCapacity: true)
        for city in cities {
            let step = (clock.microseconds + city.ahead) / interval
            rate += city.rates[Int(step % Int64(city.rates.count))]
            ratesThrough.append(rate)
            rateEnd = min(rateEnd, Instant(microseconds: (step + 1) * interval - city.ahead))
        }
    }

    /// The rows of a trace, each repeated according to the scale.
    ///
    /// Below 1, rows are kept at random. Above 1, each row appears that often on average, and its copies are moved by
    /// up to ten minutes, because identical requests at one instant would be a burst that no city has.
    private static func copies(
        of rides: [TracedRide],
        scale: Double,
        random: RandomSource
    ) -> [(at: Instant, row: Int32)] {
        let whole = Int(scale)
        let rest = Probability(scale - Double(whole))
        var rows: [(at: Instant, row: Int32)] = []
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
                rows.append((ride.request + TimeSpan(microseconds: Int64(shift)), Int32(row)))
            }
        }
        // Ties are in the order of rows and then of copies, as appended; the index makes the sort stable.
        return rows.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
    }
}
