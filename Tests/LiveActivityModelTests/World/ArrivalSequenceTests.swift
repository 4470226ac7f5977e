import Quantities
import SimulationKernel
import Studies
import Testing

@testable import LiveActivityModel

@Suite("Arrivals")
struct ArrivalSequenceTests {
    private static func arrivals(_ scenario: Scenario, replication: UInt32 = 0) throws -> [ArrivalSequence.Arrival] {
        let random = RandomSource(seed: scenario.seed, replication: replication)
        var sequence = ArrivalSequence(world: try ScenarioLoader.world(scenario), random: random)
        var arrivals: [ArrivalSequence.Arrival] = []
        while let next = sequence.next() {
            arrivals.append(next)
        }
        #expect(arrivals.map(\.ride) == (0..<UInt64(arrivals.count)).map { $0 })
        #expect(zip(arrivals, arrivals.dropFirst()).allSatisfy { $0.at <= $1.at })
        return arrivals
    }

    // MARK: - Poisson

    private static func poisson(hours: Int64, rates: [Double], seed: UInt64) -> Scenario {
        var scenario = Scenario()
        scenario.seed = seed
        scenario.clock.duration = .hours(hours)
        scenario.rides.arrivals.ratesPerHour = rates
        return scenario
    }

    @Test("Counts per rate interval agree with the rates, cycle after cycle", arguments: 1...8)
    func rates(seed: UInt64) throws {
        let rates = [2000.0, 0, 500, 0.01]
        let arrivals = try Self.arrivals(Self.poisson(hours: 12, rates: rates, seed: seed))
        var counts = [Int](repeating: 0, count: 12)
        for arrival in arrivals {
            counts[Int(arrival.at.microseconds / TimeSpan.hours(1).microseconds)] += 1
        }
        for (hour, count) in counts.enumerated() {
            let mean = rates[hour % 4]
            if mean == 0 {
                #expect(count == 0)
            } else if mean > 1 {
                // Normal approximation of a Poisson count; four standard deviations.
                #expect(abs(Double(count) - mean) < 4 * mean.squareRoot(), "seed \(seed), hour \(hour)")
            }
        }
        #expect(arrivals.allSatisfy { $0.row == nil })
    }

    @Test("Gaps at a constant rate are exponential: half of them are below ln 2 of the mean")
    func gaps() throws {
        let arrivals = try Self.arrivals(Self.poisson(hours: 10, rates: [3600], seed: 5))
        let gaps = zip(arrivals, arrivals.dropFirst()).map { ($1.at - $0.at).microseconds }
        let below = Double(gaps.count { $0 < 693_147 })
        let count = Double(gaps.count)
        #expect(abs(below - count / 2) < 4 * (count / 4).squareRoot())
        #expect(abs(count - 36_000) < 4 * 36_000.0.squareRoot())
    }

    @Test("Without a rate there are no rides")
    func zeroRate() throws {
        #expect(try Self.arrivals(Self.poisson(hours: 3, rates: [0, 0], seed: 1)).isEmpty)
    }

    @Test("The scale multiplies the rates")
    func scaledRates() throws {
        var scenario = Self.poisson(hours: 4, rates: [1000], seed: 3)
        let plain = try Self.arrivals(scenario)
        scenario.rides.arrivals.ratesPerHour = [500]
        scenario.rides.scale = 2
        #expect(try Self.arrivals(scenario).map(\.at) == plain.map(\.at))
    }

    @Test("A longer run begins with the same arrivals; another replication does not")
    func prefixes() throws {
        let short = try Self.arrivals(Self.poisson(hours: 1, rates: [100], seed: 3)).map(\.at)
        let long = try Self.arrivals(Self.poisson(hours: 2, rates: [100], seed: 3)).map(\.at)
        #expect(Array(long.prefix(short.count)) == short)
        #expect(try Self.arrivals(Self.poisson(hours: 1, rates: [100], seed: 3), replication: 1).map(\.at) != short)
    }

    // MARK: - Cities

    private static func city(
        _ name: String,
        _ share: Double,
        zone: TimeSpan = .zero,
        curve: [Double]? = nil
    ) -> Scenario.City {
        var city = Scenario.City(name: name, share: Probability(share))
        (city.timeZone, city.curve) = (zone, curve)
        return city
    }

    /// Requests by city and half hour.
    private static func counts(_ scenario: Scenario) throws -> [[Int]] {
        let halfHours = Int(scenario.clock.duration.microseconds / TimeSpan.minutes(30).microseconds)
        var counts = scenario.rides.arrivals.cities.map { _ in [Int](repeating: 0, count: halfHours) }
        for arrival in try arrivals(scenario) {
            counts[Int(arrival.city)][Int(arrival.at.microseconds / TimeSpan.minutes(30).microseconds)] += 1
        }
        return counts
    }

    /// Returns `true` if each count is within four standard deviations of a Poisson count.
    private static func agree(_ counts: [Int], _ means: [Double]) -> Bool {
        zip(counts, means).allSatisfy { abs(Double($0) - $1) <= 4 * $1.squareRoot() }
    }

    @Test("Each city has its share, at the hours of its own clock, including half hours", arguments: 1...8)
    func cities(seed: UInt64) throws {
        var scenario = Self.poisson(hours: 4, rates: [8000, 0, 2000, 0], seed: seed)
        scenario.rides.arrivals.cities = [
            Self.city("here", 0.5), Self.city("behind", 0.25, zone: .minutes(-90)),
            Self.city("ahead", 0.25, zone: .hours(2)),
        ]
        let counts = try Self.counts(scenario)
        #expect(Self.agree(counts[0], [2000, 2000, 0, 0, 500, 500, 0, 0]))
        // Half past ten in the evening there: the last half of the third hour, then the fourth.
        #expect(Self.agree(counts[1], [250, 0, 0, 1000, 1000, 0, 0, 250]))
        #expect(Self.agree(counts[2], [250, 250, 0, 0, 1000, 1000, 0, 0]))
    }

    @Test("A city's own curve moves its rides, but adds none")
    func curves() throws {
        var scenario = Self.poisson(hours: 6, rates: [9000, 3000, 0], seed: 2)
        scenario.rides.arrivals.cities = [Self.city("a", 0.75), Self.city("b", 0.25, curve: [0, 7])]
        let counts = try Self.counts(scenario)
        let first = [6750.0, 2250, 0].flatMap { [$0 / 2, $0 / 2] }
        #expect(Self.agree(counts[0], first + first))
        // A quarter of 4000 an hour on average, all of it in every second hour.
        let second = [0.0, 0, 1000, 1000]
        #expect(Self.agree(counts[1], second + second + second))
    }

    @Test("Cities with one clock and one curve have the same rides as without cities")
    func divisionAlone() throws {
        var scenario = Self.poisson(hours: 3, rates: [3600, 720], seed: 4)
        let whole = try Self.arrivals(scenario).map(\.at)
        scenario.rides.arrivals.cities = [Self.city("a", 0.5), Self.city("b", 0.25), Self.city("c", 0.25)]
        #expect(try Self.arrivals(scenario).map(\.at) == whole)
    }

    // MARK: - Even

    @Test(
        "Even arrivals are spread without the end of the spread",
        arguments: [
            (count: 1, scale: 1.0, spread: 60, seconds: [10]),
            (count: 4, scale: 1.0, spread: 60, seconds: [10, 25, 40, 55]),
            (count: 3, scale: 1.0, spread: 0, seconds: [10, 10, 10]),
            (count: 2, scale: 1.5, spread: 30, seconds: [10, 20, 30]),
            (count: 5, scale: 0, spread: 30, seconds: []),
            // Arrivals at or after the end of arrivals do not occur.
            (count: 4, scale: 1, spread: 360, seconds: [10]),
        ] as [(count: Int, scale: Double, spread: Int64, seconds: [Int64])]
    )
    func even(row: (count: Int, scale: Double, spread: Int64, seconds: [Int64])) throws {
        var scenario = Scenario()
        scenario.clock.duration = .seconds(100)
        scenario.rides.scale = row.scale
        scenario.rides.arrivals.process = .even
        scenario.rides.arrivals.count = row.count
        scenario.rides.arrivals.at = .seconds(10)
        scenario.rides.arrivals.spread = .seconds(row.spread)
        #expect(try Self.arrivals(scenario).map(\.at) == row.seconds.map { .start + .seconds($0) })
    }

    // MARK: - Traces

    private static func traced(requests: [Int64], scale: Double) -> Scenario {
        var scenario = Scenario()
        scenario.clock.duration = .hours(10)
        scenario.rides.scale = scale
        var trace = Scenario.Trace(file: "rides.csv")
        trace.rides = requests.map {
            TracedRide(request: .start + .seconds($0), stages: [.seconds(60)], isCancelled: false)
        }
        scenario.rides.trace = trace
        return scenario
    }

    @Test("A trace is replayed unchanged, with ties in its own order")
    func trace() throws {
        let arrivals = try Self.arrivals(Self.traced(requests: [0, 5, 5, 5, 9], scale: 1))
        #expect(arrivals.map(\.at) == [0, 5, 5, 5, 9].map { .start + .seconds($0) })
        #expect(arrivals.map(\.row) == [0, 1, 2, 3, 4])
    }

    @Test("Half a trace keeps about half of the rows, each at its own time")
    func thinned() throws {
        let requests = (0..<1000).map { Int64($0) * 7 }
        let arrivals = try Self.arrivals(Self.traced(requests: requests, scale: 0.5))
        #expect(abs(Double(arrivals.count) - 500) < 4 * 250.0.squareRoot())
        let rows = arrivals.compactMap(\.row)
        #expect(rows == rows.sorted() && Set(rows).count == rows.count)
        #expect(arrivals.allSatisfy { $0.at == .start + .seconds(requests[Int($0.row ?? 0)]) })
        let fewer = try Self.arrivals(Self.traced(requests: requests, scale: 0.25)).compactMap(\.row)
        #expect(Set(fewer).isSubset(of: Set(rows)))
    }

    @Test("Two and a half traces have each row two or three times, with copies up to ten minutes later")
    func repeated() throws {
        let requests = (0..<1000).map { Int64($0) * 7 }
        let arrivals = try Self.arrivals(Self.traced(requests: requests, scale: 2.5))
        var copies = [[Instant]](repeating: [], count: 1000)
        for arrival in arrivals {
            copies[Int(arrival.row ?? 0)].append(arrival.at)
        }
        #expect(abs(Double(arrivals.count) - 2500) < 4 * 250.0.squareRoot())
        for (row, times) in copies.enumerated() {
            let request = Instant.start + .seconds(requests[row])
            #expect((2...3).contains(times.count))
            #expect(times.first == request)
            #expect(times.allSatisfy { $0 < request + .minutes(10) })
            #expect(Set(times).count == times.count)
        }
    }

    @Test("Copies of different rows are moved independently, for any number of copies")
    func manyCopies() throws {
        let arrivals = try Self.arrivals(Self.traced(requests: [0, 0], scale: 200))
        let shifts = (0...1).map { row in arrivals.filter { $0.row == row }.map(\.at) }
        #expect(shifts.map(\.count) == [200, 200])
        // Only the originals, which are not moved, coincide.
        #expect(Set(shifts[0]).intersection(shifts[1]) == [.start])
    }

    // MARK: - Cells

    @Test("Cells divide the rides, each ride to one of them", arguments: [1, 2, 7, 64])
    func cells(count: Int) throws {
        var scenario = Scenario.ride(10).times(500)
        scenario.rides.arrivals.spread = .milliseconds(500)
        scenario.cells = count
        let world = try ScenarioLoader.world(scenario)
        var taken = [Int64](repeating: 0, count: count)
        let assignment = CellAssignment(world, replication: 0)
        for ride in 0..<UInt64(500) {
            taken[assignment.cell(ofRide: ride)] += 1
        }
        for cell in 0..<count {
            #expect(FinishedCell(world, cell: cell)[.ridesRequested] == taken[cell])
            // Binomial; five standard deviations.
            let share = 1 / Double(count)
            let deviation = (500 * share * (1 - share)).squareRoot()
            #expect(abs(Double(taken[cell]) - 500 * share) <= 5 * deviation)
        }
    }

    @Test("All members of a group, and its channel, are in the cell of its first ride", arguments: [1, 3])
    func cellsOfGroups(count: Int) throws {
        var scenario = Scenario.ride(10).times(40)
        scenario.cells = count
        scenario.groups = Scenario.Groups()
        scenario.groups?.size = .uniform(low: 1, high: 6)
        let world = try ScenarioLoader.world(scenario)
        let (cells, assignment) = (RideCells(world, replication: 0), CellAssignment(world, replication: 0))
        var sequence = ArrivalSequence(world: world, random: RandomSource(seed: scenario.seed, replication: 0))
        var groups: [ArrivalSequence.Arrival] = []
        while let group = sequence.next() { groups.append(group) }
        #expect(groups.contains { $0.size > 1 } && groups.count == 40)
        for group in groups {
            let cell = assignment.cell(ofRide: group.ride)
            for ride in group.ride..<group.ride + UInt64(group.size) { #expect(cells.cell(ofRide: ride) == cell) }
            #expect(cells.cell(ofRide: group.ride | WorldEntity.channel) == cell)
            #expect(APNsRules(world: world).cell(ofRide: group.ride + UInt64(group.size) - 1) == cell)
        }
    }
}
