import Foundation
import Synchronization
public import TestSupport

/// The effect of a flood on a process, and on a client that sends 40 requests per second beside it.
public struct FloodFigures: Sendable {
    /// The client's latencies and errors.
    private typealias Answers = (latencies: Latencies, errors: [String])

    /// The latencies and errors without the flood; during it, with the errors of half a second after it.
    private let quiet, attacked: Answers
    /// The figures of the process before the flood, and one second after it.
    public let before, after: ProcessFigures
    /// The largest number of file descriptors of the process during the flood.
    private let descriptors: Int
    /// The number of connections that the flood opened.
    private let connections: Int

    /// Measures a client without a flood and with it; nil if the process cannot be inspected.
    ///
    /// - Parameters:
    ///   - ask: Sends one request; returns when its response came, and the error in it.
    ///   - attack: Floods the process until it is stopped; returns the number of connections it opened.
    public static func measured(
        _ processID: Int32,
        ask: @escaping @Sendable () async -> (at: ContinuousClock.Instant, error: String?),
        attack: @escaping @Sendable (_ isOver: @escaping @Sendable () -> Bool) async throws -> Int
    ) async throws -> FloodFigures? {
        // The first responses are slow and are not measured.
        _ = try await answers(for: .milliseconds(250), ask)
        let quiet = try await answers(for: .seconds(5), ask)
        guard let before = ProcessFigures(of: processID) else { return nil }
        let over = Over()
        let attacking = Task { try await attack { over.isTold.load(ordering: .relaxed) } }
        var descriptors = 0
        var attacked = try await answers(for: .seconds(20), ask) {
            descriptors = max(descriptors, ProcessFigures(of: processID)?.descriptors ?? 0)
        }
        over.isTold.store(true, ordering: .relaxed)
        let connections = try await attacking.value
        try await Task.sleep(for: .seconds(1))
        guard let after = ProcessFigures(of: processID) else { return nil }
        attacked.errors += try await answers(for: .milliseconds(500), ask).errors
        return FloodFigures(
            quiet: quiet,
            attacked: attacked,
            before: before,
            after: after,
            descriptors: descriptors,
            connections: connections
        )
    }

    /// Counts in a tally whether the client was served and the process kept to its limits; returns what does not hold.
    ///
    /// The maximum tolerated p99 is 25 times that of the same run without the flood. Attacker, client and server share
    /// two cores, often with other processes. If three threads want a core, each waits for the slices of two, about 4 ms
    /// each, twice or more for a request and its answer. So the scheduler alone causes 5 to 10 times the quiet latency. A
    /// head that takes long to decode uses 20 ms of the stand-in's thread. Four of them are read before another
    /// connection has its turn, and a flood always has the next four.
    ///
    /// - Parameters:
    ///   - quickest: The lower limit of the p99 without the flood.
    ///   - megabytes: The limit on the growth of memory.
    ///   - most: The limit on the number of additional file descriptors.
    public func failures(
        _ tally: HostileTally,
        atLeast quickest: Duration,
        megabytes: Int,
        descriptors most: Int
    ) -> [String] {
        tally.tells(
            "good \(quiet.latencies.text) → \(attacked.latencies.text); \(before.resident / 1024) → "
                + "\(after.peak / 1024) MB at most, \(after.resident / 1024) MB after; descriptors "
                + "\(before.descriptors) → \(descriptors) at most; \(connections) connections"
        )
        let (usual, worst) = (quiet.latencies.quantile(0.99), attacked.latencies.quantile(0.99))
        let errors = quiet.errors + attacked.errors
        let checks = [
            ("errors: \(errors)", errors.isEmpty),
            ("p99: \(usual) → \(worst)", worst <= max(usual, quickest) * 25),
            ("memory: \(before) → \(after)", after.peak - before.resident < megabytes * 1024),
            ("descriptors: \(descriptors)", descriptors <= before.descriptors + most),
        ]
        return checks.filter { !tally.counts($0.1) }.map(\.0)
    }

    /// Returns the attacks whose names contain the environment's `FRESHET_FLOOD`; all of them without it.
    public static func chosen<Attack>(_ attacks: [Attack]) -> [Attack] {
        let name = ProcessInfo.processInfo.environment["FRESHET_FLOOD"]
        return attacks.filter { attack in name.map { "\(attack)".contains($0) } ?? true }
    }

    /// Sends 40 requests per second; returns the latencies and the errors.
    ///
    /// - Parameter look: Called before each request.
    private static func answers(
        for span: Duration,
        _ ask: @escaping @Sendable () async -> (at: ContinuousClock.Instant, error: String?),
        look: () -> Void = {}
    ) async throws -> Answers {
        let clock = ContinuousClock()
        let start = clock.now
        return try await withThrowingTaskGroup(of: (Duration, String?).self) { group in
            for number in 0..<Int(span / .milliseconds(25)) {
                try await clock.sleep(until: start + .milliseconds(25) * number)
                look()
                group.addTask {
                    let began = clock.now
                    let answer = await ask()
                    return (began.duration(to: answer.at), answer.error)
                }
            }
            var (latencies, errors) = ([Duration](), [String]())
            for try await (latency, error) in group {
                latencies.append(latency)
                if let error { errors.append(error) }
            }
            return (Latencies(latencies), errors)
        }
    }

    /// A flag that ends the attack.
    private final class Over: Sendable {
        let isTold = Atomic(false)
    }
}
