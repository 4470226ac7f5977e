import Testing

/// Locales: the distributed programs contain no locale data, and formatting with a locale crashes them.
@Suite("Locales")
struct LocaleTests {
    /// Names that load Foundation's tables of languages, currencies and time zones.
    private static let refused = [
        "Locale(", "Locale.", "locale:", "NumberFormatter", "DateFormatter", "FormatStyle", "Calendar(identifier",
        "Calendar.current", "TimeZone(", "TimeZone.",
    ]

    @Test("No source formats with a locale: without one, `String(format:)` uses the decimal point and no grouping")
    func none() throws {
        let paths = Repository.files(below: ["Sources", "Realtime/Sources"], endingWith: [".swift"])
        #expect(paths.count > 300, "\(paths.count)")
        for path in paths {
            let text = String(decoding: try Repository.data(of: path), as: UTF8.self)
            for word in Self.refused { #expect(!text.contains(word), "\(path): \(word)") }
        }
    }
}
