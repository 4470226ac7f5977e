/// The reasons of Apple's tables, as logs spell them.
///
/// Source: Apple, "Handling notification responses from APNs" and "Handling error responses from APNs". `BadEnvironmentKeyInToken`
/// is in no table, but in the wild (APNSwift knows it).
enum APNsReasonName {
    /// The reasons that a push to a device can meet, by the status that carries them.
    static let reasonsByStatus: [(status: Int, names: [String])] = [
        (
            400,
            [
                "BadCollapseId", "BadDeviceToken", "BadExpirationDate", "BadMessageId", "BadPriority", "BadTopic",
                "DeviceTokenNotForTopic", "DuplicateHeaders", "IdleTimeout", "InvalidPushType", "MissingDeviceToken",
                "MissingTopic", "PayloadEmpty", "TopicDisallowed",
            ]
        ),
        (
            403,
            [
                "BadCertificate", "BadCertificateEnvironment", "BadEnvironmentKeyIdInToken", "BadEnvironmentKeyInToken",
                "ExpiredProviderToken", "Forbidden", "InvalidProviderToken", "MissingProviderToken",
                "UnrelatedKeyIdInToken",
            ]
        ),
        (404, ["BadPath"]), (405, ["MethodNotAllowed"]), (410, ["ExpiredToken", "Unregistered"]),
        (413, ["PayloadTooLarge"]), (429, ["TooManyProviderTokenUpdates", "TooManyRequests"]),
        (500, ["InternalServerError"]), (503, ["ServiceUnavailable", "Shutdown"]),
    ]

    /// The reasons that only broadcast channels meet.
    private static let ofBroadcasts = [
        "BadChannelId", "BadRequestParams", "BadRequestPayload", "CannotCreateChannelConfig", "ChannelNotRegistered",
        "FeatureNotEnabled", "MissingChannelId", "MissingPushType", "TopicMismatch",
    ]

    /// Every name by its letters in lower case.
    private static let names: [String: String] = {
        let all = reasonsByStatus.flatMap(\.names) + ofBroadcasts
        return Dictionary(uniqueKeysWithValues: all.map { ($0.lowercased(), $0) })
    }()

    /// Texts that state no reason: nothing, or the usual phrase of the status.
    private static let nothing: Set<String> = [
        "", "null", "nil", "none", "na", "nan", "undefined", "unknown", "ok", "badrequest", "gone", "notfound", "error",
        "map", "n", "some", "reasonnone", "reasonnil", "reasonnull",
    ]

    /// Words that stand before a reason and are no part of it.
    private static let introductions: Set<String> = [
        "apns", "apnserror", "apnsreason", "code", "error", "errorreason", "failed", "failure", "http", "map", "push",
        "reason", "rejected", "response", "some", "status", "with",
    ]

    /// The part of a text that is searched for a reason [words].
    private static let wordsRead = 24
    /// The longest name of a reason [words].
    private static let longestName = 6

    /// The reason that a log states, spelt as Apple does where it is Apple's; empty where it states none.
    ///
    /// A reason may be a body as it came (`{"reason":"Shutdown"}`), also as Go or Rust print it (`map[reason:Shutdown]`,
    /// `Some(Error { reason: "Shutdown" })`), be written in any case (`BAD_DEVICE_TOKEN`), come after other words
    /// (`APNs error: …`) and have more text after it.
    static func reason(statedBy text: String) -> String {
        let stated = member("reason", of: text) ?? field("reason", of: text) ?? wrapped(text) ?? text
        let words = words(of: stated)
        if nothing.contains(words.drop { $0.allSatisfy(\.isNumber) }.joined()) { return "" }
        if stated != text, stated.allSatisfy(\.isWhitespace) { return "" }
        return known(words) ?? OneLine.excerpt(stated)
    }

    /// The name that stands among words: at their beginning, or anywhere if it is one of several words.
    private static func known(_ words: [String]) -> String? {
        var isAtStart = true
        for start in words.indices {
            let longest = min(longestName, words.count - start)
            for length in stride(from: longest, to: 0, by: -1) {
                let name = names[words[start..<(start + length)].joined()]
                // "Shutdown" within a sentence is a word; "BadDeviceToken" is always a name.
                guard let name, isAtStart || ColumnName(name).words.count > 1 else { continue }
                return name
            }
            isAtStart = isAtStart && (introductions.contains(words[start]) || words[start].allSatisfy(\.isNumber))
        }
        return nil
    }

    /// The first words of a text in small letters, parted at all but letters and digits.
    private static func words(of text: String) -> [String] {
        text.prefix(400).split(maxSplits: wordsRead) { !$0.isLetter && !$0.isNumber }.prefix(wordsRead)
            .map { $0.lowercased() }
    }

    /// The value of a field as Go prints a map, `map[reason:Shutdown timestamp:5]`, and Rust a struct, `Error { reason: "Shutdown" }`
    /// or `reason: Some(Shutdown)`; nil where there is no such field.
    private static func field(_ name: String, of text: String) -> String? {
        let text = text.prefix(2000)
        let lowered = text.lowercased()
        guard lowered.utf8.count == text.utf8.count, let place = lowered.firstRange(of: name + ":"),
            lowered[..<place.lowerBound].last.map({ !$0.isLetter && !$0.isNumber && $0 != "_" }) ?? true
        else { return nil }
        let offset = lowered.utf8.distance(from: lowered.startIndex, to: place.upperBound)
        let rest = String(decoding: text.utf8.dropFirst(offset), as: UTF8.self).drop { $0 == " " }
        let value = wrapped(String(rest)).map { $0[...] } ?? rest
        // Without quotes, a value ends with its word; a sentence after "reason:" is no value of a printed map.
        guard value.first != "\"" else { return String(value.dropFirst().prefix { $0 != "\"" && $0 != "\\" }) }
        let word = value.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
        return word.isEmpty || !text.hasPrefix("map[") && !text.contains("{") && value.count > word.count
            ? nil : String(word)
    }

    /// The content of Rust's `Some(…)`, without quotes; nil for any other text.
    private static func wrapped(_ text: String) -> String? {
        let start = "Some("
        guard text.hasPrefix(start) else { return nil }
        return String(text.dropFirst(start.count).prefix { $0 != ")" }.drop { $0 == "\"" }.prefix { $0 != "\"" })
    }

    /// The text of a member of an object as logs quote it, `{"reason": "Shutdown"}` or `{'reason': 'Shutdown'}`; nil where
    /// there is no such member.
    ///
    /// Not by a parser of JSON: bodies are often cut short, escaped twice, or written by another language's printer.
    private static func member(_ name: String, of text: String) -> String? {
        let text = text.prefix(2000)
        let lowered = text.lowercased()
        guard lowered.utf8.count == text.utf8.count,
            let place = lowered.firstRange(of: name),
            let before = lowered[..<place.lowerBound].last, before == "\"" || before == "'"
        else { return nil }
        let offset = lowered.utf8.distance(from: lowered.startIndex, to: place.upperBound)
        let rest = text.utf8.dropFirst(offset).drop { "\"'\\: \t".utf8.contains($0) }
        return String(decoding: rest.prefix { !"\"'\\,}".utf8.contains($0) }, as: UTF8.self)
    }
}
