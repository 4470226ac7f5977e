import LiveActivityModel
import Testing

@testable import Evaluation
@testable import Studies

@Suite("The sums of many replications")
struct ReplicationSumsTests {
    /// Three different sums, repeated up to a count.
    private static func sums(_ count: Int) async throws -> (kept: ReplicationSums, plain: [Measurements]) {
        let three = Array(try await RunResult.running(.smallPoisson, replications: 3).perReplication)
        let plain = (0..<count).map { three[$0 % 3] }
        return (plain.reduce(into: ReplicationSums()) { $0.append($1) }, plain)
    }

    @Test("Packed sums are restored unchanged, and all aggregates agree")
    func packed() async throws {
        let (kept, plain) = try await Self.sums(ReplicationSums.readyCount + 4)
        #expect(kept.count == plain.count && Array(kept) == plain)
        #expect(kept.total == Measurements.sum(plain))
    }

    @Test(
        "The first sums equal those of a shorter run",
        arguments: [1, ReplicationSums.readyCount, ReplicationSums.readyCount + 2]
    )
    func first(count: Int) async throws {
        let (kept, _) = try await Self.sums(ReplicationSums.readyCount + 4)
        let (alone, _) = try await Self.sums(count)
        #expect(kept.first(count) == alone)
        #expect(kept.first(kept.count) == kept)
    }

    @Test("Intervals and single replications can be read from packed sums")
    func read() async throws {
        let world = try ScenarioLoader.world(.smallPoisson)
        var results = ReplicationResults()
        var each: [CellResult] = []
        for replication in 0..<3 {
            each += try await RunEngine.run(0..<8, of: world, replication: replication, progress: RunProgress())
        }
        for number in 0..<ReplicationSums.readyCount + 3 {
            let first = number % 3 * 8
            results.append(Array(each[first..<first + 8]))
        }
        let result = RunResult(scenario: world.scenario, results)
        let row = try #require(Summary(result).row("displayed_fresh_time_ratio", "ratio"))
        #expect(row.n == ReplicationSums.readyCount + 3 && row.interval != nil)
        let peak = try #require(Summary(result).row("streams_in_use_peak_count", "max")?.value?.double)
        let summaries = Summary.perReplication(result)
        #expect(summaries.map { $0.row("streams_in_use_peak_count", "max")?.value?.double ?? 0 }.max() == peak)
        let last = try #require(summaries.last)
        #expect(last.rows == summaries[(ReplicationSums.readyCount + 2) % 3].rows)
    }
}
