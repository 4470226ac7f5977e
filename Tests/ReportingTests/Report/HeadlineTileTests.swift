import LiveActivityModel
import Quantities
import TestSupport
import Testing
import TextFormats

@testable import Evaluation
@testable import Reporting
@testable import Results

struct HeadlineTileTests {
    private static func result(_ change: (inout Scenario) -> Void = { _ in }) async throws -> RunResult {
        var scenario = Scenario.offlinePhones
        scenario.faults = []
        change(&scenario)
        return try await .running(scenario, replications: 4)
    }

    @Test
    func valuesAndIntervalsAreThoseOfTheSummary() async throws {
        let result = try await Self.result()
        let row = try #require(Summary(result).row("ride_fresh_coverage_ratio", "ratio"))
        let tile = try #require(HeadlineTile.tiles(of: result).first)
        #expect(tile.value == Format.value(row) && tile.interval == Format.interval(row))
        #expect(tile.verdict == nil && tile.change.isEmpty)
        #expect(HeadlineTile.tiles(of: result).count == 7)
    }

    @Test
    func changesArePairedAndJudged() async throws {
        let base = try await Self.result()
        let worse = try await Self.result { $0.apns.loss = Probability(0.5) }
        let tiles = HeadlineTile.tiles(of: worse, against: base)
        #expect(tiles.first?.verdict == .worse)
        #expect(tiles.first?.change.hasPrefix("−") == true && tiles.first?.change.contains(" ± ") == true)
        #expect(HeadlineTile.tiles(of: base, against: base).allSatisfy { $0.change == "the same" || $0.change.isEmpty })
        let other = try await Self.result { $0.content.ttl = .minutes(10) }
        #expect(HeadlineTile.tiles(of: other, against: base).first?.verdict == .otherBasis)
    }

    @Test(
        "A change is the difference of the values shown; with few rides the mean of the replications' quotients differs"
    )
    func changesAreThoseOfTheValues() async throws {
        let base = try await Self.result()
        let lossy = try await Self.result { $0.apns.loss = Probability(0.5) }
        for (response, _) in HeadlineTile.headline(of: base.scenario).prefix(4) {
            let resolved = try response.resolve(in: base.scenario)
            let comparison = try MetricComparison(response, in: base, and: lossy, changes: [])
            let (first, second) = (try #require(resolved.value(in: base)), try #require(resolved.value(in: lossy)))
            let (one, other) = (try #require(comparison.first), try #require(comparison.second))
            #expect(abs(one - first) < 1e-9 * first && abs(other - second) < 1e-9 * second, "\(response)")
        }
    }

    @Test(
        "If the rides differ, counts have no verdict; a missing number is neither better nor worse"
    )
    func withoutVerdict() async throws {
        // Long enough for Apple's limit; otherwise leftover cards would not be measured.
        func result(_ change: @escaping (inout Scenario) -> Void = { _ in }) async throws -> RunResult {
            try await Self.result { scenario in
                scenario.clock.drain = .hours(9)
                change(&scenario)
            }
        }
        let base = try await result()
        let few = try await result { $0.rides.scale = 0.5 }
        let cards = try #require(HeadlineTile.tiles(of: few, against: base).last)
        #expect(cards.verdict == .otherBasis && cards.reason == "other rides: rides.scale differs")
        #expect(ComparisonPage.said(of: cards) == "no verdict: other rides: rides.scale differs")
        let dark = try await result { $0.devices.activitiesEnabled = .never }
        let tiles = HeadlineTile.tiles(of: dark, against: base).filter { $0.value == Format.undefined }
        #expect(tiles.map(\.metric).contains("pushes_per_live_hour"))
        #expect(tiles.allSatisfy { $0.verdict == .undefined && $0.reason == "no data" && $0.change.isEmpty })
        #expect(tiles.allSatisfy { ComparisonPage.said(of: $0) == "no data" })
        let lit = HeadlineTile.tiles(of: base, against: dark).filter { $0.verdict == .undefined }
        #expect(lit.map(\.metric).contains("pushes_per_live_hour"))
        #expect(lit.allSatisfy { $0.value == Format.undefined || $0.reason == "no data to compare with" })
    }

    @Test("A change without an interval has no ±, and the page of a comparison has one value of a metric")
    func oneChange() async throws {
        func text(_ interval: ClosedRange<Double>?) -> String {
            MetricComparison(
                response: "age_of_information_us",
                unit: "us",
                isShare: false,
                direction: .lower,
                first: 45e6,
                second: 59.8e6,
                interval: interval,
                reach: 705_000,
                counts: .pairs(10)
            )
            .changeText
        }
        #expect(text(14.095e6...15.505e6) == "+14.8 s ± 705 ms")
        #expect(text(nil) == "+14.8 s (no interval)")
        let scratch = Scratch()
        for (name, loss) in [("base", 0), ("lossy", 0.2)] {
            var scenario = Scenario.offlinePhones
            scenario.apns.loss = Probability(loss)
            let run = try await RunResult.running(scenario, replications: 3)
            for file in RunFiles(run).files { try scratch.write(file.text, to: "\(name)/\(file.path)") }
        }
        let comparison = try ResultComparison(scratch.path("base"), scratch.path("lossy"))
        let tiles = try HeadlineTile.tiles(
            of: comparison.second,
            against: comparison.first,
            options: comparison.options,
            as: comparison.metrics
        )
        let fresh = try #require(tiles.first { $0.metric == "ride_fresh_coverage_ratio" })
        let row = try #require(comparison.metrics.first { $0.response == fresh.metric })
        #expect(fresh.value == row.text(row.second) && fresh.change == row.changeText && fresh.interval.isEmpty)
    }

    @Test(
        "A change below the printed digits is given by its bound",
        arguments: [
            (0.000_04, 0.000_03, "less than 0.01 pp"), (-0.000_04, 0.0003, "−0.00 pp ± 0.03 pp"),
            (0.02, 0.001, "+2.00 pp ± 0.10 pp"),
        ]
    )
    func smallChanges(difference: Double, reach: Double, text: String) {
        let comparison = MetricComparison(
            response: "wrong_stage_time_ratio",
            unit: "1",
            isShare: true,
            direction: .lower,
            first: 0.5,
            second: 0.5 + difference,
            interval: difference - reach...difference + reach,
            reach: reach,
            counts: .pairs(5)
        )
        #expect(comparison.changeText == text)
    }

    @Test("A count has the interval of one replication, like its value")
    func countsOfAReplication() throws {
        let response = try Response(parsing: "activities_ended_count{reason:system_limit}").resolve(in: .oneRide)
        func tile(_ interval: ClosedRange<Double>, of replications: Int) -> HeadlineTile {
            HeadlineTile(
                response,
                label: "cards left until Apple's limit",
                value: 40,
                interval: interval,
                in: .oneRide,
                replications: replications,
                comparison: nil
            )
        }
        #expect(tile(20...80, of: 10).value == "4" && tile(20...80, of: 10).interval == "2 – 8")
        #expect(tile(33.27...51.73, of: 1).interval == "33 – 52" && tile(-3...80, of: 10).interval == "0 – 8")
    }

    @Test
    func aPageIsToldAllOfIt() async throws {
        let tiles = HeadlineTile.tiles(of: try await Self.result())
        let read = try JSONMembers(Array("{\"tiles\":\(HeadlineTile.json(tiles))}".utf8))["tiles"]?.elements ?? []
        #expect(read.compactMap { $0.members?["label"]?.text } == tiles.map(\.label))
        #expect(read.compactMap { $0.members?["value"]?.text } == tiles.map(\.value))
    }

    @Test("Tiles of ride time add up as printed; the belief has its gap beside it; labels name the unit of counts")
    func remarks() async throws {
        let result = try await Self.result()
        let summary = Summary(result)
        let tiles = HeadlineTile.tiles(of: result, per: "per replication of the town")
        let hundredths = try tiles.prefix(3)
            .map { tile in
                try #require(Int(tile.value.replacing(".", with: "").replacing(" %", with: "")))
            }
        #expect(hundredths.reduce(0, +) == 10_000 && hundredths.allSatisfy { $0 > 0 })
        let headline = Headline { summary.row($0, $1, scope: $2) }
        let gap = try #require(headline.gap)
        #expect(
            tiles.map(\.remark) == [
                "", "", "", "", "\(gap) the fresh share of screen time during rides", "",
                "after rides: \(headline.leftoverShare)",
            ]
        )
        #expect(tiles.map(\.unmet).last == "not measured: the run ends before Apple's limit")
        #expect(tiles.last?.label == "cards left until Apple's limit, per replication of the town")
        #expect(HeadlineTile.tiles(of: result).last?.label == "cards left until Apple's limit, per run")
        #expect(HeadlineTile.json(tiles).contains("the run ends before Apple's limit; after rides: "))
        #expect(HeadlineTile.tables(tiles).map(\.columns.count) == [3, 4])
    }

    @Test
    func twoCoursesAreOneChart() async throws {
        let base = try await Self.result()
        let changed = try await Self.result { $0.apns.loss = Probability(0.5) }
        let chart = Chart.overlay(base: base, changed: changed)
        #expect(chart.text.contains("\"changed\"") && chart.text.contains("strokeDash"))
        #expect(Chart.overlay(base: base, changed: nil).text.ranges(of: "\"series\": \"changed\"").isEmpty)
        #expect(!chart.text.contains("goal"))
        let aimed = Chart.overlay(base: base, changed: changed, goal: 0.955).text
        #expect(aimed.contains("\"percent\": 95.500") && aimed.contains("the goal for the whole run, 95.5 %"))
    }

    @Test("A day of 96 windows is drawn window by window, so that a short fault keeps its depth")
    func windowsAreNotMerged() async throws {
        let result = try await Self.result {
            $0.clock.duration = .hours(24)
            $0.clock.window = .minutes(15)
            $0.clock.drain = .hours(10)
        }
        let chart = Chart.overlay(base: result, changed: nil)
        #expect(chart.text.contains("in steps of 15 min"))
    }
}
