import LiveActivityModel
import Testing

@testable import Experiments

@Suite("Outcomes of checks")
struct CheckOutcomeTests {
    private func outcome(
        _ text: String,
        _ value: Double?,
        _ interval: ClosedRange<Double>? = nil
    ) throws -> CheckOutcome {
        let comparison = try Comparison(parsing: text)
        return CheckOutcome(
            check: Check(comparison),
            limit: try comparison.resolve(in: .smallPoisson).limit,
            unit: "1",
            isShare: true,
            value: value.map { .decimal($0) },
            interval: interval,
            n: interval == nil ? 1 : 5
        )
    }

    @Test("The verdict is by the value alone, as written; what is undefined does not hold")
    func verdicts() throws {
        #expect(try outcome("fresh_time_ratio >= 95%", 0.95).verdict == .holds)
        #expect(try outcome("fresh_time_ratio > 95%", 0.95).verdict == .fails)
        #expect(try outcome("fresh_time_ratio > 95%", 0.96, 0.9...0.97).verdict == .holds)
        for relation in Relation.allCases {
            #expect(try outcome("fresh_time_ratio \(relation.rawValue) 95%", nil).verdict == .undefined)
        }
    }

    @Test("An interval is doubtful where the verdict at one of its ends would be another")
    func doubts() throws {
        #expect(try outcome("fresh_time_ratio > 95%", 0.96, 0.94...0.97).doubtfulEnd == 0.94)
        #expect(try outcome("fresh_time_ratio > 95%", 0.94, 0.93...0.96).doubtfulEnd == 0.96)
        #expect(try outcome("fresh_time_ratio >= 95%", 0.96, 0.95...0.97).doubtfulEnd == nil)
        #expect(try outcome("fresh_time_ratio > 95%", 0.96, 0.95...0.97).doubtfulEnd == 0.95)
        #expect(try outcome("fresh_time_ratio == 95%", 0.95, 0.94...0.96).doubtfulEnd == 0.94)
        #expect(try outcome("fresh_time_ratio > 95%", 0.96).doubtfulEnd == nil)
        #expect(try outcome("fresh_time_ratio > 95%", nil, 0.94...0.97).doubtfulEnd == nil)
    }

    @Test("A run is judged by each check in its order, with the value and the interval of its summary")
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
        #expect(outcomes[2].verdict == .holds)
        #expect(throws: ResponseError.self) {
            _ = try CheckOutcome.outcomes(of: [Check(try Comparison(parsing: texts[3]))], in: result)
        }
    }
}
