public import ScenarioLanguage
public import TextFormats

/// A reference of the keys of scenario files: a list, single keys in full, a page of documentation, or JSON.
public struct KeyReference {
    private let keys: [KeyDescription]
    private let example: ExampleScenario?

    /// Creates a reference of some keys, in order, with the values of an example.
    public init(_ keys: [KeyDescription], example: ExampleScenario?) {
        self.keys = keys
        self.example = example
    }

    /// The largest number of keys that are shown in full.
    private static let mostInFull = 5

    /// Text for a terminal: a few keys in full, or a short entry for each of many, after the section that has all of them.
    public var plain: String {
        guard keys.count > Self.mostInFull else { return keys.map(full).joined(separator: "\n") }
        let others = keys.dropFirst()
        guard let section = keys.first, others.allSatisfy({ $0.path.hasPrefix("\(section.path).") }) else {
            return keys.map(brief).joined()
        }
        return full(section) + "\n" + others.map(brief).joined()
    }

    private func brief(_ key: KeyDescription) -> String {
        let usual = key.usual.map { "  [\($0)]" } ?? ""
        return "\(key.path)\(usual)\n  \(key.meaning)\n"
    }

    private func full(_ key: KeyDescription) -> String {
        var text = "\(key.path)\n  \(key.meaning)\n"
        text += "  allowed: \(key.allowed)\n"
        if !key.isSection { text += "  default: \(key.usual ?? "none, required")\n" }
        text += "  read by: \(Self.readers(of: key))\n"
        if let example, let lines = example.lines(at: key.path), !key.isSection {
            text += "  in \(example.name):\n" + lines.map { "    \($0)\n" }.joined()
        }
        return text
    }

    /// The commands whose results a key can change.
    static func readers(of key: KeyDescription) -> String {
        let simulating = "run, sweep, plan, tune, studio"
        let hosting = "\(simulating), load scenario, load monitor"
        return switch key.path.prefix(while: { $0 != "." }) {
        case "extends", "name", "description": "all commands"
        case "factors": "run, sweep, plan, tune"
        case "checks": "run, check, load scenario, load monitor"
        case "replications": simulating
        case "monitor", "sender": "\(hosting), monitor"
        case "apns", "clock", "devices", "faults": "\(hosting), apns"
        case "seed": "\(hosting), apns, monitor"
        default: hosting
        }
    }

    /// Markdown with a heading for each section and an entry for each key, so that both can be linked.
    public var markdown: String {
        let sections = keys.filter(\.isSection)
        let paths = sections.map(\.path)
        var parts: [String] = []
        for (path, heading) in [("", "## Top level\n")] + sections.map({ ($0.path, Self.heading($0)) }) {
            let own = keys.filter { !$0.isSection && Self.section(of: $0, among: paths) == path }
            if !own.isEmpty { parts += [heading] + own.map(Self.entry) }
        }
        return parts.joined(separator: "\n")
    }

    private static func heading(_ section: KeyDescription) -> String {
        "## `\(section.path)`\n\n\(section.meaning)\n"
    }

    private static func entry(_ key: KeyDescription) -> String {
        let usual = key.usual.map { "Default: `\($0)`." } ?? "Required."
        return "### `\(key.path)`\n\n\(key.meaning)\n\nAllowed: \(key.allowed). \(usual)\n"
    }

    /// The innermost section around a key; empty for none.
    private static func section(of key: KeyDescription, among sections: [String]) -> String {
        sections.filter { key.path.hasPrefix($0 + ".") }.max { $0.count < $1.count } ?? ""
    }

    /// An array of objects, for scripts.
    public var json: JSONValue {
        .array(
            keys.map { key in
                [
                    "key": .string(key.path), "meaning": .string(key.meaning), "allowed": .string(key.allowed),
                    "default": key.usual.map { .string($0) } ?? .null, "section": .bool(key.isSection),
                    "read_by": .string(Self.readers(of: key)),
                ]
            }
        )
    }
}
