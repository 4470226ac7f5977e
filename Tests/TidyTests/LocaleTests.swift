import Testing

/// Locales: no output may depend on the language or region of a machine.
@Suite("Locales")
struct LocaleTests {
    /// Names that lead to Foundation's tables of languages, currencies and time zones.
    private static let refused = [
        "Locale(", "Locale.", "locale:", "NumberFormatter", "DateFormatter", "FormatStyle", "Calendar(identifier",
        "Calendar.current", "TimeZone(", "TimeZone.",
    ]

    /// The file that reads clock changes from the zone that a scenario names.
    private static let zones = "Sources/InputFiles/Times/ZonedClock.swift"

    @Test("No source formats with a locale: `String(format:)` without one has the point and no grouping anywhere")
    func none() throws {
        let paths = Repository.files(below: ["Sources", "Realtime/Sources"], endingWith: [".swift"])
        for path in paths where path != Self.zones {
            let text = String(decoding: try Repository.data(of: path), as: UTF8.self)
            for word in Self.refused { #expect(!text.contains(word), "\(path): \(word)") }
        }
    }
}
