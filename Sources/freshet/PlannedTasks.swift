import ArgumentParser
import Experiments
import Foundation
import Reporting

/// Some tasks of a plan, done here.
struct PlannedTasks {
    let directory: String
    let first: Int
    let workers: Int?
    let jobs: Int
    let quiet: Bool

    /// Does the tasks and keeps their results in the plan's directory.
    func run() async throws {
        let plan = PlanDirectory(path: directory)
        let count = try PlanDirectory.orExit { () throws(PlanDirectory.Failure) in try plan.taskCount() }
        guard first < count || workers != nil else {
            throw ValidationError("--task must be one of the plan's, got \(first); allowed: 0 … \(count - 1)")
        }
        let numbers = workers.map { Array(stride(from: first, to: count, by: $0)) } ?? [first]
        // Workers beyond the number of tasks have nothing to do.
        guard !numbers.isEmpty else { return }
        let (sweep, tasks) = try PlanDirectory.orExit { () throws(PlanDirectory.Failure) in try plan.tasks(numbers) }
        try await SweepRun(sweep: sweep, store: plan.store, directory: nil, jobs: jobs, quiet: quiet).runTasks(tasks)
    }
}

extension PlanDirectory {
    /// Does something with a plan, or says what is wrong and ends the command.
    static func orExit<Value>(_ work: () throws(Failure) -> Value) throws -> Value {
        do {
            return try work()
        } catch {
            printError("\(error)")
            switch error {
            case .missing: throw Reporting.Failure.inputMissing
            case .invalid: throw Reporting.Failure.badData
            case .notWritable: throw Reporting.Failure.cannotWrite
            }
        }
    }
}
