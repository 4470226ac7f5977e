import Experiments
import LiveActivityModel
import Quantities
import SimulationKernel
import Testing

@Suite("The estimate of a run")
struct RunEstimateTests {
    private static func estimate(_ change: (inout Scenario) -> Void) -> RunEstimate {
        var scenario = Scenario()
        change(&scenario)
        return RunEstimate(scenario)
    }

    @Test("A Poisson process: the integral of its rates, and the busiest interval of a ride's length")
    func poisson() {
        // Rides of 20 minutes.
        let constant = Self.estimate { $0.rides.arrivals.ratesPerHour = [60] }
        #expect(constant.rides == 60 && constant.liveActivities == 20)
        let varied = Self.estimate {
            $0.clock.duration = .minutes(150)
            $0.rides.arrivals.ratesPerHour = [60, 600]
        }
        #expect(varied.rides == 60 + 600 + 30 && varied.liveActivities == 200)
        let fast = Self.estimate {
            $0.rides.arrivals.ratesPerHour = [600, 0]
            $0.rides.arrivals.rateInterval = .minutes(5)
        }
        #expect(fast.rides == 300 && fast.liveActivities == 100)
    }

    @Test("Evenly spaced rides: all at once, over a period, beyond the end")
    func even() {
        func even(_ count: Int, spread: TimeSpan) -> RunEstimate {
            Self.estimate {
                $0.rides.arrivals.process = .even
                $0.rides.arrivals.count = count
                $0.rides.arrivals.spread = spread
            }
        }
        #expect(even(1000, spread: .zero).liveActivities == 1000)
        #expect(even(1000, spread: .minutes(40)).liveActivities == 500)
        #expect(even(1000, spread: .hours(2)).rides == 500)
    }

    @Test(
        "Memory: a million activities as measured, 0.27 to 0.35 GB at the peak with the program's 60 MB; less per cell"
    )
    func memory() {
        func million(cells: Int) -> RunEstimate {
            Self.estimate {
                $0.rides.arrivals.process = .even
                $0.rides.arrivals.count = 1_000_000
                $0.cells = cells
            }
        }
        let whole = million(cells: 1).bytes(replications: 1, jobs: 1)
        #expect((200e6...300e6).contains(whole), "\(whole)")
        #expect(million(cells: 1).bytes(replications: 4, jobs: 2) > 1.9 * whole)
        #expect(million(cells: 64).bytes(replications: 1, jobs: 2) < whole / 2)
    }

    @Test("An activity needs more memory in a cell too small for packing")
    func rest() {
        func bytes(_ count: Int, isWatched: Bool = false, _ change: (inout Scenario) -> Void = { _ in }) -> Double {
            var scenario = Scenario()
            scenario.rides.arrivals.process = .even
            scenario.rides.arrivals.count = count
            scenario.cells = 4
            change(&scenario)
            return RunEstimate(scenario, isWatched: isWatched).bytes(replications: 1, jobs: 4)
        }
        let limit = 4 * CellSimulation.restLimit
        #expect((bytes(limit) - bytes(limit / 2)) / Double(limit / 2) == 650)
        #expect(bytes(limit + 1) == bytes(limit))
        #expect((bytes(8 * limit) - bytes(4 * limit)) / Double(4 * limit) == 270)
        // No activity is packed if activities are searched for, or in a run of weeks; a fault unpacks all.
        #expect((bytes(4 * limit, isWatched: true) - bytes(2 * limit, isWatched: true)) / Double(2 * limit) == 650)
        func long(_ count: Int) -> Double { bytes(count) { $0.clock.drain = .hours(24 * 13) } }
        #expect((long(4 * limit) - long(2 * limit)) / Double(2 * limit) == 650)
        func faulty(_ count: Int) -> Double {
            bytes(count) { $0.faults = [Scenario.Fault(kind: .contentDown, at: .zero, duration: .seconds(1))] }
        }
        #expect((faulty(4 * limit) - faulty(2 * limit)) / Double(2 * limit) == 700)
    }

    @Test("Finished replications: one sum each, packed for many, whatever the number of cells and seconds")
    func replications() {
        let day = Self.estimate {
            $0.clock.duration = .hours(24)
            $0.cells = 16
        }
        let more = day.bytes(replications: 1000, jobs: 2) - day.bytes(replications: 100, jobs: 2)
        #expect(more < 900 * 600_000 / 5, "\(more)")
    }

    @Test("Windows of cities are kept cell by cell")
    func cities() {
        func bytes(cities: Int) -> Double {
            var scenario = Scenario()
            scenario.rides.arrivals.process = .poisson
            scenario.cells = 100
            scenario.clock.window = .seconds(1)
            scenario.rides.arrivals.cities = (0..<cities)
                .map { Scenario.City(name: "c\($0)", share: Probability(1 / Double(cities))) }
            return RunEstimate(scenario).bytes(replications: 1, jobs: 1)
        }
        let columns = Double(CityColumn.allCases.count * MemoryLayout<Int64>.size)
        let more = (bytes(cities: 64) - bytes(cities: 4)) / 60 / 100 / 3600
        #expect((columns...2 * columns).contains(more), "\(more) bytes for each city, cell and second")
    }

    @Test("Seconds of load: all with arrivals, without the years after them")
    func seconds() {
        func years(_ process: Scenario.ArrivalProcess, _ change: (inout Scenario.Clock) -> Void) -> Double {
            var scenario = Scenario()
            scenario.rides.arrivals.process = process
            scenario.rides.arrivals.count = 20
            scenario.rides.arrivals.ratesPerHour = [1]
            scenario.clock.window = .hours(24 * 3650)
            change(&scenario.clock)
            return RunEstimate(scenario).bytes(replications: 1, jobs: 1)
        }
        #expect(years(.poisson) { $0.duration = .hours(24 * 3650) } > 10e9)
        #expect(years(.even) { $0.duration = .hours(24 * 3650) } < 2e6)
        #expect(years(.poisson) { $0.drain = .hours(24 * 3650) } < 2e6)
    }

    @Test("The largest possible values cause no overflow")
    func hostile() {
        let estimate = Self.estimate {
            $0.rides.arrivals.process = .even
            $0.rides.arrivals.count = .max
            $0.rides.scale = 1e300
            $0.content.refresh = .constant(0)
            $0.cells = 4096
        }
        #expect(estimate.bytes(replications: .max, jobs: .max) > 1e300)
        let rates = Self.estimate {
            $0.clock.duration = TimeSpan(microseconds: .max / 4)
            $0.rides.arrivals.ratesPerHour = [1e300]
            $0.rides.arrivals.rateInterval = TimeSpan(microseconds: 1)
        }
        #expect(rates.rides > 1e300)
    }
}
