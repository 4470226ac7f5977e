public import ArgumentParser
public import Benchmarking
import Shell
import TextFormats

extension DelayProfile: ExpressibleByArgument {}

struct BenchHoldCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hold",
        abstract: "Measures the event list: take the first event, schedule another.",
        discussion: """
            Example: freshet bench hold --pending 1000000 --delays mixed --touch 64

            The hold model (Jones, 1986), through the kernel's public interface. trajectory_hash is a hash of the instants \
            and subjects of all events, warm-up included: the same for any exact event list and on any machine. \
            bytes_per_pending is the memory of the pending events from malloc, without the touched state.
            """
    )

    @Option(help: "The number of events that are pending at any time.")
    var pending = 1_000_000

    @Option(help: "The number of operations per run.")
    var operations = 2_000_000

    @Option(
        help: """
            The delays of events: exponential (mean 20 s); mixed (40% exponential with a mean of 0.5 s, 40% of 20 s, 15% of \
            60 s, 5% exactly 15 min); constant; one-instant (all at one instant, permanently); in-step (all at the same \
            instant each time); falling (each before the previous one); far (one in 1,000 later by 20,000 s).
            """
    )
    var delays = DelayProfile.exponential

    @Option(help: "The bytes of its subject's state that each event reads and writes.")
    var touch = 0

    @OptionGroup var options: BenchOptions

    func validate() throws {
        try limit("--pending", pending, to: 1...HoldModel.largestPending)
        try limit("--operations", operations, to: 1...10_000_000_000)
        try limit("--touch", touch, to: 0...4096)
        try demand(touch.isMultiple(of: 8), "--touch must be a multiple of 8, got \(touch)")
        let largest = 1 << 35
        try demand(
            pending * touch <= largest,
            "--pending times --touch must be at most \(largest) bytes of state, got \(pending * touch)"
        )
    }

    /// Fills the loop, warms it up with as many operations as a run has, at least one per pending event, and runs.
    ///
    /// Each run continues where the last one stopped, so the hash is that of the whole trajectory.
    func run() {
        let before = heapBytesInUse()
        var hold = HoldModel(pending: pending, profile: delays, touchedBytes: touch)
        hold.run(units: max(operations, pending))
        let times = RunSeries.nanoseconds(of: &hold, units: operations, runs: options.runs)
        let bytes = heapBytesInUse() - before - hold.stateBytes
        var measurement = Measurement(fields: [
            ("workload", "hold"), ("delays", .string(delays.rawValue)), ("pending", .integer(Int64(pending))),
            ("operations", .integer(Int64(operations))), ("touch_bytes", .integer(Int64(touch))),
            ("runs", .integer(Int64(options.runs))),
        ])
        measurement.add("ns_per_operation", times, places: 2)
        measurement.add("bytes_per_pending", .decimal(Double(bytes) / Double(pending), places: 2))
        measurement.add("trajectory_hash", hash: hold.trajectoryHash)
        options.show(measurement)
    }
}
