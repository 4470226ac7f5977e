package import LiveActivityModel
package import Quantities
import Synchronization

/// The queue of news from the network's threads to the thread of the cells.
package final class LiveInbox: Sendable {
    /// A piece of news with its instant.
    package struct Item: Hashable, Sendable {
        /// The news for the cell.
        package let news: IncomingNews
        /// The virtual instant at which it arrives; items are not in the order of their instants.
        package let at: Instant

        /// An item.
        package init(_ news: IncomingNews, at: Instant) {
            self.news = news
            self.at = at
        }
    }

    private let items = Mutex<ContiguousArray<Item>>([])

    /// Adds items in order.
    package func put(_ batch: some Collection<Item>) {
        guard !batch.isEmpty else { return }
        items.withLock { $0.append(contentsOf: batch) }
    }

    /// Removes all items, in the order in which they were added.
    package func take(into emptied: inout ContiguousArray<Item>) {
        emptied.removeAll(keepingCapacity: true)
        items.withLock { swap(&$0, &emptied) }
    }
}
