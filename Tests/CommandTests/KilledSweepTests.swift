import CommandTestSupport
import Foundation
import ScenarioLanguage
import TestSupport
import Testing

@testable import Studies

/// The state of a sweep's results after a kill or a signal.
@Suite("A sweep that is killed", .enabled(if: Loop.isFull))
struct KilledSweepTests {
    private let scratch = Scratch()

    /// A scenario of sixty tasks, some milliseconds each.
    private static let scenario =
        SweepCommandTests.base + """
            factors:
              vary:
                monitor.fresh_limit: {from: 1m, to: 5m, steps: 5}
                content.ttl: [30s, 60s, 90s, 2m]
              responses: [fresh_time_ratio, pushes_sent_count]

            """
    private static let taskCount = 60

    @Test("kill -9 at nine seeded places and in the write-up; the resumed sweep gives the files of an undisturbed one")
    func tenKills() throws {
        // `make hostile` runs all fifty kills.
        for round in 0..<(Loop.isHostile ? 5 : 1) as Range<UInt64> {
            try kills(seed: 20_261_121 + round)
        }
    }

    private func kills(seed: UInt64) throws {
        let tally = HostileTally("kills of sweeps", checks: 11)
        let file = try scratch.write(Self.scenario, to: "town.yaml")
        let plain = try Command.run("run \(file) --quiet --output \(scratch)/plain")
        #expect(plain.status == 0, "\(plain.errors)")
        let tasks = try Sweep(ScenarioReader.read(file: file)).tasks
        #expect(tasks.count == Self.taskCount)

        var draws = TestStream(seed: seed)
        var finished = 0
        var process: pid_t = 0
        for kill in 1...9 {
            // The number of additional tasks; nine times six leave some for the last process.
            finished += draws.next(below: 6) + 1
            let sweep = try HeldSweep(file, in: scratch, after: finished, of: tasks)
            let isThere = try sweep.reaches { try results() == finished }
            #expect(isThere, "kill \(kill): it did not finish \(finished) tasks")
            // It cannot get further. The pause decides if it is in a task or at the beginning of a result file.
            usleep(UInt32(draws.next(below: 20_000)))
            #expect(sweep.kill(), "kill \(kill): it had ended before")
            #expect(tally.counts(try results() == finished), "kill \(kill)")
            process = sweep.processIdentifier
        }

        // A process cannot be held in its write-up. But the remains of a kill there are known: some files, the last one
        // truncated.
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

        let resumed = try Command.run("run \(file) --output \(scratch)/killed")
        #expect(tally.counts(resumed.status == 0), "\(resumed.errors)")
        #expect(tally.counts(try scratch.contents(of: "killed") == scratch.contents(of: "plain")))
        #expect(!FileManager.default.fileExists(atPath: scratch.path(".killed.tasks")))
        #expect(!FileManager.default.fileExists(atPath: partial.path))
    }

    /// Returns the number of tasks with results.
    private func results() throws -> Int {
        let names = try? FileManager.default.contentsOfDirectory(atPath: scratch.path(".killed.tasks"))
        return (names ?? []).count { $0.hasSuffix(".task") }
    }

    /// A scenario of three tasks of some milliseconds, three of many minutes, and three of some milliseconds.
    private static let endless =
        SweepCommandTests.base + """
            factors:
              vary:
                content.refresh: {often: {constant: 60s}, always: {constant: 100us}, seldom: {constant: 90s}}
              responses: [fresh_time_ratio, pushes_sent_count]

            """

    @Test(
        "A signal: exit 130 or 143; finished tasks are kept, and the next run resumes",
        arguments: [SIGINT, SIGTERM]
    )
    func interrupted(_ number: Int32) throws {
        let file = try scratch.write(Self.endless, to: "town.yaml")
        let process = Command.process("run \(file) --quiet --jobs 1 --output \(scratch)/killed")
        process.standardError = FileHandle.nullDevice
        try process.run()
        // The run is then in the fourth task, which it cannot finish.
        _ = try waitUntil { try !process.isRunning || results() >= 3 }
        kill(process.processIdentifier, number)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 128 + number)
        #expect(try results() == 3)
        let resumed = try Command.run("run \(file) --only 'content.refresh != always' --output \(scratch)/killed")
        #expect(resumed.status == 0)
        #expect(resumed.errors.contains("continuing: 3 of 6 tasks already have results"), "\(resumed.errors)")
    }
}

/// A `freshet run` that finishes a given number of the sweep's tasks and then blocks.
///
/// A result is first written beside its final place, to a file named after the process. Here a named pipe has that name
/// for every task except the first ones. Opening it for writing blocks because there is no reader. So the process stops
/// at a place that the test chooses, independently of the machine's speed.
private struct HeldSweep {
    private let process: Process

    var processIdentifier: pid_t { process.processIdentifier }

    /// Starts the run, which writes to `killed` in the directory.
    ///
    /// - Parameter count: The number of tasks with results when it blocks, including tasks of earlier processes.
    init(_ file: String, in scratch: Scratch, after count: Int, of tasks: [RunTask]) throws {
        let freshet = Command.process("run \(file) --quiet --output \(scratch)/killed")
        process = freshet
        let program = try #require(freshet.executableURL).path
        // The names of the pipes need the process identifier, so the process starts as a shell that waits for a line.
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

    /// Waits until a condition holds; false if the process ends before.
    func reaches(_ isReached: () throws -> Bool) rethrows -> Bool {
        var hasReached = false
        _ = try waitUntil {
            hasReached = try isReached()
            return hasReached || !process.isRunning
        }
        return hasReached
    }

    /// Kills the process; false if it had already ended.
    func kill() -> Bool {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        return process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
    }

    /// The host name, as in the names of unfinished files.
    private static let host: String = {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "unnamed" }
        let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self).replacing("/", with: "_")
    }()
}
