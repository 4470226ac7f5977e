import Foundation

/// An HTTP/1 flood from a separate thread.
public struct PlainFlood: Sendable {
    private enum Course {
        /// Many connections that send piece by piece, with a pause after each round [s].
        ///
        /// Closed connections are opened again.
        case slowly(piece: [UInt8], pause: Double, connections: Int)
        /// One connection after the other, as fast as possible, closed or reset.
        case again(isReset: Bool)
    }

    private let opening: [UInt8]
    private let course: Course

    /// Sends an opening on many connections, followed by pieces without end.
    public static func slowly(_ opening: String, piece: String, pause: Double, connections: Int = 500) -> PlainFlood {
        let course = Course.slowly(piece: Array(piece.utf8), pause: pause, connections: connections)
        return PlainFlood(opening: Array(opening.utf8), course: course)
    }

    /// Opens connections, sends an opening, and closes or resets them.
    public static func again(_ opening: [UInt8] = [], isReset: Bool) -> PlainFlood {
        PlainFlood(opening: opening, course: .again(isReset: isReset))
    }

    /// Runs until it is stopped; returns the number of connections it opened.
    public func run(port: Int, until isOver: @escaping @Sendable () -> Bool) async -> Int {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                switch course {
                case .slowly(let piece, let pause, let count):
                    continuation.resume(returning: slowly(port, piece, pause, on: count, isOver))
                case .again(let isReset): continuation.resume(returning: again(port, isReset, isOver))
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

    private func again(_ port: Int, _ isReset: Bool, _ isOver: () -> Bool) -> Int {
        var made = 0
        while !isOver() {
            guard let socket = RawSocket(port: port) else { continue }
            if !opening.isEmpty { socket.send(opening) }
            socket.close(byReset: isReset)
            made += 1
        }
        return made
    }
}
