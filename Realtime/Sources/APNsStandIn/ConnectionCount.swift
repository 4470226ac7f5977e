import NIOCore
import Synchronization

/// How many connections a listener has, of which there may be only so many.
final class ConnectionCount: Sendable {
    private let most: Int
    private let count = Atomic<Int>(0)

    init(most: Int) {
        self.most = most
    }

    /// Counts a connection until it is closed, or closes it where there are too many.
    ///
    /// - Returns: Whether it may stay.
    func enters(_ channel: any Channel) -> Bool {
        guard count.add(1, ordering: .relaxed).newValue <= most else {
            count.subtract(1, ordering: .relaxed)
            channel.close(promise: nil)
            return false
        }
        channel.closeFuture.whenComplete { _ in self.count.subtract(1, ordering: .relaxed) }
        return true
    }
}
