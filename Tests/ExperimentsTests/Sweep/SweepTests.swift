import Foundation
import LiveActivityModel
import Testing

@testable import Experiments

@Suite("Sweep")
struct SweepTests {
    @Test("A trace is read once: all design points are of the rides as they were then")
    func traceReadOnce() throws {
        let examples = URL(filePath: ShippedScenario.directory)
        let scratch = try TestDirectory()
        let rides = try String(contentsOf: examples.appending(path: "traces/lyft-sample.csv"), encoding: .utf8)
        _ = try scratch.write(rides, to: "rides.csv")
        let file = try scratch.write(
            """
            extends: \(examples.path)/trace-replay.yaml
            factors:
              vary: {monitor.fresh_limit: [1m, 2m]}
            """,
            to: "sweep.yaml"
        )
        let sweep = try Sweep(file: file, settings: ["rides.trace.file=rides.csv"])
        let read = try sweep.points.map { try sweep.world(of: $0).scenario.rides.trace }

        _ = try scratch.write("no rides", to: "rides.csv")
        #expect(try sweep.points.map { try sweep.world(of: $0).scenario.rides.trace } == read)
        #expect(read[0]?.rides.isEmpty == false && read[0] == read[1])
        #expect(throws: ScenarioError.self) { try Sweep(file: file, settings: ["rides.trace.file=rides.csv"]) }
    }
}
