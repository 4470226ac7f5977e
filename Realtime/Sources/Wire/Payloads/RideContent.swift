import TextFormats

/// The content of a run's own rides, written and read: its generation time, and filler.
package enum RideContent {
    /// The alert of a stage that has one.
    package static var alert: PushAlert { PushAlert(title: "Ride", body: "Next stage") }

    /// Returns the content, generated at a time [UNIX µs], as JSON padded to a length unless it is longer already.
    package static func state(generatedAt: Int64, filledTo count: Int = 0) -> [UInt8] {
        var json = JSONText()
        json.add("generated_at_us", generatedAt)
        let filler = count - json.document.utf8.count - 7
        if filler > 0 { json.add("p", String(repeating: "x", count: filler)) }
        return Array(json.document.utf8)
    }

    /// Returns the generation time of content [UNIX µs]; `nil` if it has none.
    package static func generatedAt(_ state: [UInt8]) -> Int64? {
        (try? JSONMembers(state))?["generated_at_us"]?.integer()
    }
}
