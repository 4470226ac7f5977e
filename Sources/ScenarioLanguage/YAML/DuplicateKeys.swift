import InputFiles
internal import Yams

/// Parses a text with duplicate keys in a mapping, and records them.
///
/// The parser stops at the first mapping with a duplicate, and reports only the first place of the key. So that key is
/// renamed without moving anything else, and the text is parsed again. The key that then has the old name is the
/// duplicate.
struct DuplicateKeys {
    /// The maximum number of duplicates, because each costs a parse.
    private static let limit = 16

    /// The mark of renamed keys, from Unicode's private use area, so that no known key begins with it.
    private static let firstMark: UInt32 = 0xE000

    /// The places of renamed keys, with their original names.
    private(set) var renamed: [Place: String] = [:]
    private var scalars: [Unicode.Scalar]
    private let index: SourceIndex

    init(text: String, index: SourceIndex) {
        scalars = Array(text.unicodeScalars)
        self.index = index
    }

    /// The errors for renamed keys if there is no tree that shows the second places.
    var errors: [SourceError] {
        renamed.map { place, name in
            let message = "the key \(ScenarioNode.quoted(name)) is given twice in this section"
            return SourceError(place: place, message: message)
        }
        .sorted { $0.place < $1.place }
    }

    /// Returns the document's root, with renamed keys at the places of ``renamed``.
    ///
    /// Returns nil for an empty document, and if there are too many duplicates.
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
