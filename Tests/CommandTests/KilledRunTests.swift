import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// The state of a run's results after a kill at any moment.
@Suite("A run that is killed", .enabled(if: Loop.isFull))
struct KilledRunTests {
    private static let scenario = """
        name: town
        rides: {arrivals: {process: even, count: 200, spread: 30m}}
        content: {refresh: 20s}
        """

    @Test("kill -9 at seeded random moments: the results are the old ones or the new ones, never a mixture")
    func kills() throws {
        let count = Loop.isHostile ? 40 : 20
        let tally = HostileTally("kills of runs", checks: count + 1)
        let scratch = Scratch()
        let file = try scratch.write(Self.scenario, to: "town.yaml")
        func command(_ seed: Int, _ name: String) -> [String] {
            ["run", file, "--quiet", "--seed", "\(seed)", "--output", scratch.path(name)]
        }
        let began = ContinuousClock.now
        for seed in 1...2 {
            #expect(try Command.run(command(seed, "plain-\(seed)")).status == 0)
        }
        let length = (ContinuousClock.now - began) / .microseconds(1) / 2
        let whole = try (1...2).map { try scratch.contents(of: "plain-\($0)") }
        #expect(try Command.run(command(1, "out")).status == 0)

        var draws = TestStream(seed: 20_261_124)
        var (before, after) = (0, 0)
        for kill in 1...count {
            let seed = kill % 2 + 1
            let old = try scratch.contents(of: "out")
            let process = Command.process(command(seed, "out"))
            process.standardError = FileHandle.nullDevice
            try process.run()
            // Half of the moments are in the last third, where results are written.
            let share = Double(draws.next(below: 1000)) / 1000
            usleep(UInt32(length * (kill.isMultiple(of: 2) ? share : 0.67 + share / 2)))
            Foundation.kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            let found = try scratch.contents(of: "out")
            let isNew = found == whole[seed - 1]
            (before, after) = (before + (isNew ? 0 : 1), after + (isNew ? 1 : 0))
            #expect(
                tally.counts(isNew || (found == old && whole.contains(old))),
                "kill \(kill): \(Self.difference(found, old)); \(Self.difference(found, whole[seed - 1]))"
            )
        }
        tally.tells("\(count) kills: \(before) before the new results, \(after) after")
        // Files that kills leave beside the results do not disturb a later run.
        let last = try Command.run(command(2, "out"))
        let found = try scratch.contents(of: "out")
        #expect(
            tally.counts(last.status == 0 && found == whole[1]),
            "\(last.errors) \(Self.difference(found, whole[1]))"
        )
    }

    /// Returns the names of the files that differ between two sets of results.
    private static func difference(_ one: [String: Data], _ other: [String: Data]) -> [String] {
        Set(one.keys).union(other.keys).filter { one[$0] != other[$0] }.sorted()
    }
}
