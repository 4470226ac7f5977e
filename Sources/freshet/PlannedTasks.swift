import ArgumentParser
import Experiments
import Foundation

/// Some tasks of a plan, done here.
struct PlannedTasks {
    let directory: String
    let first: Int
    let workers: Int?
    let jobs: Int
    let quiet: Bool

    /// Does the tasks and keeps their results in the plan's directory.
    func run() async throws {
        let (sweep, store) = try PlanDirectory.openOrExit(directory)
        guard sweep.tasks.indices.contains(first) || workers != nil else {
            throw ValidationError(
                "--task must be one of the plan's, got \(first); allowed: 0 … \(sweep.tasks.count - 1)"
            )
        }
        let numbers = workers.map { Array(stride(from: first, to: sweep.tasks.count, by: $0)) } ?? [first]
        try await SweepRun(sweep: sweep, store: store, directory: nil, jobs: jobs, quiet: quiet)
            .runTasks(numbers.map { sweep.tasks[$0] })
    }
}

extension PlanDirectory {
    /// Opens a plan, or says what is wrong and ends the command.
    static func openOrExit(_ path: String) throws -> (sweep: Sweep, store: TaskStore) {
        let directory = PlanDirectory(path: path)
        do throws(PlanDirectory.Failure) {
            return (try directory.sweepOfPlan(), directory.store)
        } catch {
            printError("\(error)")
            throw directory.exists ? freshet.Failure.badData : freshet.Failure.inputMissing
        }
    }
}
