internal import Yams

/// Composes a text although keys stand twice in a mapping, and remembers which.
///
/// The parser gives up at the first mapping with a duplicate and tells only where the key stands first. So that key is
/// renamed, without moving anything else, and the text composed again: what remains under the old name is the duplicate.
struct DuplicateKeys {
    /// Each one costs a parse.
    private static let limit = 16

    /// Marks renamed keys; from Unicode's private use area, so that no known key begins with it.
    private static let firstMark: UInt32 = 0xE000

    /// The renamed keys' places, with the names they had.
    private(set) var renamed: [Place: String] = [:]
    private var scalars: [Unicode.Scalar]
    private let index: SourceIndex

    init(text: String, index: SourceIndex) {
        scalars = Array(text.unicodeScalars)
        self.index = index
    }

    /// What to say of the renamed keys when there is no tree that tells where they stand again.
    var errors: [SourceError] {
        renamed.map { place, name in
            let message = "the key \(ScenarioNode.quoted(name)) stands twice in this section"
            return SourceError(place: place, message: message)
        }
        .sorted { $0.place < $1.place }
    }

    /// The document's root, in which renamed keys stand at the places of ``renamed``.
    ///
    /// Nil for an empty document, and when there are too many duplicates.
    mutating func compose() throws -> Node? {
        while true {
            do {
                var text = String.UnicodeScalarView()
                text.append(contentsOf: scalars)
                return try Yams.compose(yaml: String(text), .basic)
            } catch YamlError.duplicatedKeysInMapping(let names, let context) {
                guard let name = names.first, rename(name, at: context.mark.place), renamed.count < Self.limit else {
                    return nil
                }
            }
        }
    }

    private mutating func rename(_ name: String, at place: Place) -> Bool {
        guard renamed.updateValue(name, forKey: place) == nil, var position = index.position(of: place) else {
            return false
        }
        if ["\"", "'"].contains(scalars[position]) { position += 1 }
        guard scalars.indices.contains(position), !["[", "{"].contains(scalars[position]),
            let mark = Unicode.Scalar(Self.firstMark + UInt32(renamed.count))
        else { return false }
        scalars[position] = mark
        return true
    }
}
