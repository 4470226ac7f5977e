import ArgumentParser
import Foundation
import Reporting
import Shell

/// Runs the product and the baselines in turn and prints one table.
struct BenchCompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Measures the product's speed in turn with other engines, which are built and run on this machine.",
        discussion: "Example: freshet bench compare --thresholds Benchmarks/thresholds.json --quick"
    )

    @Option(help: "The file of thresholds.")
    var thresholds: String

    @Option(help: "A Python that has SimPy; without it, its row is omitted.")
    var python: String?

    @Flag(help: "Takes seconds instead of minutes; the figures are not for publication.")
    var quick = false

    @Flag(help: "Exit with 98 if a goal is missed.")
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

    /// The description of the machine.
    private var machine: String {
        let processor = Machine.processor.isEmpty ? "unknown processor" : Machine.processor
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let day = Date().formatted(.iso8601.year().month().day())
        return "\(processor), \(cores) processors, \(Machine.operatingSystem), \(day); medians by processor time"
    }
}
