import Evaluation
import LiveActivityModel
import Quantities
import Testing

@testable import Reporting

struct CSVTextTests {
    @Test(
        arguments: [
            (nil, ""), (.integer(.max), "9223372036854775807"), (.decimal(-0.0), "0.000000"), (.decimal(.nan), ""),
            (.decimal(.infinity), ""), (.decimal(0.5), "0.500000"),
        ] as [(SummaryRow.Value?, String)]
    )
    func values(value: SummaryRow.Value?, text: String) {
        #expect(CSVText.field(value) == text)
    }
}

struct CSVResultsTests {
    /// Returns the rows of a file as fields; these results have no quoted field.
    private func rows(_ text: String) -> [[String]] {
        text.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    }

    @Test
    func summary() async throws {
        let result = try await RunResult.running(.oneRide)
        let text = CSVText.summary(Summary(result).rows)
        #expect(text.hasPrefix("scope,metric,stat,unit,value,ci_low,ci_high,n\n"))
        #expect(text.contains("\nall,rides_requested_count,total,count,1,,,1\n"))
        #expect(text.contains("\nall,displayed_fresh_time_ratio,ratio,1,0.649459,,,1\n"))
        #expect(rows(text).map(\.count) == Array(repeating: 8, count: Summary(result).rows.count + 1))
    }

    @Test
    func whatIsUndefinedIsEmpty() async throws {
        var scenario = Scenario.oneRide
        scenario.rides.arrivals.count = 0
        let text = CSVText.summary(Summary(try await RunResult.running(scenario, replications: 2)).rows)
        #expect(text.contains("\nall,age_of_information_us,mean,us,,,,1\n"))
        #expect(text.contains("\nall,fresh_time_ratio,ratio,1,,,,1\nall,fresh_time_ratio,numerator,us,0,,,1\n"))
    }

    @Test
    func replicationsAddUpToTheSummary() async throws {
        let result = try await RunResult.running(.offlinePhones, replications: 3)
        let pushes = rows(CSVText.replications(result)).filter { $0[1...3] == ["all", "pushes_sent_count", "total"] }
        #expect(pushes.map { $0[0] } == ["0", "1", "2"])
        let total = pushes.compactMap { Int64($0[5]) }.reduce(0, +)
        #expect(Summary(result).row("pushes_sent_count", "total")?.value == .integer(total))
    }

    @Test
    func timeSeries() async throws {
        let result = try await RunResult.running(.oneRide, replications: 2)
        let table = rows(CSVText.series(result.series))
        #expect(
            table.map { $0.prefix(3) }.dropFirst() == [
                ["0", "300000000", "all"], ["300000000", "300000000", "all"], ["600000000", "300000000", "all"],
            ]
        )
        let started = try #require(table[0].firstIndex(of: "activities_started_count"))
        #expect(table.map { $0[started] } == ["activities_started_count", "2", "0", "0"])
        #expect(Set(table[0]).count == SeriesColumn.written.count + 7)
        let last = ["requests_count", "streams_in_use_peak_count", "queue_length_peak_count", "send_wait_p99_us"]
        #expect(table[0].suffix(4) == last[...])
        for row in table.dropFirst() {
            func sum(_ columns: [SeriesColumn]) throws -> Int64 {
                try columns.reduce(0) { sum, column in
                    sum + (Int64(row[try #require(table[0].firstIndex(of: column.name))]) ?? 0)
                }
            }
            #expect(try Int64(row[row.count - 4]) == sum(SeriesColumn.requests))
        }
        // Peaks and quantiles are no sums: two equal replications have those of one.
        let one = rows(CSVText.series(try await RunResult.running(.oneRide).series))
        #expect(table.dropFirst().map { $0.suffix(3) } == one.dropFirst().map { $0.suffix(3) })
    }

    @Test
    func warmUpIsLeftOutOfTheTimeSeries() async throws {
        var scenario = Scenario.oneRide
        scenario.clock.warmUp = .minutes(6)
        scenario.clock.drain = .minutes(4)
        let table = rows(CSVText.series(try await RunResult.running(scenario).series))
        #expect(
            table.map { $0.prefix(2) }.dropFirst() == [
                ["360000000", "240000000"], ["600000000", "240000000"],
            ]
        )
    }

    @Test(
        "Each window has a row per city, sorted by name; the rows add up to the window and to the metrics by city",
        arguments: [1, 0.3, 0]
    )
    func timeSeriesByCity(withActivities share: Double) async throws {
        var scenario = Scenario.threeCities
        scenario.devices.activitiesEnabled = Probability(share)
        let result = try await RunResult.running(scenario, replications: 2)
        let table = rows(try #require(CSVText.timeSeriesByCity(result)))
        let whole = rows(CSVText.series(result.series))
        let expected: [[String]] = whole.dropFirst()
            .flatMap { row in ["city:a", "city:b", "city:c"].map { [row[0], row[1], $0] } }
        #expect(table.dropFirst().map { Array($0.prefix(3)) } == expected)
        func column(_ name: String, _ table: [[String]]) throws -> [Int64] {
            let index = try #require(table[0].firstIndex(of: name))
            return table.dropFirst().compactMap { Int64($0[index]) }
        }
        let shared = table[0].dropFirst(3).filter(whole[0].contains)
        #expect(shared.count == SegmentColumn.allCases.count { $0.whole != nil })
        for name in shared {
            let parts = try column(name, table)
            let sums: [Int64] = stride(from: 0, to: parts.count, by: 3).map { parts[$0..<($0 + 3)].reduce(0, +) }
            let windows = try column(name, whole)
            #expect(sums == windows, "\(name)")
        }
        let summary = Summary(result)
        for (place, city) in ["a", "b", "c"].enumerated() {
            func total(_ name: String) throws -> SummaryRow.Value? {
                let parts = try column(name, table)
                return .integer(stride(from: place, to: parts.count, by: 3).reduce(0) { $0 + parts[$1] })
            }
            func metric(_ name: String, _ stat: String) -> SummaryRow.Value? {
                summary.row(name, stat, scope: "city:\(city)")?.value
            }
            #expect(try total("rides_requested_count") == metric("rides_requested_count", "total"))
            #expect(try total("ride_time_us") == metric("ride_fresh_coverage_ratio", "denominator"))
            #expect(try total("ride_displayed_fresh_time_us") == metric("ride_fresh_coverage_ratio", "numerator"))
            #expect(try total("ride_displayed_time_us") == metric("wrong_stage_time_ratio", "denominator"))
            #expect(try total("ride_wrong_stage_time_us") == metric("wrong_stage_time_ratio", "numerator"))
            #expect(try total("fresh_time_us") == metric("fresh_time_ratio", "numerator"))
        }
    }

    @Test
    func histogramsHoldEverything() async throws {
        let result = try await RunResult.running(.offlinePhones)
        let table = rows(CSVText.histograms(result.histograms)).dropFirst()
        func weight(_ metric: String) -> Int64 {
            table.filter { $0[0] == metric }.compactMap { Int64($0[4]) }.reduce(0, +)
        }
        #expect(weight("activity_lifetime_us") == result.total[.lifetime].count)
        #expect(weight("age_of_information_us") == result.total.age.time)
        #expect(weight("peak_age_us") == result.total[.peakAge].count)
        #expect(weight("recovery_time_us") == result.total[.recoveryTime].count)
        #expect(weight("send_wait_us") == result.total[.sendWait].count)
        #expect(table.allSatisfy { (Int64($0[2]) ?? .max) < (Int64($0[3]) ?? .min) })
        #expect(table.map { $0[0] } == table.map { $0[0] }.sorted())
    }
}
