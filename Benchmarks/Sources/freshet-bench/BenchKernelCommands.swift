import ArgumentParser
import Benchmarking

/// M/M/1 through the kernel.
struct BenchQueueCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mm1",
        abstract: "Measures M/M/1 through the kernel: one server, customers in line.",
        discussion: """
            Example: freshet bench mm1 --customers 2000000

            The load is 0.9: in the long run a customer is in the system for 9 s. Each customer is two events.
            """
    )

    @Option(help: "Customers in each run.")
    var customers = 2_000_000

    @OptionGroup var options: BenchOptions

    func validate() throws {
        try BenchOptions.check(customers, named: "--customers", in: 1...10_000_000_000)
    }

    func run() {
        var benchmark = QueueBenchmark()
        benchmark.customers = customers
        benchmark.runs = options.runs
        options.show(benchmark.measure())
    }
}

/// PHOLD on one thread.
struct BenchProcessHoldCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "phold",
        abstract: "Measures PHOLD: logical processes that send each other messages.",
        discussion: """
            Example: freshet bench phold --processes 1000000

            What parallel simulators are compared by (Fujimoto, 1990), run by one thread: each message goes to any process \
            with the same probability and takes an exponential time.
            """
    )

    @Option(help: "How many logical processes there are, and messages under way.")
    var processes = 1_000_000

    @Option(help: "Messages delivered in each run.")
    var operations = 2_000_000

    @OptionGroup var options: BenchOptions

    func validate() throws {
        try BenchOptions.check(processes, named: "--processes", in: 1...HoldModel.largestPending)
        try BenchOptions.check(operations, named: "--operations", in: 1...10_000_000_000)
    }

    func run() {
        var benchmark = ProcessHoldBenchmark()
        benchmark.processes = processes
        benchmark.events = operations
        benchmark.runs = options.runs
        options.show(benchmark.measure())
    }
}
