import InputFiles
import LiveActivityModel

/// An embedded scenario, with the files that it needs.
public struct ExampleScenario: Sendable {
    /// The name for `freshet run`.
    public let name: String
    /// The file as in `experiments/`, with its comments.
    public let text: String
    /// The scenario read from it.
    public let loaded: LoadedScenario

    /// Returns all examples, by name.
    ///
    /// - Complexity: Linear in their texts, which are parsed.
    public static func all() throws(ScenarioError) -> [ExampleScenario] {
        var examples: [ExampleScenario] = []
        for name in names { examples.append(try ExampleScenario(name)) }
        return examples
    }

    /// The names of all examples, in order.
    public static var names: [String] {
        ExampleFile.all.keys.filter { $0.hasSuffix(ExampleFile.ending) }
            .map { String($0.dropLast(ExampleFile.ending.count)) }
            .sorted()
    }

    /// - Throws: `missing` if there is no example of that name.
    public init(_ name: String) throws(ScenarioError) {
        guard Self.names.contains(name) else { throw .missing(path: name) }
        self.name = name
        text = String(decoding: ExampleFile.all[name + ExampleFile.ending] ?? [], as: UTF8.self)
        loaded = try ScenarioReader.read(yaml: text, named: name + ExampleFile.ending)
    }

    /// The scenario's file and the files that it needs, by relative path, with their contents.
    public var files: [(path: String, bytes: [UInt8])] {
        ([name + ExampleFile.ending] + loaded.extendedFiles + loaded.dataFiles.map(\.file))
            .compactMap { path in ExampleFile.all[path].map { (path, $0) } }
    }

    /// A summary: as many sentences from the beginning of the description as fit on a line.
    public var summary: String {
        let text = loaded.scenario.description.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let ends = text.ranges(of: /[.?](?= |$)/).map(\.upperBound)
        return String(text[..<(ends.first { text[..<$0].count >= 60 } ?? text.endIndex)])
    }
}

extension ExampleScenario {
    /// Returns the lines of the file that set a key, with the comments on them and directly above.
    ///
    /// Returns nil if the key is left out, or if it is in the file that this one extends.
    ///
    /// A value over several lines ends before the next line that is indented no more than the key.
    public func lines(at path: String) -> [String]? {
        guard case .file(let line, _)? = loaded.place(ofValue: path) else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let key = String(path.split(separator: ".").last ?? "")
        // A value may begin below its key.
        guard var first = (0..<line).last(where: { lines[$0].drop { " -".contains($0) }.hasPrefix("\(key):") }),
            line - first <= 2
        else { return nil }
        let indent = Self.indent(lines[first])
        var end = first + 1
        while end < lines.count, Self.indent(lines[end]) > indent { end += 1 }
        while first > 0, lines[first - 1].drop(while: { $0 == " " }).hasPrefix("#"),
            Self.indent(lines[first - 1]) == indent
        {
            first -= 1
        }
        return lines[first..<end].map { String($0.dropFirst(indent)) }
    }

    /// Returns the value at a path as files write it; the default if the example leaves it out.
    public func value(at path: String) -> String {
        var value = Section.scenario.write(loaded.scenario)
        for key in path.split(separator: ".") {
            guard case .mapping(let entries, _) = value, let entry = entries.first(where: { $0.key == key }) else {
                return ""
            }
            value = entry.value
        }
        return value.yamlFlow
    }

    /// Returns the number of spaces at the beginning of a line; an empty line has indentation 0.
    private static func indent(_ line: Substring) -> Int { line.prefix { $0 == " " }.count }
}
