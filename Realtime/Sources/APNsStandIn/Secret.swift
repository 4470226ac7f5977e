/// A text that a caller has to know.
struct Secret: Sendable {
    private let bytes: [UInt8]

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// Whether a text is the secret; found in a time that does not tell where two of one length differ.
    func isSame(as text: some StringProtocol) -> Bool {
        text.utf8.count == bytes.count && zip(text.utf8, bytes).reduce(0) { $0 | $1.0 ^ $1.1 } == 0
    }
}
