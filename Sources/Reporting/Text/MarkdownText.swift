/// Text from elsewhere within Markdown, such as the names of checks.
enum MarkdownText {
    /// Escapes links, images and HTML elements, so that a reader sees their characters.
    ///
    /// A `<` or `&` that begins nothing stays, so that comparisons remain readable.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        let scalars = Array(text.unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            let next = index + 1 < scalars.count ? scalars[index + 1] : " "
            switch scalar {
            case "[": escaped += "&#91;"
            case "<" where next.properties.isAlphabetic || "/!?".unicodeScalars.contains(next): escaped += "&lt;"
            case "&" where next.properties.isAlphabetic || next == "#": escaped += "&amp;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// Formats a text as code; a backtick, which would end it, is replaced.
    static func code(_ text: String) -> String { "`\(text.replacingScalars { $0 == "`" ? "'" : nil })`" }
}
