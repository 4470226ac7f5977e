import Experiments
import Foundation
public import Quantities
import Synchronization

/// Swarm testing: many random worlds, each of which is run and checked against the invariants.
///
/// Seeds are handed out in order to child processes that run one world at a time. A violation does not end the swarm;
/// for each kind of violation, the world with the lowest seed is reduced and stored.
public struct Swarm: Sendable {
    /// The settings of a swarm.
    public struct Settings: Sendable {
        /// The seeds, in order, unless the time is over earlier.
        public var seeds: Range<UInt64>
        /// The time after which no further world is begun; nil for all seeds.
        public var time: TimeSpan?
        /// The mean number of events of a world; nil for small worlds.
        public var events: Int64?
        /// The scenario files from which every second seed draws a mutant.
        public var bases: [String]
        /// The directory for scenarios with violations; nil for none.
        public var directory: String?
        /// The number of worlds that run at the same time.
        public var jobs: Int
        /// The time after which a world counts as hanging.
        public var patience: TimeSpan
        /// The program that runs ``SwarmWorker``, with its arguments; the worker's directory is appended.
        public var worker: [String]
        /// The origin of a stored scenario, for its head comment.
        public var finder: String

        /// Creates settings.
        public init(
            seeds: Range<UInt64>,
            time: TimeSpan? = nil,
            events: Int64? = nil,
            bases: [String] = [],
            directory: String? = nil,
            jobs: Int,
            patience: TimeSpan,
            worker: [String],
            finder: String
        ) {
            self.seeds = seeds
            self.time = time
            self.events = events
            self.bases = bases
            self.directory = directory
            self.jobs = jobs
            self.patience = patience
            self.worker = worker
            self.finder = finder
        }
    }

    /// A kind of violation, with the lowest seed that has it.
    public struct Find: Hashable, Sendable {
        /// The seed of the world.
        public let seed: UInt64
        /// The violations of its world, one line each.
        public let violations: [String]
        /// The violations of the reduced world.
        public var smallerViolations: [String] = []
        /// A reduced world with a violation of this kind; nil if the world is not available.
        public var smaller: SwarmWorld?
        /// The file in which it is stored.
        public var file: String?

        /// The command that runs only the world of the seed.
        public func command(events: Int64?, bases: [String]) -> String {
            let files = SwarmWorker.base(of: seed, among: bases) == nil ? [] : bases
            return "freshet verify --swarm 1 --swarm-seed \(seed)" + (events.map { " --swarm-events \($0)" } ?? "")
                + files.map { " --swarm-from \($0)" }.joined()
        }
    }

    let settings: Settings
    private let makeJudge: @Sendable (_ directory: String) -> any WorldJudge

    /// Creates a swarm whose worlds are run by child processes.
    public init(_ settings: Settings) {
        self.init(settings) { directory in
            WorkerProcess(
                .init(
                    command: settings.worker,
                    directory: directory,
                    patience: .microseconds(settings.patience.microseconds)
                )
            )
        }
    }

    init(_ settings: Settings, judges makeJudge: @escaping @Sendable (_ directory: String) -> any WorldJudge) {
        self.settings = settings
        self.makeJudge = makeJudge
    }

    /// Runs the worlds until the seeds are used up, the time is over or the task is cancelled.
    ///
    /// - Parameter course: The progress and the finds so far, for display and for the report.
    /// - Throws: `CancellationError` when the task is cancelled; an error if a directory cannot be written.
    public func run(_ course: SwarmCourse) async throws {
        // A worker that has died no longer reads.
        signal(SIGPIPE, SIG_IGN)
        if let directory = settings.directory {
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        }
        let scratch = FileManager.default.temporaryDirectory.appending(path: "freshet-swarm-\(UUID().uuidString)")
        try Self.createPrivateDirectory(at: scratch)
        defer { try? FileManager.default.removeItem(at: scratch) }
        course.begin(settings)
        await withTaskGroup { group in
            for job in 0..<settings.jobs {
                group.addTask {
                    let directory = scratch.appending(path: "\(job)")
                    try? Self.createPrivateDirectory(at: directory)
                    let judge = makeJudge(directory.path)
                    course.add(judge)
                    await withTaskCancellationHandler {
                        await Self.onThread { work(judge, course) }
                    } onCancel: {
                        course.stop()
                    }
                }
            }
        }
        try Task.checkCancellation()
    }

    /// Creates a directory that only the user can read: worlds may hold measured values.
    private static func createPrivateDirectory(at url: URL) throws {
        try FileManager.default.createDirectory(
            at: url,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
    }

    /// Runs work that waits for child processes on a separate thread, so that the pool's threads remain free.
    private static func onThread(_ work: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            let thread = Thread {
                work()
                continuation.resume()
            }
            thread.stackSize = 8 << 20
            thread.start()
        }
    }

    // MARK: - One job

    private func work(_ judge: any WorldJudge, _ course: SwarmCourse) {
        while let seed = course.nextSeed() {
            guard let answer = judge.judge(seed: seed) else { return }
            course.took(seed, events: answer.verdict.events)
            guard let first = answer.verdict.violations.first else { continue }
            let find = Find(seed: seed, violations: answer.verdict.violations, smaller: answer.world)
            let kind = Shrinking.kind(of: first)
            guard course.claim(kind, find) else { continue }
            if let world = answer.world {
                let file = keep(find, world)
                course.replace(kind, find, file: file)
                course.replace(kind, smaller(find, world, answer, judge), file: file)
            }
        }
    }

    /// Reduces the world of a find while its first violation persists; others may disappear.
    private func smaller(_ find: Find, _ world: SwarmWorld, _ answer: WorldAnswer, _ judge: any WorldJudge) -> Find {
        let kind = find.violations.first.map(Shrinking.kind)
        let mostEvents = max(
            Int(answer.verdict.events) * 2,
            WorldCheck.mostEventsOfSmall,
            Int(settings.events ?? 0) * 10
        )
        var smaller = find
        smaller.smaller = Shrinking.smallest(world, mostTrials: answer.isHang ? 40 : 1000) { candidate in
            guard let answer = judge.judge(candidate, mostEvents: mostEvents),
                answer.verdict.violations.contains(where: { Shrinking.kind(of: $0) == kind })
            else { return false }
            smaller.smallerViolations = answer.verdict.violations
            return true
        }
        smaller.file = smaller.smaller.flatMap { keep(smaller, $0) }
        return smaller
    }

    /// Stores the world of a find, if there is a directory for them.
    private func keep(_ find: Find, _ world: SwarmWorld) -> String? {
        guard let directory = settings.directory else { return nil }
        let file = "\(directory)/swarm-\(find.seed).yaml"
        let violations = (find.smallerViolations.isEmpty ? find.violations : find.smallerViolations).prefix(5)
        let comment =
            [
                "Found by \(settings.finder), seed \(find.seed): \(find.command(events: settings.events, bases: settings.bases))"
            ]
            + violations.map { "  \($0)" } + ["Again: freshet verify --world \(file)"]
        return (try? world.write(to: file, comment: comment)) == nil ? nil : file
    }
}
