/// Words of others within Markdown, as the names of checks.
enum MarkdownText {
    /// The text without links, pictures and elements of HTML: a reader sees their characters.
    ///
    /// A `<` or `&` that begins nothing stays, so that comparisons read as they are written.
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

    /// The text as code: a mark that would end it is shown as another one.
    static func code(_ text: String) -> String { "`\(text.replacingScalars { $0 == "`" ? "'" : nil })`" }
}
