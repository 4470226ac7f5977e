import LiveActivityModel
import Testing

@testable import Evaluation
@testable import Studies

@Suite("The result of a run")
struct RunResultTests {
    @Test("With one replication the batches are the cells, in order")
    func cellsAsBatches() async throws {
        let result = try await RunResult.running(.smallPoisson)
        #expect(result.cells.map(\.cell) == Array(0..<8))
        #expect(Array(result.batches) == result.cells.map(\.measurements))
        #expect(Set(result.batches).count == 8)
    }

    @Test("With several replications each batch is the sum of a replication's cells")
    func replicationsAsBatches() async throws {
        let result = try await RunResult.running(.smallPoisson, replications: 3)
        #expect(Array(result.batches) == Array(result.perReplication))
        #expect(result.batches.count == 3)
        #expect(Set(result.batches).count == 3)
        let world = try ScenarioLoader.world(.smallPoisson)
        for (replication, batch) in result.batches.enumerated() {
            let cells = try await RunEngine.run(0..<8, of: world, replication: replication, progress: RunProgress())
                .map(\.measurements)
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
        let cells = replications == 1 ? result.cells.map(\.measurements) : Array(result.perReplication)
        #expect(cells.count == (replications == 1 ? 8 : 3))
        for counter in Counter.allCases {
            #expect(result.total[counter] == cells.reduce(0) { $0 + $1[counter] }, "\(counter)")
        }
        #expect(result.total.eventCount == cells.reduce(0) { $0 + $1.eventCount })
        #expect(result.total.time(.monitoredTime) == cells.reduce(0) { $0 + $1.time(.monitoredTime) })
        #expect(result.total.age.time == cells.reduce(0) { $0 + $1.age.time })
        #expect(result.total[.activitiesStarted] > 0)
    }

    @Test("With several replications neither cells nor seconds of load are kept; peaks belong to each replication")
    func settled() async throws {
        let result = try await RunResult.running(.smallPoisson, replications: 3)
        #expect(result.cells.isEmpty)
        #expect(result.fingerprints.count == 24)
        let world = try ScenarioLoader.world(.smallPoisson)
        for (replication, sum) in result.perReplication.enumerated() {
            let cells = try await RunEngine.run(0..<8, of: world, replication: replication, progress: RunProgress())
            let whole = Measurements.sum(cells.map(\.measurements))
            #expect(sum.senderCourse.requests.isEmpty && !whole.senderCourse.requests.isEmpty)
            for width in SenderCourse.peakWidths {
                #expect(
                    sum.senderCourse.mostRequests(inSeconds: width) == whole.senderCourse.mostRequests(inSeconds: width)
                )
            }
            #expect(sum.senderCourse.mostStreams == whole.senderCourse.mostStreams)
        }
        #expect(result.total.senderCourse.mostStreams == result.perReplication.map(\.senderCourse.mostStreams).max())
    }

    @Test("The first replications equal those of a shorter run")
    func prefix() async throws {
        let world = try ScenarioLoader.world(.smallPoisson)
        var results = ReplicationResults()
        for replication in 0..<3 {
            results.append(try await RunEngine.run(0..<8, of: world, replication: replication, progress: RunProgress()))
        }
        for count in 1...3 {
            let alone = try await RunResult.running(.smallPoisson, replications: count)
            let first = RunResult(scenario: world.scenario, results.prefix(count))
            #expect(first.fingerprints == alone.fingerprints && first.perReplication == alone.perReplication)
            #expect(first.cells.count == alone.cells.count && first.intervalBasis == alone.intervalBasis)
        }
    }

    @Test("The fingerprint combines those of the cells in order")
    func fingerprint() async throws {
        let result = try await RunResult.running(.smallPoisson)
        let same = RunResult(scenario: result.scenario, cells: result.cells)
        let reversed = RunResult(scenario: result.scenario, cells: result.cells.reversed())
        let shorter = RunResult(scenario: result.scenario, cells: result.cells.dropLast())
        #expect(same.fingerprint == result.fingerprint)
        #expect(reversed.fingerprint != result.fingerprint)
        #expect(shorter.fingerprint != result.fingerprint)
        #expect(reversed.total == result.total)
    }
}
