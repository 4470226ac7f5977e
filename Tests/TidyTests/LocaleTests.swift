import Testing

/// Locales: the distributed programs have the tables of none, and formatting with one ends them by a signal.
@Suite("Locales")
struct LocaleTests {
    /// What leads to Foundation's tables of languages, currencies and time zones.
    private static let refused = [
        "Locale(", "Locale.", "locale:", "NumberFormatter", "DateFormatter", "FormatStyle", "Calendar(identifier",
        "Calendar.current", "TimeZone(", "TimeZone.",
    ]

    @Test("No source formats with a locale: `String(format:)` without one has the point and no grouping anywhere")
    func none() throws {
        let paths = Repository.files(below: ["Sources", "Realtime/Sources"], endingWith: [".swift"])
        #expect(paths.count > 300, "\(paths.count)")
        for path in paths {
            let text = String(decoding: try Repository.data(of: path), as: UTF8.self)
            for word in Self.refused { #expect(!text.contains(word), "\(path): \(word)") }
        }
    }
}
