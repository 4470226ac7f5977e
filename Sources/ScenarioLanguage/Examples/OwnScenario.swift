import InputFiles
import LiveActivityModel

/// A user's scenario file: the text of an example with other values at some keys, and with its comments.
///
/// A copy with other values has a description of its own, a remark at its top, and no comments that begin with
/// `# Results`: the example's words and results need not hold for it.
public struct OwnScenario: Sendable {
    /// The file's text.
    public private(set) var text: String
    /// The name of the scenario, and of the file without its extension.
    public let name: String

    /// Creates a file from the text of an example and some settings.
    ///
    /// - Parameters:
    ///   - name: The scenario's name.
    ///   - settings: `key.path=value`, replacing the example's values; later ones win.
    /// - Throws: The problems of the settings; also an error if the text has a value in a form that cannot be edited in
    ///   place, such as a list over several lines.
    public init(of example: ExampleScenario, name: String, settings: [String]) throws(ScenarioError) {
        self.name = name
        text = example.text
        let settings = ["name=\(name)"] + settings
        let file = example.name + ExampleFile.ending
        let intended = try ScenarioReader.read(yaml: text, named: file, settings: settings)
        for (index, setting) in settings.enumerated() {
            guard let equals = setting.firstIndex(of: "=") else { preconditionFailure("the reader has refused it") }
            let keys = setting[..<equals].split(separator: ".").map(String.init)
            let value = String(setting[setting.index(after: equals)...])
            let present = try ScenarioReader.read(yaml: text, named: file)
            text = Self.text(text, with: value, at: keys, of: present, isMarked: index > 0)
        }
        let changes = ChangedDescription.changes(by: settings)
        if !changes.isEmpty {
            let description = ChangedDescription.text(ofCopyOf: example.name, changes: changes)
            text = Self.text(text, describedAs: description, after: example.name)
        }
        // The text is edited as text, so it is read again to check that nothing else has changed.
        guard let edited = try? ScenarioReader.read(yaml: text, named: file),
            Self.values(of: edited) == Self.values(of: intended)
        else {
            let keys = settings.dropFirst().map { $0.prefix { $0 != "=" } }.joined(separator: ", ")
            throw .invalid([
                Diagnostic(
                    file: file,
                    message:
                        "has \(keys) in a form that cannot be edited in place; leave the setting out and edit the file"
                )
            ])
        }
    }

    /// Returns everything that a file states except its description, which settings mark as changed.
    private static func values(of loaded: LoadedScenario) -> String {
        var experiment = loaded.experiment
        experiment.scenario.description = ""
        return ScenarioWriter.resolvedYAML(experiment)
    }

    // MARK: - Editing

    /// Returns a text with another description and a remark on its comments, and without results.
    private static func text(_ text: String, describedAs description: String, after example: String) -> String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if let start = lines.firstIndex(where: { $0.hasPrefix("description:") }) {
            // Further lines of a value are indented.
            let more = lines[(start + 1)...].prefix { $0.hasPrefix(" ") }
            lines.removeSubrange(start...(start + more.count))
        }
        let name = lines.firstIndex { $0.hasPrefix("name:") } ?? lines.startIndex
        lines.insert(contentsOf: ["description: >-", "  " + description], at: name + 1)
        while let start = lines.firstIndex(where: { isComment($0, beginning: "Results") }) {
            let block = lines[start...].prefix { isComment($0) }
            lines.removeSubrange(block.indices)
            // The empty line after it would be the second.
            if start > 0, start < lines.count, lines[start].isEmpty, lines[start - 1].isEmpty {
                lines.remove(at: start)
            }
        }
        let top = lines.first { $0.hasPrefix("# yaml-language-server") } == lines.first ? 1 : 0
        let remark =
            "# From the example \(example): lines marked \"own\" have other values, and the other comments are the example's."
        lines.insert(remark, at: top)
        return lines.joined(separator: "\n")
    }

    private static func isComment(_ line: String, beginning: String = "") -> Bool {
        let text = line.drop { $0 == " " }
        return text.first == "#" && text.dropFirst().drop { $0 == " " }.hasPrefix(beginning)
    }

    private static func text(
        _ text: String,
        with value: String,
        at keys: [String],
        of loaded: LoadedScenario,
        isMarked: Bool
    ) -> String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if case .file(let line, let column)? = loaded.place(ofValue: keys.joined(separator: ".")) {
            lines[line - 1] = replacing(in: lines[line - 1], from: column, by: value, isMarked: isMarked)
            return lines.joined(separator: "\n")
        }
        // This finds the innermost existing section that contains the key; the rest is added to it on one line.
        for count in stride(from: keys.count - 1, through: 1, by: -1) {
            guard case .file(let line, let column)? = loaded.place(ofValue: keys.prefix(count).joined(separator: "."))
            else {
                continue
            }
            let indent = String(repeating: " ", count: column - 1)
            guard lines[line - 1].prefix(column - 1) == indent else { break }
            lines.insert(indent + entry(keys.dropFirst(count), value) + " # own", at: line - 1)
            return lines.joined(separator: "\n")
        }
        let end = text.hasSuffix("\n") ? "" : "\n"
        return text + end + "\n" + entry(keys[...], value) + " # own\n"
    }

    /// Returns a key with a value, nested in further keys, on one line.
    private static func entry(_ keys: ArraySlice<String>, _ value: String) -> String {
        let inner = keys.dropFirst().reversed().reduce(value) { "{\($1): \($0)}" }
        return "\(keys.first ?? ""): \(inner)"
    }

    /// Returns a line with another value at a column, counted from 1; a comment records the old value.
    private static func replacing(in line: String, from column: Int, by value: String, isMarked: Bool) -> String {
        let start = line.index(line.startIndex, offsetBy: column - 1)
        let end = endOfValue(in: line, from: start)
        let (old, rest) = (line[start..<end], line[end...])
        guard isMarked else { return line[..<start] + value + rest }
        let comment = rest.firstIndex(of: "#").map { rest[rest.index(after: $0)...].drop { $0 == " " } } ?? ""
        let between = rest.prefix { $0 != "#" }.reversed().drop { $0 == " " }.reversed()
        let source = comment.isEmpty ? "" : ": \(comment)"
        return line[..<start] + value + String(between) + " # own; the example has \(old)\(source)"
    }

    /// Returns the end of a value: its closing bracket or quote, or the end of a plain value.
    private static func endOfValue(in line: String, from start: String.Index) -> String.Index {
        guard start < line.endIndex else { return start }
        var depth = 0
        var quote: Character?
        var position = start
        while position < line.endIndex {
            let character = line[position]
            let next = line.index(after: position)
            if let open = quote {
                if character == open {
                    quote = nil
                    if depth == 0 { return next }
                }
            } else {
                switch character {
                case "\"", "'": quote = character
                case "{", "[": depth += 1
                case "}", "]":
                    if depth == 0 { return position }
                    depth -= 1
                    if depth == 0 { return next }
                case "," where depth == 0: return position
                case "#" where depth == 0 && position > start && line[line.index(before: position)] == " ":
                    return line[start..<position].lastIndex { $0 != " " }.map { line.index(after: $0) } ?? start
                default: break
                }
            }
            position = next
        }
        return line[start...].lastIndex { $0 != " " }.map { line.index(after: $0) } ?? line.endIndex
    }
}
