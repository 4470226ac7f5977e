import ArgumentParser
import Foundation
import Reporting

/// Runs ours and the baselines by turns and prints one table.
struct BenchCompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Measures the product's speed by turns with that of other engines, built and run here and now.",
        discussion: "Example: freshet bench compare --thresholds Benchmarks/thresholds.json --quick"
    )

    @Option(help: "The file of thresholds.")
    var thresholds: String

    @Option(help: "A Python that has SimPy; without one its row is left out.")
    var python: String?

    @Flag(help: "Some seconds instead of some minutes; figures not to be quoted.")
    var quick = false

    @Flag(help: "Exit 98 when a goal is missed.")
    var strict = false

    func run() throws {
        let effort = quick ? Effort.quick : .full
        var table = ComparisonTable(thresholds: try SpeedGoal.read(file: thresholds))
        func add(_ row: Row) {
            table.add(row)
            printError(row.workload)
        }
        print(machine)
        print()
        try HoldComparison(effort: effort).run(add: add)
        try KernelComparison(effort: effort, python: python).run(add: add)
        try ModelComparison(effort: effort).run(add: add)
        print(table.text)
        if !table.missed.isEmpty {
            print("\nMissed: \(table.missed.joined(separator: ", "))")
            if strict { throw Failure.regression }
        }
    }

    /// What the figures are measured on.
    private var machine: String {
        let processor = Machine.processor.isEmpty ? "unknown processor" : Machine.processor
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let day = Date().formatted(.iso8601.year().month().day())
        return "\(processor), \(cores) processors, \(Machine.operatingSystem), \(day); medians by processor time"
    }
}
