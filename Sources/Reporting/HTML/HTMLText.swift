/// Text as it may stand in HTML.
enum HTMLText {
    /// The text with everything escaped that means something in elements or in quoted attributes.
    static func escaped(_ text: some StringProtocol) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            default: escaped.append(character)
            }
        }
        return escaped
    }
}
