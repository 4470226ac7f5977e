/// Escaped text for HTML.
enum HTMLText {
    /// The characters with a meaning in elements or quoted attributes, with their entities.
    static let entities: [Unicode.Scalar: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"]

    /// Returns the text with these characters escaped.
    static func escaped(_ text: some StringProtocol) -> String { text.replacingScalars { entities[$0] } }
}
