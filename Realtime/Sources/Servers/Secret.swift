/// A text that a caller must know.
package struct Secret: Sendable {
    private let bytes: [UInt8]

    /// Creates a secret.
    package init(_ text: String) { bytes = Array(text.utf8) }

    /// Returns `true` if a text is the secret.
    ///
    /// The time depends on the length of the text alone. It reveals neither how much of the text is right nor how long the
    /// secret is.
    package func isSame(as text: some StringProtocol) -> Bool {
        guard !bytes.isEmpty else { return text.isEmpty }
        var difference = text.utf8.count ^ bytes.count
        for (index, byte) in text.utf8.enumerated() { difference |= Int(byte ^ bytes[index % bytes.count]) }
        return difference == 0
    }
}
