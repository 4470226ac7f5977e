import ArgumentParser
import Benchmarking
import Shell
import TextFormats

struct BenchQueueCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mm1",
        abstract: "Measures M/M/1 through the kernel: one server, customers in line.",
        discussion: """
            Example: freshet bench mm1 --customers 2000000

            The load is 0.9: in the long run a customer is in the system for 9 s. Each customer is two events.
            """
    )

    @Option(help: "The number of customers per run.")
    var customers = 2_000_000

    @OptionGroup var options: BenchOptions

    func validate() throws {
        try limit("--customers", customers, to: 1...10_000_000_000)
    }

    /// Runs once to warm up, then measures.
    func run() {
        var queue = SingleServerQueue()
        queue.run(units: customers)
        let times = RunSeries.nanoseconds(of: &queue, units: customers, runs: options.runs)
        var measurement = Measurement(fields: [
            ("workload", "mm1"), ("customers", .integer(Int64(customers))), ("load", .decimal(0.9, places: 1)),
            ("runs", .integer(Int64(options.runs))),
        ])
        measurement.add("ns_per_customer", times, places: 2)
        let mean = Double(queue.timeInSystem) / Double(queue.servedCount) / 1e6
        measurement.add("mean_time_in_system_seconds", .decimal(mean, places: 3))
        measurement.add("trajectory_hash", hash: queue.trajectoryHash)
        options.show(measurement)
    }
}

struct BenchProcessHoldCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "phold",
        abstract: "Measures PHOLD: logical processes that send each other messages.",
        discussion: """
            Example: freshet bench phold --processes 1000000

            The standard benchmark of parallel simulators (Fujimoto, 1990), on a single thread: each message goes to any \
            process with the same probability and takes an exponential time.
            """
    )

    @Option(help: "The number of logical processes, and of messages in flight.")
    var processes = 1_000_000

    @Option(help: "The number of messages delivered per run.")
    var operations = 2_000_000

    @OptionGroup var options: BenchOptions

    func validate() throws {
        try limit("--processes", processes, to: 1...HoldModel.largestPending)
        try limit("--operations", operations, to: 1...10_000_000_000)
    }

    /// Warms up with as many messages as a run has, at least one per process, then measures.
    func run() {
        var model = ProcessHoldModel(processes: processes)
        model.run(units: max(operations, processes))
        let times = RunSeries.nanoseconds(of: &model, units: operations, runs: options.runs)
        var measurement = Measurement(fields: [
            ("workload", "phold"), ("processes", .integer(Int64(processes))), ("events", .integer(Int64(operations))),
            ("runs", .integer(Int64(options.runs))),
        ])
        measurement.add("ns_per_event", times, places: 2)
        measurement.add("trajectory_hash", hash: model.trajectoryHash)
        options.show(measurement)
    }
}
