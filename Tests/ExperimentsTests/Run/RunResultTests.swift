import LiveActivityModel
import Testing

@testable import Experiments

@Suite("The result of a run")
struct RunResultTests {
    @Test("With one replication the batches are the cells, in order")
    func cellsAsBatches() async throws {
        let result = try await RunResult.running(.smallPoisson)
        #expect(result.cells.map(\.cell) == Array(0..<8))
        #expect(result.batches == result.cells.map(\.measurements))
        #expect(Set(result.batches).count == 8)
    }

    @Test("With several replications the batches are the replications, each the sum of its own cells")
    func replicationsAsBatches() async throws {
        let result = try await RunResult.running(.smallPoisson, replications: 3)
        #expect(result.cells.map(\.replication) == (0..<3).flatMap { [Int](repeating: $0, count: 8) })
        #expect(result.batches == result.perReplication)
        #expect(result.batches.count == 3)
        #expect(Set(result.batches).count == 3)
        for (replication, batch) in result.batches.enumerated() {
            let cells = result.cells[(8 * replication)..<(8 * replication + 8)].map(\.measurements)
            for counter in Counter.allCases {
                #expect(batch[counter] == cells.reduce(0) { $0 + $1[counter] }, "\(counter)")
            }
            #expect(batch.eventCount == cells.reduce(0) { $0 + $1.eventCount })
            #expect(batch.time(.displayedTime) == cells.reduce(0) { $0 + $1.time(.displayedTime) })
        }
    }

    @Test("The total is the sum of all cells of all replications", arguments: [1, 3])
    func total(replications: Int) async throws {
        let result = try await RunResult.running(.smallPoisson, replications: replications)
        let cells = result.cells.map(\.measurements)
        #expect(cells.count == 8 * replications)
        for counter in Counter.allCases {
            #expect(result.total[counter] == cells.reduce(0) { $0 + $1[counter] }, "\(counter)")
        }
        #expect(result.total.eventCount == cells.reduce(0) { $0 + $1.eventCount })
        #expect(result.total.time(.monitoredTime) == cells.reduce(0) { $0 + $1.time(.monitoredTime) })
        #expect(result.total.age.time == cells.reduce(0) { $0 + $1.age.time })
        #expect(result.total[.activitiesStarted] > 0)
    }

    @Test("The fingerprint is that of the cells' histories in their order")
    func fingerprint() async throws {
        let result = try await RunResult.running(.smallPoisson)
        let same = RunResult(scenario: result.scenario, replications: 1, cells: result.cells)
        let reversed = RunResult(scenario: result.scenario, replications: 1, cells: result.cells.reversed())
        let shorter = RunResult(scenario: result.scenario, replications: 1, cells: result.cells.dropLast())
        #expect(same.fingerprint == result.fingerprint)
        #expect(reversed.fingerprint != result.fingerprint)
        #expect(shorter.fingerprint != result.fingerprint)
        #expect(reversed.total == result.total)
    }
}
