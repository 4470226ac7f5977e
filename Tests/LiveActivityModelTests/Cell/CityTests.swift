import Quantities
import ScenarioLanguage
import Testing

@testable import LiveActivityModel

/// Measurements by city.
@Suite("Cities")
struct CityTests {
    /// About fifty rides of 40 s and 60 s, in three cities or in none.
    private static func day(cities: [String]) -> Scenario {
        var scenario = Scenario.ride(40, 60)
        scenario.clock.duration = .hours(1)
        scenario.clock.drain = .minutes(10)
        scenario.rides.arrivals.process = .poisson
        scenario.rides.arrivals.ratesPerHour = [72]
        scenario.apns.latency = .seconds(2)
        scenario.apns.loss = Probability(0.25)
        scenario.content.ttl = .seconds(45)
        scenario.rides.arrivals.cities = cities.enumerated()
            .map { Scenario.City(name: $1, share: Probability($0 == 0 ? 0.5 : 0.25)) }
        return scenario
    }

    @Test("Cities divide the measurements and change none of them")
    func parts() throws {
        let whole = try FinishedCell(Self.day(cities: []))
        let cell = try FinishedCell(Self.day(cities: ["a", "b", "c"]))
        let (sum, cities) = (cell.measurements, 0..<3)
        #expect(cell.fingerprint == whole.fingerprint)
        #expect(sum.counters == whole.measurements.counters)
        #expect(sum.ageByStage == whole.measurements.ageByStage)
        for total in Total.allCases {
            #expect(sum.parts(of: total) == whole.measurements.parts(of: total), "\(total)")
        }
        for observation in Observation.allCases {
            #expect(sum.parts(of: observation) == whole.measurements.parts(of: observation), "\(observation)")
        }
        for total in [Total.rideTime, .displayedTime, .displayedFreshTime, .wrongStageTime] {
            let parts = cities.map { sum.all(total, in: .city($0)) }
            #expect(parts.reduce(0, +) == sum[total])
            #expect(parts.allSatisfy { $0 > 0 }, "\(total)")
            let during = cities.map { sum.duringRide(total, in: .city($0)) }
            #expect(during.reduce(0, +) == sum.duringRide(total))
        }
        #expect(sum.series == whole.measurements.series)
        #expect(cities.map { sum.age(in: .city($0)).time } == cities.map { sum.all(.displayedTime, in: .city($0)) })
        #expect(cities.map { sum.all(.stageLag, in: .city($0)).count }.reduce(0, +) == sum[.stageLag].count)
    }

    @Test("The windows of all cities add up to those of the run, even if a warm-up splits one", arguments: [0, 25])
    func windows(warmUp: Int64) throws {
        var scenario = Self.day(cities: ["a", "b", "c"])
        scenario.clock.window = .minutes(10)
        scenario.clock.warmUp = .minutes(warmUp)
        let measured = try FinishedCell(scenario).measurements
        for column in SegmentColumn.allCases {
            guard let whole = column.whole else { continue }
            for window in 0..<measured.series.windowCount {
                let sum = (0..<3).reduce(0) { $0 + measured[window, .city($1), column] }
                #expect(sum == measured.series[window, whole], "\(column) in window \(window)")
            }
        }
        let rides = (0..<3).map { measured.total(.ridesRequested, in: .city($0)) }
        #expect(rides.reduce(0, +) == measured[.ridesRequested])
        #expect(rides.allSatisfy { $0 > 0 })
        #expect((1..<7).contains { measured[$0, .city(0), .liveAtStart] > 0 })
    }

    @Test("The windows of a city add up to its totals over the run")
    func times() throws {
        var scenario = Self.day(cities: ["a", "b", "c"])
        scenario.clock.window = .minutes(10)
        // Soon enough for the server's belief to lapse, too.
        scenario.content.ttl = .seconds(15)
        scenario.monitor.freshLimit = .seconds(1)
        let measured = try FinishedCell(scenario).measurements
        for city in 0..<3 {
            func time(_ column: SegmentColumn) -> Int64 { measured.total(column, in: .city(city)) }
            #expect(time(.rideTime) == measured.duringRide(.rideTime, in: .city(city)))
            #expect(time(.rideDisplayedTime) == measured.duringRide(.displayedTime, in: .city(city)))
            #expect(time(.rideDisplayedFreshTime) == measured.duringRide(.displayedFreshTime, in: .city(city)))
            #expect(time(.rideWrongStageTime) == measured.duringRide(.wrongStageTime, in: .city(city)))
            #expect(time(.rideWrongStageTime) > 0)
            #expect(time(.displayedTime) == measured.all(.displayedTime, in: .city(city)))
            #expect(time(.displayedFreshTime) == measured.all(.displayedFreshTime, in: .city(city)))
            #expect(time(.freshTime) < time(.monitoredTime))
        }
    }

    @Test("Without cities nothing is measured by city")
    func none() throws {
        let measurements = try FinishedCell(Self.day(cities: [])).measurements
        #expect(measurements.segmentSeries == SegmentSeries([], segmentCount: 0))
    }
}
