import Evaluation
import Foundation
import LiveActivityModel
import Studies

extension RunResult {
    /// The result of one simulation of a scenario on all processors.
    @Sendable
    static func simulated(_ world: World) async throws -> RunResult {
        let jobs = ProcessInfo.processInfo.activeProcessorCount
        return try await RunEngine(world: world, replications: 1, jobs: jobs).run(progress: RunProgress())
    }
}
