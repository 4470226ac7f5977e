/// Texts that wait for one who reads them, oldest first, within a number of bytes.
///
/// A text that finds no room takes that of the oldest ones; the newest stays even if it alone is larger, since it is what
/// a page shows next.
package struct EventBacklog: Sendable {
    /// How many bytes may wait.
    package let limit: Int
    /// How many bytes wait.
    package private(set) var bytes = 0
    private var texts: [String] = []
    /// Where the oldest text stands; those before it were taken.
    private var first = 0

    /// Nothing waits yet.
    ///
    /// - Parameter limit: How many bytes may wait.
    package init(limit: Int) { self.limit = limit }

    /// How many texts wait.
    package var count: Int { texts.count - first }

    /// Adds a text, and drops the oldest ones that have no room beside it.
    package mutating func append(_ text: String) {
        texts.append(text)
        bytes += text.utf8.count
        while bytes > limit, count > 1 { _ = popFirst() }
    }

    /// Takes the oldest text; nil where none waits.
    ///
    /// Constant time on average.
    package mutating func popFirst() -> String? {
        guard first < texts.count else { return nil }
        let text = texts[first]
        texts[first] = ""
        first += 1
        bytes -= text.utf8.count
        if first * 2 >= texts.count {
            texts.removeFirst(first)
            first = 0
        }
        return text
    }
}
