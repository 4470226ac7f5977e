import Evaluation
import Foundation
import LiveActivityModel
import Quantities
import Testing
import TextFormats

@testable import Reporting

struct ChartTests {
    @Test
    func everyChartIsAVegaLiteSpecification() async throws {
        let charts = Chart.charts(try await RunResult.running(.offlinePhones, replications: 2))
        #expect(charts.map(\.name) == ["freshness", "classes", "pushes", "funnel", "age", "stale-causes"])
        for chart in charts {
            let json = try JSONSerialization.jsonObject(with: Data(chart.text.utf8)) as? [String: Any]
            #expect(json?["$schema"] as? String == "https://vega.github.io/schema/vega-lite/v5.json")
            #expect(((json?["layer"] ?? json?["vconcat"]) as? [Any])?.isEmpty == false)
            #expect((json?["description"] as? String)?.hasPrefix(chart.title) == true)
        }
    }

    @Test
    func titlesSayWhatTheRunShowed() async throws {
        let result = try await RunResult.running(.oneRide)
        let titles = Chart.charts(result).map(\.title)
        let time = result.total.time(_:)
        let shown = Format.percent(time(.displayedFreshTime), of: time(.displayedTime))
        #expect(titles[0].hasPrefix("Fresh \(shown) of screen time; believed "))
        #expect(titles.allSatisfy { $0.count <= 80 }, "a title fits 640 pixels")
    }

    @Test("Cities have one line each, in scenario order; of many cities only the largest are drawn")
    func cities() async throws {
        #expect(Chart.cities(try await RunResult.running(.offlinePhones)).isEmpty)
        func charts(_ shares: [Double]) async throws -> [Chart] {
            var scenario = Scenario.threeCities
            scenario.rides.arrivals.cities = shares.enumerated()
                .map { Scenario.City(name: "town_\($0)", share: Probability($1)) }
            return Chart.cities(try await RunResult.running(scenario))
        }
        let few = try await charts([0.5, 0, 0.5])
        #expect(few.map(\.name) == ["cities-freshness", "cities-live"])
        #expect(few[0].title == "Fresh on screens during rides, by city")
        for chart in few {
            // The city without rides has no line.
            #expect(chart.text.contains(#""domain": ["town 0", "town 2"]"#))
            #expect(!chart.text.contains("with the most ride time"))
        }
        // All except one have about three rides, and that one has few or none. The subtitle states that some are
        // omitted.
        let many = try await charts(Array(repeating: 0.11, count: 9) + [0.01])
        #expect(many.allSatisfy { $0.text.contains("the 7 cities with the most ride time, of ") })
        #expect(try await charts([]).isEmpty)
    }

    @Test("A city is busiest in the step with the most simultaneous activities, even if another step is longer")
    func busiest() async throws {
        var scenario = Scenario.threeCities
        scenario.clock.warmUp = .minutes(28)
        scenario.clock.window = .minutes(30)
        scenario.rides.arrivals.rateInterval = .minutes(30)
        scenario.rides.arrivals.ratesPerHour = [600, 60]
        scenario.rides.arrivals.cities = ["a", "b"].map { Scenario.City(name: $0, share: Probability(0.5)) }
        let result = try await RunResult.running(scenario)
        for city in 0..<2 {
            #expect(result.total[0, .city(city), .displayedTime] < result.total[1, .city(city), .displayedTime])
        }
        let title = try #require(Chart.cities(result).last?.title)
        #expect(title == "Activities on screens: peak at 12:28 in all cities shown")
        scenario.rides.arrivals.cities[1].timeZone = .hours(-3)
        let zones = try #require(Chart.cities(try await RunResult.running(scenario)).last)
        #expect(zones.title.hasSuffix(" in b, 12:28 in a, local time"))
        #expect(zones.text.contains("; the axis is the run's clock"))
    }

    @Test
    func everyFaultWithinTheDayIsMarked() async throws {
        let chart = Chart.freshness(try await RunResult.running(.oneRide)).text
        #expect(chart.contains(Wording.fault(.apnsSilent)))
        var steady = Scenario.oneRide
        steady.faults = []
        #expect(!Chart.freshness(try await RunResult.running(steady)).text.contains(Wording.fault(.apnsSilent)))
    }

    @Test
    func funnelStatesTheCountsOfTheRun() async throws {
        let total = try await RunResult.running(.offlinePhones).total
        let chart = try #require(Chart.funnel(try await RunResult.running(.offlinePhones))).text
        try #require(total[.episodesBegun] > 0)
        let begun = Format.count(total[.episodesBegun])
        #expect(chart.contains("\"\(begun) · 100.00 %\""))
        #expect(chart.contains("\"\(Format.count(total[.fateShown])) · "))
    }

    @Test("A long title is broken into lines and remains one sentence")
    func longTitles() {
        let title =
            "displayed_fresh_time_ratio{stage:on_trip} is not comparable because content.ttl differs between points"
        func chart(_ title: String, _ subtitle: String) -> Chart {
            Chart(
                template: "load-overlay",
                name: "c",
                title: title,
                subtitle: subtitle,
                [
                    "rows": .array([]), "label": .string("latency"), "timeDomain": .array([0, 1]), "names": ["A", "B"],
                ]
            )
        }
        let long = chart(title, "short")
        #expect(long.title == title)
        #expect(long.text.contains(#""subtitle": "short""#))
        #expect(!long.text.contains("\"text\": \"\(title)"))
        #expect(chart("Short", "").text.contains(#""text": "Short""#))
    }

    @Test
    func theSameRunGivesTheSameCharts() async throws {
        let first = Chart.charts(try await RunResult.running(.offlinePhones, jobs: 1))
        let second = Chart.charts(try await RunResult.running(.offlinePhones, jobs: 2))
        #expect(first == second)
    }

    @Test
    func chartsOfARunInWhichNothingHappens() async throws {
        var scenario = Scenario.oneRide
        scenario.rides.arrivals.count = 0
        for chart in Chart.charts(try await RunResult.running(scenario)) {
            #expect(!chart.text.contains(Format.undefined + " of"), "a title says so in words")
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(chart.text.utf8)) }
        }
    }

    @Test
    func ageBarsHoldAllTheTime() async throws {
        let age = try await RunResult.running(.offlinePhones).total.age
        let bars = AgeBars(age).bars
        #expect(abs(bars.reduce(0) { $0 + $1.share } - 1) < 1e-12)
        #expect(zip(bars, bars.dropFirst()).allSatisfy { $0.high == $1.low })
        let below = try #require(age.quantile(0.5))
        let half = bars.filter { $0.high <= below }.reduce(0) { $0 + $1.share }
        let more = bars.filter { $0.low <= below }.reduce(0) { $0 + $1.share }
        #expect(half <= 0.5 && more >= 0.5)
    }

    @Test
    func ageBarsOfNothing() {
        #expect(AgeBars(RampTally()).bars.isEmpty)
    }
}
