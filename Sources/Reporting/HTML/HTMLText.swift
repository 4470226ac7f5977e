/// Text as it may stand in HTML.
enum HTMLText {
    /// What means something in elements or in quoted attributes, as entities.
    static let entities: [Unicode.Scalar: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"]

    /// The text with everything escaped that means something.
    static func escaped(_ text: some StringProtocol) -> String { text.replacingScalars { entities[$0] } }
}
