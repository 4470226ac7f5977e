import LiveActivityModel
import Quantities
import Statistics
import Testing

@testable import Evaluation

@Suite("Outcomes of checks")
struct CheckOutcomeTests {
    private func outcome(
        _ text: String,
        _ value: Double?,
        _ interval: ClosedRange<Double>? = nil
    ) throws -> CheckOutcome {
        let comparison = try Comparison(parsing: text)
        let row = SummaryRow(comparison.response.metric, nil)
        return CheckOutcome(
            Check(comparison),
            limit: try comparison.resolve(in: .smallPoisson).limit,
            of: row.with(value.map { .decimal($0) }, interval: interval, n: interval == nil ? 1 : 5),
            in: "1",
            isShare: true
        )
    }

    @Test("The verdict depends on the value alone; an undefined value fails")
    func verdicts() throws {
        #expect(try outcome("fresh_time_ratio >= 95%", 0.95).verdict == .holds)
        #expect(try outcome("fresh_time_ratio > 95%", 0.95).verdict == .fails)
        #expect(try outcome("fresh_time_ratio > 95%", 0.96, 0.9...0.97).verdict == .holds)
        for relation in Relation.allCases {
            #expect(try outcome("fresh_time_ratio \(relation.rawValue) 95%", nil).verdict == .undefined)
        }
    }

    @Test("An outcome is uncertain if the verdict differs at an end of the interval")
    func doubts() throws {
        #expect(try outcome("fresh_time_ratio > 95%", 0.96, 0.94...0.97).doubtfulEnd == 0.94)
        #expect(try outcome("fresh_time_ratio > 95%", 0.94, 0.93...0.96).doubtfulEnd == 0.96)
        #expect(try outcome("fresh_time_ratio >= 95%", 0.96, 0.95...0.97).doubtfulEnd == nil)
        #expect(try outcome("fresh_time_ratio > 95%", 0.96, 0.95...0.97).doubtfulEnd == 0.95)
        #expect(try outcome("fresh_time_ratio == 95%", 0.95, 0.94...0.96).doubtfulEnd == 0.94)
        #expect(try outcome("fresh_time_ratio > 95%", 0.96).doubtfulEnd == nil)
        #expect(try outcome("fresh_time_ratio > 95%", nil, 0.94...0.97).doubtfulEnd == nil)
    }

    @Test("With a confidence level the whole interval must meet the limit; without an interval the check fails")
    func confidence() throws {
        func outcome(_ value: Double?, _ interval: ClosedRange<Double>?) throws -> CheckOutcome {
            try self.outcome("fresh_time_ratio >= 95% with 95%", value, interval)
        }
        #expect(try outcome(0.97, 0.95...0.99).verdict == .holds)
        #expect(try outcome(0.97, 0.949...0.99).verdict == .notSure)
        #expect(try outcome(0.94, 0.93...0.96).verdict == .fails)
        #expect(try outcome(nil, nil).verdict == .undefined)
        #expect(try outcome(0.99, nil).verdict == .notSure)
        #expect(try self.outcome("fresh_time_ratio < 95% with 95%", 0.94, 0.92...0.96).verdict == .notSure)
    }

    @Test("The number of replications that could decide follows from the interval's distance to the limit")
    func neededReplications() throws {
        func needed(_ value: Double, _ interval: ClosedRange<Double>?, replications: Int = 5) throws -> Int? {
            var outcome = try outcome("fresh_time_ratio >= 50% with 95%", value, interval)
            outcome.replications = replications
            return outcome.neededReplications
        }
        // The interval reaches twice as far as the limit is away. Four times the replications halve it, and twice as
        // many leave a margin for uncertainty that the run cannot measure.
        #expect(try needed(0.625, 0.375...0.875) == 40)
        #expect(try needed(0.625, 0.49...0.76, replications: 2) == 5)
        #expect(try needed(0.5, 0.4...0.6) == nil)
        #expect(try needed(0.625, nil) == nil)
        #expect(try needed(0.625, 0.5...0.75) == nil)
    }

    @Test("The interval has the requested level; for quantiles it is computed over replications")
    func level() async throws {
        let result = try await RunResult.running(.smallPoisson, replications: 3)
        func interval(_ text: String) throws -> ClosedRange<Double> {
            let checks = [Check(try Comparison(parsing: text))]
            return try #require(try CheckOutcome.outcomes(of: checks, in: result)[0].interval)
        }
        let usual = try interval("pushes_sent_count < 1000000")
        #expect(try interval("pushes_sent_count < 1000000 with 95%") == usual)
        let wide = try interval("pushes_sent_count < 1000000 with 99%")
        let narrow = try interval("pushes_sent_count < 1000000 with 80%")
        #expect(wide.lowerBound < usual.lowerBound && usual.lowerBound < narrow.lowerBound)
        #expect(wide.upperBound > usual.upperBound && usual.upperBound > narrow.upperBound)
        let values = try Response(parsing: "age_of_information_us.p95").resolve(in: result.scenario)
        let samples = (0..<3).compactMap { values.row(in: result, replication: $0)?.value?.double }
        let spread = try #require(StudentInterval(samples, level: 0.99))
        let quantile = try interval("age_of_information_us.p95 < 1h with 99%")
        #expect(abs((quantile.upperBound - quantile.lowerBound) / 2 / spread.halfWidth - 1) < 1e-6)
        #expect(abs((quantile.upperBound + quantile.lowerBound) / 2 / spread.mean - 1) < 1e-6)
    }

    @Test("For an event that never occurred, 99 % needs more than 95 %: the exact bounds of a count of 0")
    func levelOfNone() async throws {
        let result = try await RunResult.running(.smallPoisson, replications: 3)
        func verdict(_ text: String) throws -> CheckOutcome.Verdict {
            try CheckOutcome.outcomes(of: [Check(try Comparison(parsing: text))], in: result)[0].verdict
        }
        // Garwood's upper ends: 3.689 at 95 %, 5.298 at 99 %.
        #expect(try verdict("rides_rematched_count <= 3.7 with 95%") == .holds)
        #expect(try verdict("rides_rematched_count <= 3.6 with 95%") == .notSure)
        // Counts add up over replications, so more replications change nothing.
        let check = Check(try Comparison(parsing: "rides_rematched_count <= 3.6 with 95%"))
        #expect(try CheckOutcome.outcomes(of: [check], in: result)[0].neededReplications == nil)
        #expect(try verdict("rides_rematched_count <= 5.2 with 99%") == .notSure)
        #expect(try verdict("rides_rematched_count <= 5.3 with 99%") == .holds)
    }

    @Test("@worst is the mean over replications of the worst value in each; a maximum has no confidence interval")
    func worst() async throws {
        let result = try await RunResult.running(.smallPoisson, replications: 3)
        let response = try Response(parsing: "displayed_fresh_time_ratio@worst:15m").resolve(in: result.scenario)
        let each = (0..<3).compactMap { response.row(in: result, replication: $0)?.value?.double }
        let row = try #require(response.row(in: result))
        #expect(each.count == 3 && row.value?.double == each.reduce(0, +) / 3)
        let peak = try Response(parsing: "live_activities_peak_count.max").resolve(in: result.scenario)
        #expect(peak.row(in: result, level: 0.95)?.interval == nil)
    }

    @Test("Coverages have a worst window, of its ride time; a share of time has it while rides arrive")
    func worstCoverage() async throws {
        var scenario = Scenario.smallPoisson
        scenario.clock.warmUp = .zero
        scenario.clock.window = .minutes(5)
        scenario.clock.drain = .hours(1)
        let result = try await RunResult.running(scenario)
        let series = result.total.series
        let last = Int(scenario.clock.duration.microseconds / scenario.clock.window.microseconds)
        func shares(_ windows: Range<Int>) -> [Double] {
            windows.filter { series[$0, .rideTime] > 0 }
                .map { Double(series[$0, .rideDisplayedFreshTime]) / Double(series[$0, .rideTime]) }
        }
        let response = try Response(parsing: "ride_fresh_coverage_ratio@worst:5m").resolve(in: scenario)
        #expect(response.value(in: result) == shares(0..<last).min())
        #expect(series.windowCount > last && !shares(last..<series.windowCount).isEmpty)
        let part = try Response(parsing: "ride_fresh_coverage_ratio@5m..10m").resolve(in: scenario)
        #expect(part.stretch == nil && part.value(in: result) == shares(1..<2).first)
    }

    @Test("All checks of a run are evaluated in order, with the value and the interval of its summary")
    func ofRun() async throws {
        let result = try await RunResult.running(.smallPoisson)
        let texts = [
            "displayed_fresh_time_ratio < 90%", "age_of_information_us.p95 > 10m", "photos_count{size:full} == 0",
            "send_wait_us{rank:99}.p95 < 1s",
        ]
        let checks = try texts.prefix(3).map { Check(try Comparison(parsing: $0)) }
        let outcomes = try CheckOutcome.outcomes(of: checks, in: result)
        let row = Summary(result).row("displayed_fresh_time_ratio", "ratio")
        #expect(outcomes.map(\.check) == checks)
        #expect(outcomes[0].value == row?.value && outcomes[0].interval == row?.interval && outcomes[0].n == 8)
        #expect(outcomes[1].limit == 600e6 && outcomes[1].unit == "us" && !outcomes[1].isShare)
        // The scenario sends no photos.
        #expect(outcomes[2].verdict == .notMeasured && outcomes[2].value == nil)
        #expect(throws: ResponseError.self) {
            _ = try CheckOutcome.outcomes(of: [Check(try Comparison(parsing: texts[3]))], in: result)
        }
    }
}
