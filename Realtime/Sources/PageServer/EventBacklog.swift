import DequeModule

/// Texts that wait for one who reads them, oldest first, within a number of bytes.
///
/// A text that finds no room takes that of the oldest ones; the newest stays even if it alone is larger, since it is what
/// a page shows next.
package struct EventBacklog: Sendable {
    /// How many bytes may wait.
    package let limit: Int
    /// How many bytes wait.
    package private(set) var bytes = 0
    private var texts: Deque<String> = []

    /// Nothing waits yet.
    ///
    /// - Parameter limit: How many bytes may wait.
    package init(limit: Int) { self.limit = limit }

    /// How many texts wait.
    package var count: Int { texts.count }

    /// Adds a text, and drops the oldest ones that have no room beside it.
    package mutating func append(_ text: String) {
        texts.append(text)
        bytes += text.utf8.count
        while bytes > limit, count > 1 { _ = popFirst() }
    }

    /// Takes the oldest text; nil where none waits.
    package mutating func popFirst() -> String? {
        guard let text = texts.popFirst() else { return nil }
        bytes -= text.utf8.count
        return text
    }
}
