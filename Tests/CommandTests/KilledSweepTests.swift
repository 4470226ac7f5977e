import CommandTestSupport
import Experiments
import Foundation
import TestSupport
import Testing

/// What a sweep promises about its end, however it ends.
@Suite("A sweep that is killed", .enabled(if: Loop.isFull))
struct KilledSweepTests {
    /// Sixty tasks of some milliseconds each.
    private static let scenario =
        SweepCommandTests.base + """
            factors:
              vary:
                monitor.fresh_limit: {from: 1m, to: 5m, steps: 5}
                content.ttl: [30s, 60s, 90s, 2m]
              responses: [fresh_time_ratio, pushes_sent_count]

            """
    private static let taskCount = 60

    @Test("kill -9 at nine places drawn from a key and in the write-up, then a resume: the files of a run without any")
    func tenKills() throws {
        // In all fifty, where it is asked for.
        for round in 0..<(Loop.isHostile ? 5 : 1) as Range<UInt64> {
            try kills(seed: 20_261_121 + round)
        }
    }

    private func kills(seed: UInt64) throws {
        let tally = HostileTally("kills of sweeps", checks: 11)
        let scratch = try Scratch()
        let file = try scratch.file("town.yaml", Self.scenario)
        let plain = try Command.run("run", file, "--quiet", "--output", scratch.path("plain"))
        #expect(plain.status == 0, "\(plain.errors)")
        let tasks = try Sweep(file: file, settings: [], replications: nil, only: []).tasks
        #expect(tasks.count == Self.taskCount)

        var draws = TestStream(seed: seed)
        var finished = 0
        var process: pid_t = 0
        for kill in 1...9 {
            // How many more tasks; nine times six leave some for the last process.
            finished += draws.next(below: 6) + 1
            let sweep = try HeldSweep(file, in: scratch, after: finished, of: tasks)
            let isThere = try sweep.reaches { try results(in: scratch) == finished }
            #expect(isThere, "kill \(kill): it did not come to have \(finished) tasks")
            // It cannot get further. Where it is, in a task or at the beginning of its file, is for the pause to say.
            usleep(UInt32(draws.next(below: 20_000)))
            #expect(sweep.kill(), "kill \(kill): it had ended before")
            #expect(tally.counts(try results(in: scratch) == finished), "kill \(kill)")
            process = sweep.processIdentifier
        }

        // Nothing holds a process in its write-up, but what a kill leaves there is known: some files, the last one cut short.
        let plainFiles = try scratch.contents(of: "plain").sorted { $0.key < $1.key }
        let written = plainFiles.prefix(draws.next(below: plainFiles.count - 1) + 1)
        let partial = scratch.url.appending(path: ".killed.partial-\(process)")
        for (name, bytes) in written {
            let place = partial.appending(path: name)
            try FileManager.default.createDirectory(
                at: place.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try bytes.prefix(name == written.last?.key ? bytes.count / 2 : bytes.count).write(to: place)
        }

        let resumed = try Command.run("run", file, "--output", scratch.path("killed"))
        #expect(tally.counts(resumed.status == 0), "\(resumed.errors)")
        #expect(tally.counts(try scratch.contents(of: "killed") == scratch.contents(of: "plain")))
        #expect(!FileManager.default.fileExists(atPath: scratch.path(".killed.tasks")))
        #expect(!FileManager.default.fileExists(atPath: partial.path))
    }

    /// How many tasks have results.
    private func results(in scratch: Scratch) throws -> Int {
        let names = try? FileManager.default.contentsOfDirectory(atPath: scratch.path(".killed.tasks"))
        return (names ?? []).count { $0.hasSuffix(".task") }
    }

    /// Three tasks of some milliseconds, three of many minutes, three of some milliseconds.
    private static let endless =
        SweepCommandTests.base + """
            factors:
              vary:
                content.refresh: {often: {constant: 60s}, always: {constant: 100us}, seldom: {constant: 90s}}
              responses: [fresh_time_ratio, pushes_sent_count]

            """

    @Test(
        "A signal: exit 130 or 143, finished tasks are kept, and the next run goes on from there",
        arguments: [SIGINT, SIGTERM]
    )
    func interrupted(_ number: Int32) throws {
        let scratch = try Scratch()
        let file = try scratch.file("town.yaml", Self.endless)
        let process = Command.process(["run", file, "--quiet", "--jobs", "1", "--output", scratch.path("killed")])
        process.standardError = FileHandle.nullDevice
        try process.run()
        // Then it is in the fourth task, which it cannot finish.
        while process.isRunning, try results(in: scratch) < 3 { usleep(200) }
        kill(process.processIdentifier, number)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 128 + number)
        #expect(try results(in: scratch) == 3)
        let resumed = try Command.run([
            "run", file, "--only", "content.refresh != always", "--output", scratch.path("killed"),
        ])
        #expect(resumed.status == 0)
        #expect(resumed.errors.contains("continuing: 3 of 6 tasks already have results"), "\(resumed.errors)")
    }
}

/// A `freshet run` that finishes a chosen number of its sweep's tasks and no more, however long it is left alone.
///
/// A result is written beside its place first, into a file named after the process. Here a named pipe has that name for
/// every task but the first ones: to open it for writing waits for a reader, and there is none. So the process stops at
/// a place that the test has chosen; the speed of the machine has no say in it.
private struct HeldSweep {
    private let process: Process

    var processIdentifier: pid_t { process.processIdentifier }

    /// Starts the run; it writes to `killed` in the directory.
    ///
    /// - Parameter count: How many tasks have results when it waits, those of processes before it included.
    init(_ file: String, in scratch: Scratch, after count: Int, of tasks: [RunTask]) throws {
        let freshet = Command.process(["run", file, "--quiet", "--output", scratch.path("killed")])
        process = freshet
        let program = try #require(freshet.executableURL).path
        // The pipes' names need the number of the process, so it begins as a shell that waits for a line.
        freshet.arguments = ["-c", "read -r line && exec \"$@\"", "sh", program] + (freshet.arguments ?? [])
        freshet.executableURL = URL(filePath: "/bin/sh")
        freshet.standardError = FileHandle.nullDevice
        let line = Pipe()
        freshet.standardInput = line
        try freshet.run()

        let store = scratch.path(".killed.tasks")
        try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: true)
        let owner = "\(Self.host)-\(freshet.processIdentifier)"
        for task in tasks.dropFirst(count) {
            try #require(mkfifo("\(store)/\(task.id).task.partial-\(owner)", 0o600) == 0)
        }
        try line.fileHandleForWriting.write(contentsOf: Data("go\n".utf8))
    }

    /// Waits until something holds; false where the process has ended before.
    func reaches(_ isReached: () throws -> Bool) rethrows -> Bool {
        var hasReached = false
        _ = try waitUntil {
            hasReached = try isReached()
            return hasReached || !process.isRunning
        }
        return hasReached
    }

    /// Kills the process; false where it had ended by itself.
    func kill() -> Bool {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        return process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
    }

    /// The machine's name, as it stands in the names of files that are not finished.
    private static let host: String = {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "unnamed" }
        let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self).replacing("/", with: "_")
    }()
}
