import Foundation
import TestSupport
import Testing

/// What a sweep promises about its end, whatever ends it before.
@Suite("A sweep that is killed")
struct KilledSweepTests {
    /// Sixty tasks of some ten milliseconds each.
    private static let scenario =
        SweepCommandTests.base.replacing("cells: 2", with: "cells: 4") + """
            factors:
              vary:
                monitor.fresh_limit: {from: 1m, to: 5m, steps: 5}
                content.ttl: [30s, 60s, 90s, 2m]
              responses: [fresh_time_ratio, pushes_sent_count]

            """
    private static let taskCount = 60

    @Test("kill -9 at ten moments drawn from a key, each followed by a resume: the files of a run that nobody stopped")
    func tenKills() throws {
        let scratch = try Scratch()
        let file = try scratch.file("town.yaml", Self.scenario)
        let plain = try Command.run("run", file, "--quiet", "--output", scratch.path("plain"))
        #expect(plain.status == 0, "\(plain.errors)")

        var moments = TestStream(seed: 20_261_121)
        var counts: [Int] = []
        for kill in 0..<10 {
            // How many more tasks, and how far into the next; the last one goes for the writing up of the results.
            let isLast = kill == 9
            let goal = isLast ? Self.taskCount : (counts.last ?? 0) + moments.next(below: 9)
            let pause = UInt32(moments.next(below: 20_000))
            let process = Command.process(["run", file, "--quiet", "--output", scratch.path("killed")])
            process.standardError = FileHandle.nullDevice
            try process.run()
            while process.isRunning, try tasks(scratch) < goal { usleep(200) }
            usleep(isLast ? pause / 10 : pause)
            Foundation.kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            counts.append(try tasks(scratch))
        }
        let resumed = try Command.run("run", file, "--output", scratch.path("killed"))
        #expect(resumed.status == 0, "\(resumed.errors)")
        #expect(try scratch.contents(of: "killed") == scratch.contents(of: "plain"))
        #expect(!FileManager.default.fileExists(atPath: scratch.path(".killed.tasks")))

        // How far each got: they did not all come too early or too late.
        let inTheMiddle = Set(counts.filter { (1..<Self.taskCount).contains($0) })
        #expect(inTheMiddle.count >= 3, "killed after \(counts) of \(Self.taskCount) tasks")
        #expect(zip(counts, counts.dropFirst().dropLast()).allSatisfy { $0 <= $1 }, "\(counts)")
    }

    /// How many tasks have results.
    private func tasks(_ scratch: Scratch) throws -> Int {
        let names = try? FileManager.default.contentsOfDirectory(atPath: scratch.path(".killed.tasks"))
        return (names ?? []).count { $0.hasSuffix(".task") }
    }

    @Test(
        "A signal: exit 130 or 143, finished tasks are kept, and the same command goes on",
        arguments: [SIGINT, SIGTERM]
    )
    func interrupted(_ number: Int32) throws {
        let scratch = try Scratch()
        let file = try scratch.file("town.yaml", Self.scenario)
        let process = Command.process(["run", file, "--quiet", "--output", scratch.path("killed")])
        process.standardError = FileHandle.nullDevice
        try process.run()
        while process.isRunning, try tasks(scratch) < 5 { usleep(200) }
        kill(process.processIdentifier, number)
        process.waitUntilExit()
        #expect(process.terminationStatus == 128 + number)
        let kept = try tasks(scratch)
        #expect((5..<Self.taskCount).contains(kept))
        let resumed = try Command.run("run", file, "--output", scratch.path("killed"))
        #expect(resumed.status == 0)
        #expect(resumed.errors.contains("\(kept) of \(Self.taskCount) tasks had results from before"))
    }
}
