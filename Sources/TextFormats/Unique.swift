extension Sequence {
    /// Returns the elements in order, without those whose key an earlier element has.
    package func unique<Key: Hashable>(by key: (Element) -> Key) -> [Element] {
        var known: Set<Key> = []
        return filter { known.insert(key($0)).inserted }
    }
}

extension Sequence where Element: Hashable {
    /// The elements in order, without repetitions.
    package var unique: [Element] { unique { $0 } }
}
