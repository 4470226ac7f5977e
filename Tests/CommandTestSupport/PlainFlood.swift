import Foundation
import Synchronization

/// An HTTP/1 flood from a separate thread, with its effect on the process and on another client.
public struct PlainFlood: Sendable {
    private enum Course {
        /// Many connections that send piece by piece, with a pause after each round [s].
        ///
        /// Closed connections are opened again.
        case slowly(piece: [UInt8], pause: Double, connections: Int)
        /// One connection after the other, as fast as possible.
        case again
    }

    private let opening: [UInt8]
    private let course: Course

    /// Sends an opening on many connections, followed by pieces without end.
    public static func slowly(_ opening: String, piece: String, pause: Double, connections: Int = 500) -> PlainFlood {
        let course = Course.slowly(piece: Array(piece.utf8), pause: pause, connections: connections)
        return PlainFlood(opening: Array(opening.utf8), course: course)
    }

    /// Opens connections, sends a request if there is one, and closes them.
    ///
    /// Without a request they are reset.
    public static func again(_ request: String = "") -> PlainFlood {
        PlainFlood(opening: Array(request.utf8), course: .again)
    }

    /// The result of a flood.
    public struct Result: Sendable {
        /// The client's latencies and errors without the flood, and during it.
        public let quiet, attacked: (latencies: Latencies, errors: [String])
        /// The figures of the process before the flood, and one second after it.
        public let before, after: ProcessFigures
        /// The number of file descriptors of the process at the end of the flood.
        public let descriptors: Int
        /// The number of connections that the flood opened.
        public let connections: Int

        /// The figures as text.
        public var text: String {
            "good \(quiet.latencies.text) → \(attacked.latencies.text); \(before.resident / 1024) → "
                + "\(after.peak / 1024) MB at most, \(after.resident / 1024) MB after; descriptors "
                + "\(before.descriptors) → \(descriptors); \(connections) connections"
        }

        /// `true` if the client's p99 is at most 25 times the p99 without the flood, for which `quickest` is the lower
        /// limit.
        public func isServed(atLeast quickest: Duration) -> Bool {
            attacked.latencies.quantile(0.99) <= max(quiet.latencies.quantile(0.99), quickest) * 25
        }

        /// `true` if memory has grown by less than this number of megabytes.
        public func grewLess(thanMegabytes most: Int) -> Bool { after.peak - before.resident < most * 1024 }
    }

    /// Floods a port of a process while a client sends requests; nil if the process cannot be inspected.
    ///
    /// - Parameters:
    /// - seconds: The duration of the flood.
    /// - ask: Sends one request and returns the error in its response, if any.
    public func result(
        port: Int,
        processID: Int32,
        seconds: Int,
        ask: @escaping @Sendable () async -> String?
    ) async throws -> Result? {
        // The first responses are slow and are not measured.
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

    /// Sends 40 requests per second; returns the latencies and the errors.
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

    /// A flag that ends the attack.
    private final class Over: Sendable {
        let isTold = Atomic(false)
    }

    /// Runs until it is stopped; returns the number of connections it opened.
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
