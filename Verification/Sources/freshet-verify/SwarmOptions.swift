import ArgumentParser
import Experiments
import Foundation
import LiveActivityModel
import Quantities
import Reporting
import Verification

/// The options of `freshet verify` for random worlds.
struct SwarmOptions: ParsableArguments {
    @Option(
        name: .customLong("swarm"),
        help: "The number of random scenarios to run after the cases, 1 to 1000000000.",
        transform: wholeNumber
    )
    var count: UInt64?

    @Option(
        name: .customLong("swarm-for"),
        help: .init(
            "Run random scenarios for this long, instead of a fixed number or as an upper limit.",
            valueName: "duration"
        )
    )
    var time: String?

    @Option(
        name: .customLong("swarm-seed"),
        help: "The seed of the first random scenario, 0 to 2^64 - 1.",
        transform: wholeNumber
    )
    var seed: UInt64 = 0

    @Option(
        name: .customLong("swarm-events"),
        help:
            "The mean number of events per scenario, 1000 to 100000000; sizes vary up to four times the mean. Default: small scenarios.",
        transform: wholeNumber
    )
    var events: Int64?

    @Option(
        name: .customLong("swarm-from"),
        help: .init(
            "For every second seed, mutate one of these scenarios, in turn; repeatable.",
            valueName: "file"
        ),
        completion: .file(extensions: ["yaml", "yml"])
    )
    var bases: [String] = []

    @Option(
        name: .customLong("swarm-keep"),
        help: ArgumentHelp("The directory for minimized failing scenarios.", valueName: "directory"),
        completion: .directory
    )
    var directory: String?

    @Option(
        name: .customLong("swarm-limit"),
        help: .init("The time limit of a scenario; a scenario that exceeds it counts as a hang.", valueName: "duration")
    )
    var patience = "5m"

    @Option(help: "Apply the checks of the swarm to this scenario; repeatable.", completion: .file())
    var world: [String] = []

    @Option(name: .customLong("swarm-worker"), help: .hidden)
    var workerDirectory: String?

    /// Memory per ride for its checked history and the space to grow [bytes].
    private static let bytesPerHistory = 600.0

    /// `true` if the options request random worlds.
    var isAsked: Bool { count != nil || time != nil }

    /// The allowed seeds.
    var seeds: Range<UInt64> { seed..<seed + (count ?? UInt64.max - seed) }

    func validate() throws {
        if let events { try limit("--swarm-events", events, to: 1000...100_000_000) }
        for (option, text) in [("--swarm-for", time), ("--swarm-limit", patience)] {
            guard let text else { continue }
            let isSound = TimeSpan(durationText: text).map { $0 > .zero } ?? false
            try demand(isSound, "\(option) must be a duration above 0s such as 90s, 1h or 8h, got \"\(text)\"")
        }
        try demand(isAsked || directory == nil, "--swarm-keep needs --swarm or --swarm-for")
        try demand(isAsked || workerDirectory != nil || bases.isEmpty, "--swarm-from needs --swarm or --swarm-for")
        if let count {
            try limit("--swarm", count, to: 1...1_000_000_000)
            let hasRoom = seed <= UInt64.max - count
            try demand(hasRoom, "--swarm-seed must leave room for \(count) seeds, got \(seed)")
        }
    }

    /// Runs a swarm with progress.
    ///
    /// - Parameter tell: Receives the report, also if the swarm is interrupted.
    /// - Returns: `true` if the swarm found a violation.
    func run(jobs: Int, quiet: Bool, tell: (String) -> Void) async throws -> Bool {
        for file in bases { _ = try ScenarioReader.read(file: file) }
        let worker =
            [Bundle.main.executablePath ?? CommandLine.arguments[0]]
            + (events.map { ["--swarm-events", "\($0)"] } ?? []) + bases.flatMap { ["--swarm-from", $0] }
            + ["--swarm-worker"]
        let swarm = Swarm(
            .init(
                seeds: seeds,
                time: time.flatMap { TimeSpan(durationText: $0) },
                events: events,
                bases: bases,
                directory: directory,
                jobs: jobs,
                patience: TimeSpan(durationText: patience) ?? .minutes(5),
                worker: worker,
                finder: "freshet \(Release.version)"
            )
        )
        let course = SwarmCourse()
        @Sendable func report() -> SwarmReport {
            SwarmReport(done: course.current, finds: course.finds, events: events, bases: bases)
        }
        defer { tell(report().text) }
        let showing = Task {
            let interval: Duration = ProgressLine.isTerminal ? .milliseconds(250) : .seconds(10)
            while !quiet, (try? await Task.sleep(for: interval)) != nil {
                ProgressLine.tell(report().progress)
            }
        }
        defer {
            showing.cancel()
            if !quiet { ProgressLine.clear() }
        }
        do {
            try await Interruption.guarding(kept: "the findings so far follow") { try await swarm.run(course) }
        } catch let error as CocoaError {
            throw CommandError("\(directory ?? "--swarm-keep"): \(error.localizedDescription)", Failure.cannotWrite)
        }
        return !course.finds.isEmpty
    }

    /// Checks the scenarios of files and prints the violations of each.
    ///
    /// - Returns: `true` if there is a violation.
    /// - Throws: If a scenario would exceed the memory limit.
    func judgeWorlds(_ memory: MemoryOption) throws -> Bool {
        var isBroken = false
        for file in world {
            // The verdict reports errors in the file.
            if let loaded = try? ScenarioReader.read(file: file), let world = try? ScenarioLoader.world(loaded) {
                try memory.admit(
                    file,
                    RunEstimate(world.scenario),
                    replications: 2,
                    jobs: 1,
                    perRide: Self.bytesPerHistory
                )
            }
            let verdict = SwarmWorker.ofFile(file, mostEvents: 100_000_000)
            let violations = Format.counted(verdict.violations.count, "violation", "violations")
            let outcome = verdict.violations.isEmpty ? "nothing found" : violations
            print(
                ([("\(file): \(verdict.events) events, \(outcome)")] + verdict.violations.map { "  \($0)" })
                    .joined(separator: "\n")
            )
            isBroken = isBroken || !verdict.violations.isEmpty
        }
        return isBroken
    }
}
