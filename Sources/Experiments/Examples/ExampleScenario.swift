import LiveActivityModel

/// A scenario that the program carries, with the files that it needs beside it.
public struct ExampleScenario: Sendable {
    /// What `freshet run` is told to run it.
    public let name: String
    /// The scenario file as it stands in `experiments/`.
    public let loaded: LoadedScenario

    /// All of them, by name.
    ///
    /// - Complexity: Linear in their texts, which are read.
    public static func all() throws(ScenarioError) -> [ExampleScenario] {
        var examples: [ExampleScenario] = []
        for name in names { examples.append(try ExampleScenario(name)) }
        return examples
    }

    /// The names of all of them, in order.
    public static var names: [String] {
        ExampleFile.all.keys.filter { $0.hasSuffix(ExampleFile.ending) }
            .map { String($0.dropLast(ExampleFile.ending.count)) }
            .sorted()
    }

    /// - Throws: `missing` where there is none of that name.
    public init(_ name: String) throws(ScenarioError) {
        guard Self.names.contains(name) else { throw .missing(path: name) }
        self.name = name
        loaded = try ScenarioReader.read(
            yaml: String(decoding: ExampleFile.all[name + ExampleFile.ending] ?? [], as: UTF8.self),
            named: name + ExampleFile.ending
        )
    }

    /// The file that holds it and those that it needs, by path beside each other, with their texts.
    public var files: [(path: String, bytes: [UInt8])] {
        ([name + ExampleFile.ending] + loaded.extendedFiles + loaded.dataFiles.map(\.file))
            .compactMap { path in ExampleFile.all[path].map { (path, $0) } }
    }

    /// What it shows, in a sentence: the first of its description.
    public var sentence: String {
        let text = loaded.scenario.description.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard let end = text.firstRange(of: /[.?:](?= |$)/) else { return text }
        return text[..<end.lowerBound] + (text[end] == "?" ? "?" : ".")
    }
}
