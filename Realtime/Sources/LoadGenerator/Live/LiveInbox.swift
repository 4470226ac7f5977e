package import LiveActivityModel
package import Quantities
import Synchronization

/// Where threads of the network leave what they have heard for the thread of the cells.
package final class LiveInbox: Sendable {
    /// Something that was heard, and when.
    package struct Item: Hashable, Sendable {
        /// What the cell is to be told.
        package let news: IncomingNews
        /// The virtual instant at which it came, or will; an earlier piece of news may come later.
        package let at: Instant

        /// An item.
        package init(_ news: IncomingNews, at: Instant) {
            self.news = news
            self.at = at
        }
    }

    private let items = Mutex<ContiguousArray<Item>>([])

    /// Leaves several things, in order.
    package func put(_ batch: some Collection<Item>) {
        guard !batch.isEmpty else { return }
        items.withLock { $0.append(contentsOf: batch) }
    }

    /// Takes everything, in the order in which it was left.
    package func take(into emptied: inout ContiguousArray<Item>) {
        emptied.removeAll(keepingCapacity: true)
        items.withLock { swap(&$0, &emptied) }
    }
}
