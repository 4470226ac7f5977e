import InputFiles
import TextFormats

/// The reasons of Apple's tables in the spellings of logs.
///
/// Source: Apple, "Handling notification responses from APNs" and "Handling error responses from APNs".
/// `BadEnvironmentKeyInToken` is in neither table, but occurs in practice (APNSwift knows it).
enum APNsReasonName {
    /// The reasons for a push to a device, by the status that carries them.
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

    /// The reasons that only broadcast channels receive.
    private static let ofBroadcasts = [
        "BadChannelId", "BadRequestParams", "BadRequestPayload", "CannotCreateChannelConfig", "ChannelNotRegistered",
        "FeatureNotEnabled", "MissingChannelId", "MissingPushType", "TopicMismatch",
    ]

    /// All names by their lower-case letters.
    private static let names: [String: String] = {
        let all = reasonsByStatus.flatMap(\.names) + ofBroadcasts
        return Dictionary(uniqueKeysWithValues: all.map { ($0.lowercased(), $0) })
    }()

    /// Texts that state no reason: an empty text, or the usual phrase of the status.
    private static let nothing: Set<String> = [
        "", "null", "nil", "none", "na", "nan", "undefined", "unknown", "ok", "badrequest", "gone", "notfound", "error",
        "map", "n", "some", "reasonnone", "reasonnil", "reasonnull",
    ]

    /// Words that precede a reason and are not part of it.
    private static let introductions: Set<String> = [
        "apns", "apnserror", "apnsreason", "code", "error", "errorreason", "failed", "failure", "http", "map", "push",
        "reason", "rejected", "response", "some", "status", "with",
    ]

    /// The number of words of a text that are searched for a reason.
    private static let wordsRead = 24
    /// The longest name of a reason [words].
    private static let longestName = 6

    /// Returns the reason in a text of a log, in Apple's spelling if it is Apple's; empty if there is none.
    ///
    /// The text may be a raw body (`{"reason":"Shutdown"}`), also as Go or Rust print it (`map[reason:Shutdown]`,
    /// `Some(Error { reason: "Shutdown" })`). The reason may be in any case (`BAD_DEVICE_TOKEN`), follow other words
    /// (`APNs error: …`) and precede further text.
    static func reason(statedBy text: String) -> String {
        let stated = member("reason", of: text) ?? field("reason", of: text) ?? wrapped(text) ?? text
        let words = words(of: stated)
        if nothing.contains(words.drop { $0.allSatisfy(\.isNumber) }.joined()) { return "" }
        if stated != text, stated.allSatisfy(\.isWhitespace) { return "" }
        return known(words) ?? OneLine.excerpt(stated)
    }

    /// Returns the known name among words: at their beginning, or anywhere if the name has several words.
    private static func known(_ words: [String]) -> String? {
        var isAtStart = true
        for start in words.indices {
            let longest = min(longestName, words.count - start)
            for length in stride(from: longest, to: 0, by: -1) {
                let name = names[words[start..<(start + length)].joined()]
                // "Shutdown" in the middle of a sentence is an ordinary word; "BadDeviceToken" is always a name.
                guard let name, isAtStart || ColumnName(name).words.count > 1 else { continue }
                return name
            }
            isAtStart = isAtStart && (introductions.contains(words[start]) || words[start].allSatisfy(\.isNumber))
        }
        return nil
    }

    /// Returns the first words of a text in lower case, split at all characters but letters and digits.
    private static func words(of text: String) -> [String] {
        text.prefix(400).split(maxSplits: wordsRead) { !$0.isLetter && !$0.isNumber }.prefix(wordsRead)
            .map { $0.lowercased() }
    }

    /// Returns the value of a field as Go prints a map, `map[reason:Shutdown timestamp:5]`, and Rust a struct, `Error {
    /// reason: "Shutdown" }` or `reason: Some(Shutdown)`; nil if there is no such field.
    private static func field(_ name: String, of text: String) -> String? {
        let text = text.prefix(2000)
        let lowered = text.lowercased()
        guard lowered.utf8.count == text.utf8.count, let place = lowered.firstRange(of: name + ":"),
            lowered[..<place.lowerBound].last.map({ !$0.isLetter && !$0.isNumber && $0 != "_" }) ?? true
        else { return nil }
        let offset = lowered.utf8.distance(from: lowered.startIndex, to: place.upperBound)
        let rest = String(decoding: text.utf8.dropFirst(offset), as: UTF8.self).drop { $0 == " " }
        let value = wrapped(String(rest)).map { $0[...] } ?? rest
        // Without quotes, a value ends with its word. A sentence after "reason:" is not a value of a printed map.
        guard value.first != "\"" else { return String(value.dropFirst().prefix { $0 != "\"" && $0 != "\\" }) }
        let word = value.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
        return word.isEmpty || !text.hasPrefix("map[") && !text.contains("{") && value.count > word.count
            ? nil : String(word)
    }

    /// Returns the content of Rust's `Some(…)`, without quotes; nil for any other text.
    private static func wrapped(_ text: String) -> String? {
        let start = "Some("
        guard text.hasPrefix(start) else { return nil }
        return String(text.dropFirst(start.count).prefix { $0 != ")" }.drop { $0 == "\"" }.prefix { $0 != "\"" })
    }

    /// Returns the text of an object's member as logs quote it, `{"reason": "Shutdown"}` or `{'reason': 'Shutdown'}`;
    /// nil if there is no such member.
    ///
    /// It does not use a JSON parser, because bodies are often truncated, escaped twice, or printed by another
    /// language.
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
