public import Experiments
public import TextFormats

/// What keys scenario files have, for readers: a list, one key in full, a page of the documentation, JSON.
public struct KeyReference {
    private let keys: [KeyDescription]
    private let example: ExampleScenario?

    /// A reference of some keys, in their order, with what an example has at each of them.
    public init(_ keys: [KeyDescription], example: ExampleScenario?) {
        self.keys = keys
        self.example = example
    }

    /// Up to this many keys are shown in full.
    private static let mostInFull = 5

    /// For a terminal: of few keys everything, of many a line or two each.
    public var plain: String {
        keys.map { keys.count > Self.mostInFull ? brief($0) : full($0) }
            .joined(separator: keys.count > Self.mostInFull ? "" : "\n")
    }

    private func brief(_ key: KeyDescription) -> String {
        let usual = key.usual.map { "  [\($0)]" } ?? ""
        return "\(key.path)\(usual)\n  \(key.meaning)\n"
    }

    private func full(_ key: KeyDescription) -> String {
        var text = "\(key.path)\n  \(key.meaning)\n"
        text += "  allowed: \(key.allowed)\n"
        if !key.isSection { text += "  default: \(key.usual ?? "none, it must be given")\n" }
        text += "  read by: \(Self.readers(of: key))\n"
        if let example, let lines = example.lines(at: key.path), !key.isSection {
            text += "  as \(example.name) has it:\n" + lines.map { "    \($0)\n" }.joined()
        }
        return text
    }

    /// The commands whose outcome a key can change.
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

    /// A table in Markdown for each section.
    public var markdown: String {
        let sections = keys.filter(\.isSection).map(\.path)
        var text = ""
        for section in [""] + sections {
            let own = keys.filter { key in
                !key.isSection && Self.section(of: key, among: sections) == section
            }
            guard !own.isEmpty else { continue }
            if !section.isEmpty {
                text += "\n## `\(section)`\n\n"
                text += (keys.first { $0.path == section }?.meaning ?? "") + "\n\n"
            }
            let table = TextTable(
                [("key", .left), ("meaning", .left), ("allowed", .left), ("default", .left)],
                rows: own.map { key in
                    ["`\(key.path)`", key.meaning, key.allowed, key.usual.map { "`\($0)`" } ?? "must be given"]
                }
            )
            text += table.markdown + "\n"
        }
        return text
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
