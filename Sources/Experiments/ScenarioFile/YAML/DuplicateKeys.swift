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

    /// The document's root, in which renamed keys stand at the places of ``renamed``; nil for an empty document.
    mutating func compose() throws -> Node? {
        var latest: YAMLText.Flaw?
        while true {
            do {
                var text = String.UnicodeScalarView()
                text.append(contentsOf: scalars)
                return try Yams.compose(yaml: String(text), .basic)
            } catch YamlError.duplicatedKeysInMapping(let names, let context) {
                let name = names.first ?? ""
                let flaw = YAMLText.Flaw(
                    place: context.mark.place,
                    message: "the key \(ScenarioNode.quoted(name)) stands twice in this section"
                )
                latest = flaw
                guard renamed.count < Self.limit, rename(name, at: context.mark.place) else { throw flaw }
            } catch {
                // Renaming broke the text, as it does for keys that are no plain words.
                throw latest ?? error
            }
        }
    }

    private mutating func rename(_ name: String, at place: Place) -> Bool {
        guard var position = index.position(of: place) else { return false }
        if ["\"", "'"].contains(scalars[position]) { position += 1 }
        guard scalars.indices.contains(position),
            let mark = Unicode.Scalar(Self.firstMark + UInt32(renamed.count))
        else { return false }
        scalars[position] = mark
        return renamed.updateValue(name, forKey: place) == nil
    }
}
