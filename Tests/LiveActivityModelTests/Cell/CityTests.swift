import Experiments
import Quantities
import Testing

@testable import LiveActivityModel

/// What is measured city by city.
@Suite("Cities")
struct CityTests {
    /// Rides of 40 s and 60 s, some fifty of them, in three cities or in none.
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

    @Test("They divide what is measured and change none of it")
    func parts() throws {
        let whole = try FinishedCell(Self.day(cities: []))
        let cell = try FinishedCell(Self.day(cities: ["a", "b", "c"]))
        let (sum, cities) = (cell.measurements, 0..<3)
        #expect(cell.fingerprint == whole.fingerprint)
        #expect(sum.counters == whole.measurements.counters)
        #expect(sum.ageByStage == whole.measurements.ageByStage)
        for total in Total.allCases where total.division != .city {
            #expect(sum.parts(of: total) == whole.measurements.parts(of: total), "\(total)")
        }
        for observation in Observation.allCases {
            #expect(sum.parts(of: observation) == whole.measurements.parts(of: observation), "\(observation)")
        }
        for total in [Total.rideTime, .displayedTime, .displayedFreshTime, .wrongStageTime] {
            let parts = cities.map { sum.all(total, inCity: $0) }
            #expect(parts.reduce(0, +) == sum[total])
            #expect(parts.allSatisfy { $0 > 0 }, "\(total)")
            let during = cities.map { sum.duringRide(total, inCity: $0) }
            #expect(during.reduce(0, +) == sum.duringRide(total))
        }
        #expect(sum.parts(of: .ridesRequestedByCity).reduce(0, +) == sum[.ridesRequested])
        #expect(sum[.pushesSentByCity] == sum[.updatesSent] + sum[.retriesSent] + sum[.endsSent])
        #expect(sum[.monitoredTimeByCity] == sum.time(.monitoredTime))
        #expect(sum[.believedFreshTimeByCity] == sum.time(.freshTime))
        #expect(cities.map { sum.age(inCity: $0).time } == cities.map { sum.all(.displayedTime, inCity: $0) })
        #expect(cities.map { sum.all(.stageLag, inCity: $0).count }.reduce(0, +) == sum[.stageLag].count)
    }

    @Test("Without cities there is nothing by city")
    func none() throws {
        let measurements = try FinishedCell(Self.day(cities: [])).measurements
        #expect(measurements.parts(of: .ridesRequestedByCity).isEmpty)
        #expect(measurements[.pushesSentByCity] == 0)
    }
}
