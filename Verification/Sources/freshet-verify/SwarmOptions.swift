import ArgumentParser
import Foundation
import LiveActivityModel
import Reporting
import ScenarioLanguage
import Shell
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
            "Mutate these scenarios, in turn, for every second seed; repeatable.",
            valueName: "file"
        ),
        completion: .file(extensions: ["yaml", "yml"])
    )
    var bases: [String] = []

    @Option(
        name: .customLong("swarm-keep"),
        help: ArgumentHelp("The directory for a minimized failing scenario.", valueName: "directory"),
        completion: .directory
    )
    var directory: String?

    @Option(help: "Apply the checks of the swarm to this scenario; repeatable.", completion: .file())
    var world: [String] = []

    func validate() throws {
        if let events { try limit("--swarm-events", events, to: 1000...100_000_000) }
        try demand(count != nil || directory == nil, "--swarm-keep needs --swarm")
        try demand(count != nil || bases.isEmpty, "--swarm-from needs --swarm")
        guard let count else { return }
        try limit("--swarm", count, to: 1...1_000_000_000)
        try demand(seed <= UInt64.max - count, "--swarm-seed must leave room for \(count) seeds, got \(seed)")
    }

    /// Runs random worlds until one breaks a rule.
    ///
    /// Each world is announced on standard error before it runs: if it ends the process, the last line names it.
    ///
    /// - Parameter report: Called with each part of the report.
    /// - Returns: `true` if a world breaks a rule.
    func run(_ count: UInt64, quiet: Bool, report: (String) -> Void) async throws -> Bool {
        for file in bases { _ = try ScenarioReader.read(file: file) }
        // Worlds may hold measured values, so only the user can read their directory.
        let scratch = FileManager.default.temporaryDirectory.appending(path: "freshet-swarm-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: scratch,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        defer { try? FileManager.default.removeItem(at: scratch) }
        let swarm = Swarm(seeds: seed..<seed + count, events: events, bases: bases, directory: scratch.path)
        let outcome = try await Interruption.guarding(kept: "no world has broken a rule") {
            try await swarm.run { seed, events in
                if !quiet { ProgressLine.show("world \(seed), after \(Self.millions(events)) M events") }
            }
        }
        if !quiet { ProgressLine.clear() }
        let seeds = "\(seed)...\(seed + outcome.worlds - 1)"
        let summary = "\(outcome.worlds) scenarios of seeds \(seeds), \(Self.millions(outcome.events)) M events, "
        guard let find = outcome.find else {
            report(summary + "nothing found\n")
            return false
        }
        // A reduced world may end the process, so the find is reported first.
        report(lines(["seed \(find.seed):"] + find.violations.map { "  \($0)" } + ["  again: \(command(find.seed))"]))
        fflush(nil)
        if let (world, violations) = swarm.smaller(find) { try keep(world, violations, of: find.seed, report) }
        report(summary + "seed \(find.seed) fails\n")
        return true
    }

    /// Reports a reduced world, or writes it to the directory of `--swarm-keep`.
    private func keep(_ world: SwarmWorld, _ violations: [String], of seed: UInt64, _ report: (String) -> Void) throws {
        guard let directory else {
            return report(lines(["", "A smaller scenario:"] + violations.map { "  \($0)" } + [world.text]))
        }
        let file = "\(directory)/swarm-\(seed).yaml"
        let comment =
            ["Found by freshet \(Release.version): \(command(seed))"] + violations.prefix(5).map { "  \($0)" }
            + ["Again: freshet verify --world \(file)"]
        do {
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            try world.write(to: file, comment: comment)
        } catch {
            throw CommandError("\(directory): \(error.localizedDescription)", Failure.cannotWrite)
        }
        report("  a smaller scenario: \(file)\n")
    }

    /// The command that runs only the world of a seed.
    private func command(_ seed: UInt64) -> String {
        let files = Swarm.base(of: seed, among: bases) == nil ? [] : bases
        return "freshet verify --swarm 1 --swarm-seed \(seed)" + (events.map { " --swarm-events \($0)" } ?? "")
            + files.map { " --swarm-from \($0)" }.joined()
    }

    private func lines(_ lines: [String]) -> String { lines.map { "\($0)\n" }.joined() }

    private static func millions(_ events: Int64) -> String { String(format: "%.3f", Double(events) / 1e6) }

    /// Checks the scenarios of files and prints the violations of each.
    ///
    /// - Returns: `true` if there is a violation.
    /// - Throws: If a scenario reaches the memory limit.
    func judgeWorlds(_ memory: MemoryLimit) async throws -> Bool {
        var isBroken = false
        for file in world {
            let verdict = try await memory.guarding(file, kept: "there is no verdict") {
                WorldCheck.verdict(onFile: file, mostEvents: 100_000_000)
            }
            let count = verdict.violations.count
            let outcome = count == 0 ? "nothing found" : "\(count) \(count == 1 ? "violation" : "violations")"
            print(
                lines(["\(file): \(verdict.events) events, \(outcome)"] + verdict.violations.map { "  \($0)" }),
                terminator: ""
            )
            isBroken = isBroken || !verdict.violations.isEmpty
        }
        return isBroken
    }
}
