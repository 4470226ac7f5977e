import InputFiles
import LiveActivityModel

/// A user's scenario file: the text of an example with other values at some keys, and with its comments.
///
/// A copy with other values has a description of its own, a remark at its top, and no comments that begin with
/// `# Results`: the example's words and results need not hold for it.
public struct OwnScenario: Sendable {
    /// The file's text.
    public private(set) var text: String

    /// Creates a file from the text of an example and some settings.
    ///
    /// - Parameters:
    ///   - name: The scenario's name.
    ///   - settings: `key.path=value`, replacing the example's values; later ones win.
    /// - Throws: The problems of the settings; also an error if the text has a value in a form that cannot be edited in
    ///   place, such as a list over several lines.
    public init(of example: ExampleScenario, name: String, settings: [String]) throws(ScenarioError) {
        text = example.text
        let settings = ["name=\(name)"] + settings
        let file = example.name + ExampleFile.ending
        let intended = try ScenarioReader.read(yaml: text, named: file, settings: settings)
        // The places are those of the example's text, so the edits go from its end to its beginning.
        let present = try ScenarioReader.read(yaml: text, named: file)
        for edit in Self.edits(for: settings, of: present).sorted(by: >) { text = edit.applied(to: text) }
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

    /// A change at one place of a text.
    private struct Edit: Comparable {
        /// The place, counted from 1; nil for the end of the text.
        var line: Int?
        var column = 1
        /// The number of the first setting that it is for.
        let number: Int
        /// The path of a value that is replaced, or the section that settings are added to.
        var keys: ArraySlice<String>
        /// `true` if the place has a value, which is replaced.
        var replaces = false
        /// The settings: the keys below ``keys``, and a value.
        var entries: [(keys: ArraySlice<String>, value: String)]

        static func < (left: Edit, right: Edit) -> Bool {
            (left.line ?? .max, left.column, left.number) < (right.line ?? .max, right.column, right.number)
        }

        static func == (left: Edit, right: Edit) -> Bool { left.number == right.number }

        /// Returns a text with the change.
        func applied(to text: String) -> String {
            guard let line else {
                return text + (text.hasSuffix("\n") ? "" : "\n") + "\n" + Edit.mapping(entries) + " # own\n"
            }
            var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            if replaces {
                let value = entries.first?.value ?? ""
                lines[line - 1] = replacing(in: lines[line - 1], from: column, by: value, isMarked: keys != ["name"])
            } else {
                let indent = String(repeating: " ", count: column - 1)
                lines.insert(indent + Edit.mapping(entries) + " # own", at: line - 1)
            }
            return lines.joined(separator: "\n")
        }

        /// Returns keys with their values on one line, nested in further keys.
        private static func mapping(_ entries: [(keys: ArraySlice<String>, value: String)]) -> String {
            var firsts: [String] = []
            for entry in entries where !firsts.contains(entry.keys.first ?? "") {
                firsts.append(entry.keys.first ?? "")
            }
            return
                firsts.map { first in
                    let inner = entries.filter { $0.keys.first == first }
                        .map { (keys: $0.keys.dropFirst(), value: $0.value) }
                    if let last = inner.last, last.keys.isEmpty { return "\(first): \(last.value)" }
                    return "\(first): {\(mapping(inner))}"
                }
                .joined(separator: ", ")
        }
    }

    /// Returns the changes for settings.
    ///
    /// Settings of one new section are one change, because the section may be incomplete without any of them.
    private static func edits(for settings: [String], of loaded: LoadedScenario) -> [Edit] {
        var edits: [Edit] = []
        for (number, setting) in settings.enumerated() {
            guard let equals = setting.firstIndex(of: "=") else { preconditionFailure("the reader has refused it") }
            let keys = setting[..<equals].split(separator: ".").map(String.init)[...]
            let value = String(setting[setting.index(after: equals)...])
            var edit = Edit(number: number, keys: [], entries: [(keys, value)])
            // The innermost section that the file has; without one the key is added to the end.
            for count in stride(from: keys.count, through: 1, by: -1) {
                guard
                    case .file(let line, let column)? = loaded.place(ofValue: keys.prefix(count).joined(separator: "."))
                else { continue }
                (edit.line, edit.column, edit.keys) = (line, column, keys.prefix(count))
                edit.entries = [(keys.dropFirst(count), value)]
                edit.replaces = count == keys.count
                break
            }
            let same = edits.firstIndex { other in
                other.keys == edit.keys && (edit.replaces || other.entries[0].keys.first == edit.entries[0].keys.first)
            }
            if let same {
                if edit.replaces { edits[same].entries = edit.entries } else { edits[same].entries += edit.entries }
            } else {
                edits.append(edit)
            }
        }
        return edits
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
