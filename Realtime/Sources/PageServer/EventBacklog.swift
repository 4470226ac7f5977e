import DequeModule

/// A bounded queue of texts for a reader, oldest first.
///
/// A new text displaces the oldest ones if there is no room. The newest text is always kept, even if it alone exceeds
/// the limit, since the page shows it next.
package struct EventBacklog: Sendable {
    /// The maximum size of the queue [bytes].
    package let limit: Int
    /// The current size of the queue [bytes].
    package private(set) var bytes = 0
    private var texts: Deque<String> = []

    /// Creates an empty backlog.
    ///
    /// - Parameter limit: The maximum size [bytes].
    package init(limit: Int) { self.limit = limit }

    /// The number of texts in the queue.
    package var count: Int { texts.count }

    /// Adds a text and drops the oldest ones until it fits.
    package mutating func append(_ text: String) {
        texts.append(text)
        bytes += text.utf8.count
        while bytes > limit, count > 1 { _ = popFirst() }
    }

    /// Removes and returns the oldest text; `nil` if the backlog is empty.
    package mutating func popFirst() -> String? {
        guard let text = texts.popFirst() else { return nil }
        bytes -= text.utf8.count
        return text
    }
}
