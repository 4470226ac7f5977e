public import Quantities

/// A script, with the log that every host of it must produce.
///
/// In a text, a history is a paragraph: its name, its settings, and its log. Semicolons separate settings and instants
/// [s], commas separate the events of one instant.
///
///     outage: given up, and ended by the schedule
///         clock.duration=195s; monitor.end_schedule=[0s, 30s]
///         60 class stale, send retry; 160 class severe, send end
///         190 send end
///         service: 60 class stale
///
/// A word and a colon begin another log, such as that of one kind of host. A line that begins with # is a comment.
public struct History: Sendable, CustomStringConvertible {
    /// The subject of the history.
    public let name: String
    /// The settings, mostly `key.path=value`.
    public private(set) var settings: [String] = []
    /// The logs by their word; `log` for the one without a word.
    public private(set) var logs: [String: [String]] = [:]

    public var description: String { name }

    /// The expected log: `60 class stale`, one event each.
    public var log: [String] { logs["log", default: []] }

    /// Reads the histories of a text.
    public static func read(_ text: String) -> [History] { text.split(separator: "\n\n").map(History.init(paragraph:)) }

    private init(paragraph: Substring) {
        let rows = paragraph.split(separator: "\n").filter { !$0.hasPrefix("#") }
        name = String(rows[0])
        var log = "log"
        for row in rows.dropFirst() {
            var text = row.drop { $0 == " " }
            let word = text.prefix { $0.isLetter || $0 == "+" }
            if text[word.endIndex...].hasPrefix(": ") {
                log = String(word)
                text = text[word.endIndex...].dropFirst(2)
            } else if text.first?.isNumber != true {
                settings += text.split(separator: "; ").map(String.init)
                continue
            }
            logs[log, default: []] += text.split(separator: "; ").flatMap(Self.events)
        }
    }

    /// Returns the events of an instant, each with the instant.
    private static func events(_ text: Substring) -> [String] {
        let instant = text.prefix { $0.isNumber || $0 == "." }
        guard !instant.isEmpty else { return [String(text)] }
        return text.dropFirst(instant.count + 1).split(separator: ", ").map { "\(instant) \($0)" }
    }

    /// Returns the value of a setting, or an empty text.
    public subscript(setting key: String) -> Substring {
        settings.first { $0.hasPrefix("\(key)=") }?.dropFirst(key.count + 1) ?? ""
    }

    /// Returns the first line in which a log differs from the expected one; nil if it is the same.
    ///
    /// - Parameter expected: The log of the host, which may end with " …" for any further lines; nil for ``log``.
    public func difference(from log: [String], expected: [String]? = nil) -> String? {
        var (log, expected) = (log, expected ?? self.log)
        if let last = expected.last, last.hasSuffix(" …") {
            expected[expected.count - 1] = String(last.dropLast(2))
            log = Array(log.prefix(expected.count))
        }
        guard let place = (0..<max(log.count, expected.count)).first(where: { log[at: $0] != expected[at: $0] }) else {
            return nil
        }
        return "line \(place + 1) is \"\(log[at: place])\", must be \"\(expected[at: place])\""
    }
}

extension [String] {
    fileprivate subscript(at place: Int) -> String { indices.contains(place) ? self[place] : "nothing" }
}

extension Instant {
    /// Seconds with as many decimals as necessary.
    public var seconds: String {
        guard microseconds % 1_000_000 != 0 else { return "\(microseconds / 1_000_000)" }
        var decimals = "\(1_000_000 + microseconds % 1_000_000)".dropFirst()
        while decimals.last == "0" {
            decimals.removeLast()
        }
        return "\(microseconds / 1_000_000).\(decimals)"
    }
}
