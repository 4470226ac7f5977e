import TextFormats

/// The content of a run's own rides, written and read: when it was generated, and filler.
package enum RideContent {
    /// The content, generated at a time [UNIX µs], as JSON of the length that is asked for unless it is longer.
    package static func state(generatedAt: Int64, filledTo count: Int = 0) -> [UInt8] {
        var json = JSONText()
        json.add("generated_at_us", generatedAt)
        let filler = count - json.document.utf8.count - 7
        if filler > 0 { json.add("p", String(repeating: "x", count: filler)) }
        return Array(json.document.utf8)
    }

    /// When content was generated [UNIX µs]; nil where it does not say.
    package static func generatedAt(_ state: [UInt8]) -> Int64? {
        (try? JSONMembers(state))?["generated_at_us"]?.integer()
    }
}
