import CommandTestSupport
import Foundation
import NIOConcurrencyHelpers
import TestSupport
import Testing

/// Effects of a flood on a provider beside it, and on the process: the same provider with and without the flood, in
/// turns.
///
/// The tests take minutes and measure a machine, so only `make hostile` runs them; FloodTests has a short form of each.
/// Figures of processes are read from `/proc`.
#if os(Linux)
@Suite(.serialized, .enabled(if: Loop.isHostile)) struct FloodFiguresTests {
    /// The duration of a flood [s].
    private static let seconds = 20
    /// Attacks whose names contain the environment's `FRESHET_FLOOD`; all of them without it.
    private static let attacks: [Attack] = {
        let name = ProcessInfo.processInfo.environment["FRESHET_FLOOD"]
        return Attack.all.filter { attack in name.map { "\(attack)".contains($0) } ?? true }
    }()

    @Test(arguments: attacks)
    func providerAndProcess(attack: Attack) async throws {
        let tally = HostileTally("\(attack)", checks: 5)
        let server = try await StandInProcess(["--threads", "1"])
        let (address, processID, fields) = (server.address, server.processID, try server.fields())
        var good = try await GoodProvider.connect(to: address, fields)
        // The first answers are slow once, so they are not measured.
        _ = try await good.pushes(for: .milliseconds(250))
        let quiet = try await good.pushes(for: .seconds(5))
        let before = try #require(ProcessFigures(of: processID))
        let isOver = NIOLockedValueBox(false)
        let attacking = Task { try await attack.run(address, fields, until: isOver) }
        let watching = Task { () -> Int in
            var most = 0
            while !isOver.withLockedValue({ $0 }) {
                most = max(most, ProcessFigures(of: processID)?.descriptors ?? 0)
                try await Task.sleep(for: .milliseconds(20))
            }
            return most
        }
        let attacked = try await good.pushes(for: .seconds(Self.seconds))
        isOver.withLockedValue { $0 = true }
        let (made, lost) = try await attacking.value
        let descriptors = try await watching.value
        try await Task.sleep(for: .seconds(1))
        let after = try #require(ProcessFigures(of: processID))
        let again = try await good.pushes(for: .milliseconds(500))
        try await good.close()
        let (usual, worst) = (quiet.latencies.quantile(0.99), attacked.latencies.quantile(0.99))
        tally.tells(
            "good \(quiet.latencies.text) → \(attacked.latencies.text); \(before.resident / 1024) → "
                + "\(after.peak / 1024) MB at most, \(after.resident / 1024) MB after; descriptors "
                + "\(before.descriptors) → \(descriptors) at most; \(made) connections, \(lost) lost"
        )
        #expect(tally.counts(attacked.errors == 0 && again.errors == 0), "\(attack): \(attacked.errors) errors")
        #expect(tally.counts(worst <= Self.bound(usual)), "\(attack): p99 \(usual) → \(worst)")
        #expect(tally.counts(after.peak - before.resident < 150 * 1024), "\(attack): \(before) → \(after)")
        #expect(tally.counts(descriptors <= before.descriptors + 4096), "\(attack): \(descriptors) descriptors")
        #expect(tally.counts(server.isRunning && after.descriptors <= before.descriptors + 8), "\(attack): \(after)")
    }

    /// The maximum tolerated p99: 25 times that of the same run without the flood, which counts as at least 4 ms.
    ///
    /// Attacker, provider and stand-in share two cores, often with other processes. If three threads want a core, each
    /// waits for the slices of two, about 4 ms each, twice or more for a push and its answer. So the scheduler alone
    /// causes 5 to 10 times the quiet latency. A head that takes long to decode uses 20 ms of the stand-in's thread.
    /// Four of them are read before another connection has its turn, and a flood always has the next four.
    private static func bound(_ quiet: Duration) -> Duration { max(quiet, .milliseconds(4)) * 25 }
}
#endif
