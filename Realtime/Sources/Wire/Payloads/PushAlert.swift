package import TextFormats

/// The alert of a push, which lights up the screen and sounds: a JSON object with a title, a text and perhaps a sound.
///
/// Source: Apple, "Starting and updating Live Activities with ActivityKit push notifications".
package struct PushAlert: Hashable, Sendable {
    /// The JSON object.
    package private(set) var json: [UInt8]

    /// Creates an alert; without a sound the phone only lights up.
    package init(title: String, body: String, sound: String? = nil) {
        var text = JSONText()
        text.add("title", title)
        text.add("body", body)
        text.add("sound", sound)
        json = Array(text.document.utf8)
    }

    /// Reads the alert of a payload, an object or a text; `nil` if it is empty or neither.
    init?(_ value: JSONMembers.Value) {
        switch value {
        case .string(let text) where !text.isEmpty: self.init(title: "", body: text)
        case .object(let json) where value.members?.members.isEmpty == false:
            self.init(title: "", body: "")
            self.json = json
        default: return nil
        }
    }

    /// Reads the object of an announcement.
    ///
    /// - Throws: The member that is missing, unknown or not a text.
    package init(announced object: JSONMembers) throws(MonitorBodyError) {
        let names = ["title", "body", "sound"]
        if let unknown = object.members.first(where: { !names.contains($0.name) }) {
            throw MonitorBodyError(
                what: "an unknown field of alert",
                got: String(unknown.name.prefix(32)),
                allowed: names.joined(separator: ", ")
            )
        }
        func text(_ name: String, isRequired: Bool) throws(MonitorBodyError) -> String? {
            let value = object[name].flatMap { $0 == .null ? nil : $0 }
            if value == nil, !isRequired { return nil }
            guard let text = value?.text, !text.isEmpty else {
                let got = value?.kind ?? "nothing"
                throw MonitorBodyError(what: "field alert.\(name)", got: got, allowed: "a text that is not empty")
            }
            return text
        }
        self.init(
            title: try text("title", isRequired: true) ?? "",
            body: try text("body", isRequired: true) ?? "",
            sound: try text("sound", isRequired: false)
        )
    }

    /// The title; `nil` if it has none, or a localised one.
    package var title: String? { (try? JSONMembers(json))?["title"]?.text }
    /// The text; `nil` if it has none, or a localised one.
    package var body: String? { (try? JSONMembers(json))?["body"]?.text }

    /// The size of the alert in a payload [bytes].
    package var byteCount: Int { json.count + #","alert":"#.utf8.count }
}
