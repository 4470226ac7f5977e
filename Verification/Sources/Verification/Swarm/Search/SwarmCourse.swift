import Foundation
import Quantities
import Synchronization

/// The progress and the finds of a swarm: its jobs update them, and the display and the report read them.
public final class SwarmCourse: Sendable {
    private let state = Mutex(State())

    /// The progress of a swarm.
    public struct State: Sendable {
        /// The seeds whose worlds were begun.
        public fileprivate(set) var seeds: Range<UInt64> = 0..<0
        /// The number of worlds that were run, to their end or to a failure.
        public fileprivate(set) var worlds = 0
        /// Their events, each counted once.
        public fileprivate(set) var events: Int64 = 0
        /// The number of worlds with violations.
        public fileprivate(set) var failures = 0
        /// The time for which the swarm has run.
        public fileprivate(set) var elapsed = Duration.zero
        /// The share of the seeds or of the time that is used up, 0...1.
        public fileprivate(set) var share = 0.0

        fileprivate var finds: [String: Swarm.Find] = [:]
        fileprivate var isStopped = false
        fileprivate var mostSeeds: UInt64 = 0
        fileprivate var time: Duration?
        fileprivate var began = ContinuousClock.now
        fileprivate var judges: [any WorldJudge] = []
    }

    /// Creates the progress of a swarm that has not begun.
    public init() {}

    /// The current progress.
    public var current: State {
        state.withLock { state in
            var copy = state
            copy.elapsed = .now - state.began
            let ofSeeds = Double(state.worlds) / Double(max(state.mostSeeds, 1))
            copy.share = min(max(ofSeeds, state.time.map { copy.elapsed / $0 } ?? 0), 1)
            copy.judges = []
            return copy
        }
    }

    /// The finds, sorted by seed.
    public var finds: [Swarm.Find] { state.withLock { $0.finds.values.sorted { $0.seed < $1.seed } } }

    // MARK: - For the jobs

    func begin(_ settings: Swarm.Settings) {
        state.withLock { state in
            state.seeds = settings.seeds.lowerBound..<settings.seeds.lowerBound
            state.mostSeeds = settings.seeds.upperBound - settings.seeds.lowerBound
            state.time = settings.time.map { .microseconds($0.microseconds) }
            state.began = .now
        }
    }

    /// Registers a judge, so that ``stop()`` reaches it.
    func add(_ judge: any WorldJudge) {
        let isStopped = state.withLock { state in
            state.judges.append(judge)
            return state.isStopped
        }
        if isStopped { judge.stop() }
    }

    /// Begins no further world and stops those in progress.
    func stop() {
        let judges = state.withLock { state in
            state.isStopped = true
            return state.judges
        }
        for judge in judges { judge.stop() }
    }

    /// The seed of the next world; nil if no further world must be begun.
    func nextSeed() -> UInt64? {
        state.withLock { state in
            let begun = state.seeds.upperBound - state.seeds.lowerBound
            guard !state.isStopped, begun < state.mostSeeds else { return nil }
            if let time = state.time, .now - state.began >= time { return nil }
            defer { state.seeds = state.seeds.lowerBound..<state.seeds.upperBound + 1 }
            return state.seeds.upperBound
        }
    }

    func took(_ seed: UInt64, events: Int64) {
        state.withLock { state in
            state.worlds += 1
            state.events += events
        }
    }

    /// Returns `true` if a find is the first of its kind, or has a lower seed than the previous one.
    func claim(_ kind: String, _ find: Swarm.Find) -> Bool {
        state.withLock { state in
            state.failures += 1
            if let before = state.finds[kind] {
                guard find.seed < before.seed else { return false }
                if let file = before.file { try? FileManager.default.removeItem(atPath: file) }
            }
            state.finds[kind] = find
            return true
        }
    }

    /// Replaces a find by its reduced form, unless one with a lower seed has come.
    func replace(_ kind: String, _ find: Swarm.Find, file: String?) {
        state.withLock { state in
            guard state.finds[kind]?.seed == find.seed else {
                if let file { try? FileManager.default.removeItem(atPath: file) }
                return
            }
            state.finds[kind] = find
            state.finds[kind]?.file = file
        }
    }
}
