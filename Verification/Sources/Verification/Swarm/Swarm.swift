import Foundation
import ScenarioLanguage

/// Swarm testing: many random worlds are run and checked against the invariants.
///
/// Worlds are checked in the order of their seeds, until one breaks a rule. A world that traps or hangs ends or holds the
/// process, so the caller announces each world before it is run. `scripts/verify swarm` runs several such processes.
public struct Swarm: Sendable {
    /// The seeds, in order.
    public var seeds: Range<UInt64>
    /// The mean number of events of a world; nil for small worlds.
    public var events: Int64?
    /// The scenario files from which every second seed draws a mutant.
    public var bases: [String]
    /// An existing directory for the files of the current world.
    public var directory: String

    /// Creates a swarm.
    public init(seeds: Range<UInt64>, events: Int64? = nil, bases: [String] = [], directory: String) {
        (self.seeds, self.events, self.bases, self.directory) = (seeds, events, bases, directory)
    }

    /// A world that breaks a rule.
    public struct Find: Hashable, Sendable {
        /// The seed of the world.
        public let seed: UInt64
        /// The violations, one line each.
        public let violations: [String]
        /// The number of events of its runs, each counted once.
        let events: Int64
        /// The world; nil if it cannot be drawn.
        public let world: SwarmWorld?
    }

    /// Checks the worlds until one breaks a rule.
    ///
    /// - Parameter begin: Called before each world, with its seed and the number of events so far.
    /// - Returns: The number of worlds that were checked, their events, and the world that breaks a rule.
    /// - Throws: `CancellationError` when the task is cancelled.
    public func run(
        _ begin: (_ seed: UInt64, _ events: Int64) -> Void
    ) async throws -> (worlds: UInt64, events: Int64, find: Find?) {
        try await run(begin) { WorldCheck.verdict(on: $0, at: file, mostEvents: $1) }
    }

    /// Judges the worlds in another way, for tests.
    func run(
        _ begin: (_ seed: UInt64, _ events: Int64) -> Void,
        judge: (_ world: SwarmWorld, _ mostEvents: Int) -> WorldCheck.Verdict
    ) async throws -> (worlds: UInt64, events: Int64, find: Find?) {
        var total: Int64 = 0
        for seed in seeds {
            try Task.checkCancellation()
            await Task.yield()
            begin(seed, total)
            let (world, verdict) = check(seed, judge)
            total += verdict.events
            guard verdict.violations.isEmpty else {
                let find = Find(seed: seed, violations: verdict.violations, events: verdict.events, world: world)
                return (seed - seeds.lowerBound + 1, total, find)
            }
        }
        return (UInt64(seeds.count), total, nil)
    }

    /// Reduces the world of a find while its first violation persists; others may disappear.
    ///
    /// - Returns: The reduced world and its violations; nil if there is no world.
    public func smaller(_ find: Find) -> (world: SwarmWorld, violations: [String])? {
        guard let world = find.world, let first = find.violations.first else { return nil }
        let kind = Shrinking.kind(of: first)
        let most = max(Int(find.events) * 2, WorldCheck.mostEventsOfSmall, Int(events ?? 0) * 10)
        var violations = find.violations
        let smallest = Shrinking.smallest(world) { candidate in
            let verdict = WorldCheck.verdict(on: candidate, at: file, mostEvents: most)
            guard verdict.violations.contains(where: { Shrinking.kind(of: $0) == kind }) else { return false }
            violations = verdict.violations
            return true
        }
        return (smallest, violations)
    }

    // MARK: - One world

    private var file: String { "\(directory)/world.yaml" }

    private func check(
        _ seed: UInt64,
        _ judge: (_ world: SwarmWorld, _ mostEvents: Int) -> WorldCheck.Verdict
    ) -> (world: SwarmWorld?, verdict: WorldCheck.Verdict) {
        func count(_ world: SwarmWorld, _ mostEvents: Int) throws -> Int64? {
            try world.write(to: file)
            return try WorldCheck.eventCount(of: ScenarioReader.read(file: file), mostEvents: mostEvents)
        }
        do {
            let (world, mostEvents) =
                if let base = Self.base(of: seed, among: bases) {
                    try SwarmWorld.mutant(of: SwarmWorld(file: base), seed: seed, events: events, count: count)
                } else {
                    try SwarmWorld.drawn(seed: seed, events: events, count: count)
                }
            return (world, judge(world, mostEvents))
        } catch {
            return (nil, WorldCheck.Verdict(violations: ["the file of the scenario is rejected: \(error)"], events: 0))
        }
    }

    /// The scenario file from which a seed draws a mutant: the files in rotation for odd seeds; nil for a world of its
    /// own.
    public static func base(of seed: UInt64, among bases: [String]) -> String? {
        seed.isMultiple(of: 2) || bases.isEmpty ? nil : bases[Int(seed / 2 % UInt64(bases.count))]
    }
}
