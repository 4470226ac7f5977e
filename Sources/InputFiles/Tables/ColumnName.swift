/// The parsed name of a column: `sentAt`, `Sent-At` and `sent_at` are the same name, `latencyMs` and `latency (ms)` end
/// with a unit.
package struct ColumnName: Hashable {
    /// The words in lower case.
    package let words: [String]

    /// Splits a name into words, at characters other than letters and digits, and where a capital follows a lower-case
    /// letter.
    package init(_ name: String) {
        var words: [String] = []
        var word = ""
        var previousIsSmall = false
        func end() {
            if !word.isEmpty { words.append(word.lowercased()) }
            word = ""
        }
        for character in name.unicodeScalars {
            let isPart = character.properties.isAlphabetic || character.properties.numericType != nil
            if !isPart || previousIsSmall && character.properties.isUppercase { end() }
            if isPart { word.unicodeScalars.append(character) }
            previousIsSmall = character.properties.isLowercase || character.properties.numericType != nil
        }
        end()
        self.words = words
    }

    /// The name without case and separators.
    package var key: String { words.joined() }
}
