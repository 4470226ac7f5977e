import ArgumentParser
import Experiments
import Foundation
import LiveActivityModel
import Quantities
import Reporting
import Verification

/// The options of `freshet verify` about random worlds.
struct SwarmOptions: ParsableArguments {
    @Option(
        name: .customLong("swarm"),
        help: "After the cases, run this number of scenarios drawn from seeds, 1 to 1000000000.",
        transform: wholeNumber
    )
    var count: UInt64?

    @Option(
        name: .customLong("swarm-for"),
        help: .init("For so long, with seeds that continue, in place of a number or up to it.", valueName: "duration")
    )
    var time: String?

    @Option(name: .customLong("swarm-seed"), help: "The first of these seeds, 0 to 2^64 - 1.", transform: wholeNumber)
    var seed: UInt64 = 0

    @Option(
        name: .customLong("swarm-events"),
        help:
            "How many events a scenario has on average, 1000 to 100000000, from a few to four times as many; left out: small ones.",
        transform: wholeNumber
    )
    var events: Int64?

    @Option(
        name: .customLong("swarm-from"),
        help: .init(
            "Of every second seed, take a mutant of these scenarios in turn; may be repeated.",
            valueName: "file"
        ),
        completion: .file(extensions: ["yaml", "yml"])
    )
    var bases: [String] = []

    @Option(
        name: .customLong("swarm-keep"),
        help: ArgumentHelp("The directory for shrunk scenarios that fail.", valueName: "directory"),
        completion: .directory
    )
    var directory: String?

    @Option(
        name: .customLong("swarm-limit"),
        help: .init("A scenario that takes longer is found to hang.", valueName: "duration")
    )
    var patience = "5m"

    @Option(help: "Hold this scenario against what a swarm checks; may be repeated.", completion: .file())
    var world: [String] = []

    @Option(name: .customLong("swarm-worker"), help: .hidden)
    var workerDirectory: String?

    /// What a ride has told so far, which its next line is held against, and the room for more of them.
    private static let bytesPerHistory = 600.0

    /// Whether random worlds are asked for.
    var isAsked: Bool { count != nil || time != nil }

    /// The seeds that may be used.
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
    /// - Parameter tell: Is given the report, also when the swarm is interrupted.
    /// - Returns: Whether it found anything.
    func run(jobs: Int, quiet: Bool, tell: (String) -> Void) async throws -> Bool {
        for file in bases { _ = try ScenarioReader.read(file: file) }
        let worker =
            [Bundle.main.executablePath ?? CommandLine.arguments[0], "verify"]
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
            try await Interruption.guarding(kept: "what was found so far is below") { try await swarm.run(course) }
        } catch let error as CocoaError {
            throw CommandError("\(directory ?? "--swarm-keep"): \(error.localizedDescription)", Failure.cannotWrite)
        }
        return !course.finds.isEmpty
    }

    /// Judges the scenarios of files and prints what is wrong with each.
    ///
    /// - Returns: Whether anything is.
    /// - Throws: That one would need more memory than it may take.
    func judgeWorlds(_ memory: MemoryOption) throws -> Bool {
        var isBroken = false
        for file in world {
            // What is wrong with a file is for its verdict to say.
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
            let outcome = verdict.violations.isEmpty ? "nothing found" : "\(verdict.violations.count) violations"
            print(
                ([("\(file): \(verdict.events) events, \(outcome)")] + verdict.violations.map { "  \($0)" })
                    .joined(separator: "\n")
            )
            isBroken = isBroken || !verdict.violations.isEmpty
        }
        return isBroken
    }
}
