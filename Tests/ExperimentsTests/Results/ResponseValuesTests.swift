import LiveActivityModel
import Testing

@testable import Evaluation
@testable import Results

@Suite("A response at the points of a grid")
struct ResponseValuesTests {
    /// Values of `pushes_per_activity`, with the counts of pushes that were given up and of all pushes.
    private func pushes(_ values: [Double], givenUp: [Double], ofAll all: Double = 1000) throws -> ResponseValues {
        func resolved(_ name: String, _ values: [Double]) throws -> (ResolvedResponse, RunValues) {
            (try Response(parsing: name).resolve(in: .smallPoisson), RunValues(values, isAntithetic: false))
        }
        let counts = (
            count: try resolved("ended_severe_count", givenUp),
            whole: try resolved("activities_started_count", values.map { _ in all })
        )
        return ResponseValues(try resolved("pushes_per_activity", values), populations: [counts])
    }

    @Test("A better mean is distinguished from a mean over the remaining cases, in either order")
    func others() throws {
        let before = try pushes([30, 31, 32, 31], givenUp: [50, 52, 54, 52])
        let fewer = try pushes([20, 21, 22, 22], givenUp: [250, 252, 255, 254])
        #expect(before.population == "ended_severe_count")
        #expect(before.differ(from: fewer))
        #expect(before.areOfOthers(than: fewer, amongPairs: 1) && fewer.areOfOthers(than: before, amongPairs: 1))
        // Fewer pushes with fewer given up are better, and more of both are worse.
        let better = try pushes([20, 21, 22, 22], givenUp: [20, 22, 25, 24])
        #expect(!before.areOfOthers(than: better, amongPairs: 1) && !better.areOfOthers(than: before, amongPairs: 1))
        // Two hundred of a hundred thousand cannot account for a third of all pushes.
        let few = try pushes([20, 21, 22, 22], givenUp: [250, 252, 255, 254], ofAll: 100_000)
        let many = try pushes([30, 31, 32, 31], givenUp: [50, 52, 54, 52], ofAll: 100_000)
        #expect(!few.areOfOthers(than: many, amongPairs: 1))
    }

    /// The differences are 10, 30, 20, 20: the mean is 4.9 standard errors; t(0.975; 3) = 3.18, t(0.9975; 3) = 7.45
    /// (tables).
    @Test("With many pairs, the count must differ by more than chance produces in any of them")
    func manyPairs() throws {
        let before = try pushes([30, 31, 32, 31], givenUp: [50, 50, 50, 50], ofAll: 100)
        let after = try pushes([20, 21, 22, 22], givenUp: [60, 80, 70, 70], ofAll: 100)
        #expect(before.areOfOthers(than: after, amongPairs: 1))
        #expect(!before.areOfOthers(than: after, amongPairs: 10))
    }

    @Test("A response that is no conditional mean has no such count")
    func noPopulation() async throws {
        let result = try await RunResult.running(.smallPoisson, replications: 2)
        let coverage = try Response(metric: "ride_fresh_coverage_ratio").resolve(in: .smallPoisson)
        let values = ResponseValues(of: coverage, in: result)
        #expect(values.population == nil && !values.areOfOthers(than: values, amongPairs: 1))
        let wrong = try Response(metric: "wrong_stage_time_ratio").resolve(in: .smallPoisson)
        #expect(ResponseValues(of: wrong, in: result).population == "the time on screens during rides")
    }
}
