import Foundation
import Synchronization

/// A flood of HTTP/1 from a thread of its own, and what it does to a client beside it and to the process.
public struct PlainFlood: Sendable {
    private enum Course {
        /// On many connections, piece by piece with a pause after each round [s]; what was closed is made anew.
        case slowly(piece: [UInt8], pause: Double, connections: Int)
        /// On one connection after the other, as fast as it goes.
        case again
    }

    private let opening: [UInt8]
    private let course: Course

    /// Sends an opening on many connections, and then pieces for ever.
    public static func slowly(_ opening: String, piece: String, pause: Double, connections: Int = 500) -> PlainFlood {
        let course = Course.slowly(piece: Array(piece.utf8), pause: pause, connections: connections)
        return PlainFlood(opening: Array(opening.utf8), course: course)
    }

    /// Makes connections, sends a request if there is one, and closes them; without one by a reset.
    public static func again(_ request: String = "") -> PlainFlood {
        PlainFlood(opening: Array(request.utf8), course: .again)
    }

    /// What has come of a flood.
    public struct Result: Sendable {
        /// What the client has seen without the flood, and with it.
        public let quiet, attacked: (latencies: Latencies, errors: [String])
        /// The process before the flood, and a second after it.
        public let before, after: ProcessFigures
        /// The descriptors of the process at the end of the flood.
        public let descriptors: Int
        /// How many connections the flood has made.
        public let connections: Int

        /// The figures, for people.
        public var text: String {
            "good \(quiet.latencies.text) → \(attacked.latencies.text); \(before.resident / 1024) → "
                + "\(after.peak / 1024) MB at most, \(after.resident / 1024) MB after; descriptors "
                + "\(before.descriptors) → \(descriptors); \(connections) connections"
        }

        /// Whether the client's p99 is at most 25 times that without the flood, which is taken as some time at least.
        public func isServed(atLeast quickest: Duration) -> Bool {
            attacked.latencies.quantile(0.99) <= max(quiet.latencies.quantile(0.99), quickest) * 25
        }

        /// Whether memory has grown by less than a number of megabytes.
        public func grewLess(thanMegabytes most: Int) -> Bool { after.peak - before.resident < most * 1024 }
    }

    /// Floods a port of a process while a client asks; nil where the process cannot be looked at.
    ///
    /// - Parameters:
    ///   - seconds: How long the flood lasts.
    ///   - ask: Asks once, and says what was wrong with the answer, if anything was.
    public func result(
        port: Int,
        processID: Int32,
        seconds: Int,
        ask: @escaping @Sendable () async -> String?
    ) async throws -> Result? {
        // What is slow once, as the first answers are, is not measured.
        _ = try await Self.answers(for: .milliseconds(250), ask)
        let quiet = try await Self.answers(for: .seconds(5), ask)
        guard let before = ProcessFigures(of: processID) else { return nil }
        let over = Over()
        let attacking = Task { await run(port: port) { over.isTold.load(ordering: .relaxed) } }
        let attacked = try await Self.answers(for: .seconds(seconds), ask)
        let descriptors = ProcessFigures(of: processID)?.descriptors ?? 0
        over.isTold.store(true, ordering: .relaxed)
        let connections = await attacking.value
        try await Task.sleep(for: .seconds(1))
        guard let after = ProcessFigures(of: processID) else { return nil }
        return Result(
            quiet: quiet,
            attacked: attacked,
            before: before,
            after: after,
            descriptors: descriptors,
            connections: connections
        )
    }

    /// Asks 40 times a second; how long answers took, and what was wrong with them.
    private static func answers(
        for span: Duration,
        _ ask: @escaping @Sendable () async -> String?
    ) async throws -> (latencies: Latencies, errors: [String]) {
        let clock = ContinuousClock()
        let start = clock.now
        return try await withThrowingTaskGroup(of: (Duration, String?).self) { group in
            for number in 0..<Int(span / .milliseconds(25)) {
                try await clock.sleep(until: start + .milliseconds(25) * number)
                group.addTask {
                    let began = clock.now
                    let error = await ask()
                    return (began.duration(to: clock.now), error)
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

    /// Whether the attack is over.
    private final class Over: Sendable {
        let isTold = Atomic(false)
    }

    /// Goes on until it is told to stop; returns how many connections it has made.
    private func run(port: Int, until isOver: @escaping @Sendable () -> Bool) async -> Int {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                switch course {
                case .slowly(let piece, let pause, let count):
                    continuation.resume(returning: slowly(port, piece, pause, on: count, isOver))
                case .again: continuation.resume(returning: again(port, isOver))
                }
            }
        }
    }

    private func slowly(_ port: Int, _ piece: [UInt8], _ pause: Double, on count: Int, _ isOver: () -> Bool) -> Int {
        var sockets: [RawSocket?] = Array(repeating: nil, count: count)
        var made = 0
        while !isOver() {
            for place in sockets.indices {
                if let socket = sockets[place] {
                    if !socket.send(piece) {
                        socket.close()
                        sockets[place] = nil
                    }
                } else if let socket = RawSocket(port: port) {
                    socket.send(opening)
                    sockets[place] = socket
                    made += 1
                }
            }
            Thread.sleep(forTimeInterval: pause)
        }
        for socket in sockets { socket?.close() }
        return made
    }

    private func again(_ port: Int, _ isOver: () -> Bool) -> Int {
        var made = 0
        while !isOver() {
            guard let socket = RawSocket(port: port) else { continue }
            if !opening.isEmpty { socket.send(opening) }
            socket.close(byReset: opening.isEmpty)
            made += 1
        }
        return made
    }
}
