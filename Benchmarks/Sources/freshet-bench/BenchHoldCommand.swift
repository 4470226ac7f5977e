import ArgumentParser
import Benchmarking

/// The event list alone.
struct BenchHoldCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hold",
        abstract: "Measures the event list: take the first event, schedule another.",
        discussion: """
            Example: freshet bench hold --pending 1000000 --delays mixed --touch 64

            The hold model (Jones, 1986), through the kernel's public interface. trajectory_hash is a hash of the instants \
            and subjects of all events, warm-up included: the same for any exact event list and on any machine. \
            bytes_per_pending is what malloc has given for all that is pending, without the touched state.
            """
    )

    @Option(help: "How many events are pending at any time.")
    var pending = 1_000_000

    @Option(help: "Operations in each run.")
    var operations = 2_000_000

    @Option(
        help: """
            How far ahead events lie: exponential (mean 20 s); mixed (40 % exponential 0.5 s, 40 % 20 s, 15 % 60 s, \
            5 % exactly 15 min); constant; one-instant (all at the same, for ever); in-step (all at the same, again and \
            again); falling (each in front of the one before); far (one in 1,000 by 20,000 s).
            """
    )
    var delays = DelayProfile.exponential

    @Option(help: "Bytes of its subject's state that each event reads and writes.")
    var touch = 0

    @OptionGroup var options: BenchOptions

    func validate() throws {
        try BenchOptions.check(pending, named: "--pending", in: 1...HoldModel.largestPending)
        try BenchOptions.check(operations, named: "--operations", in: 1...10_000_000_000)
        try BenchOptions.check(touch, named: "--touch", in: 0...4096)
        guard touch.isMultiple(of: 8) else {
            throw ValidationError("--touch must be a multiple of 8, got \(touch)")
        }
        let largest = 1 << 35
        guard pending * touch <= largest else {
            throw ValidationError(
                "--pending times --touch must be at most \(largest) bytes of state, got \(pending * touch)"
            )
        }
    }

    func run() {
        var benchmark = HoldBenchmark()
        benchmark.pending = pending
        benchmark.operations = operations
        benchmark.profile = delays
        benchmark.touchedBytes = touch
        benchmark.runs = options.runs
        options.show(benchmark.measure())
    }
}
