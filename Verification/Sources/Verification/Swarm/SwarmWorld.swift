import Foundation
import InputFiles
public import LiveActivityModel
import ScenarioLanguage
import SimulationKernel

/// A world as it is stored in files: a scenario and its data files.
public struct SwarmWorld: Hashable, Sendable {
    /// The scenario; its data files are not read yet.
    public var scenario: Scenario
    /// The data files beside the scenario.
    public var files: [DataFile] = []

    /// A data file.
    public struct DataFile: Hashable, Sendable {
        /// Its name in the scenario.
        let name: String
        /// Its lines; the first is the header.
        var lines: [String]
    }

    /// Creates a world with or without data files.
    init(_ scenario: Scenario, files: [DataFile] = []) {
        self.scenario = scenario
        self.files = files
    }

    /// Reads the world of a scenario file with its data files, which are placed beside it from then on.
    ///
    /// - Throws: The errors in the scenario file, or an error if a data file cannot be read.
    public init(file: String) throws {
        let loaded = try ScenarioReader.read(file: file)
        scenario = loaded.scenario
        files = try Set(loaded.dataFiles.map(\.file)).sorted()
            .map { name in
                let places = loaded.places(toLookFor: name)
                let place = places.first(where: FileManager.default.fileExists) ?? name
                let text = String(decoding: try InputFile.bytes(of: place, limit: 1 << 26), as: UTF8.self)
                return DataFile(
                    name: Self.lastPart(name),
                    lines: text.split(whereSeparator: \.isNewline).map(String.init)
                )
            }
        if let file = scenario.rides.trace?.file { scenario.rides.trace?.file = Self.lastPart(file) }
        if let file = scenario.content.eta?.file, !file.isEmpty { scenario.content.eta?.file = Self.lastPart(file) }
        scenario.updateEmpiricalValues { values, _ in values.file = Self.lastPart(values.file) }
    }

    private static func lastPart(_ path: String) -> String { URL(filePath: path).lastPathComponent }

    /// Writes the world: the differences from the defaults, and the data files beside it.
    ///
    /// - Parameter comment: Lines for the head of the scenario file.
    public func write(to file: String, comment: [String] = []) throws {
        let text = comment.map { "# \($0)\n" }.joined() + ScenarioWriter.changes(scenario) + "\n"
        let directory = URL(filePath: file).deletingLastPathComponent()
        for data in files where text.contains(data.name) {
            let lines = data.lines.map { "\($0)\n" }.joined()
            try Data(lines.utf8).write(to: directory.appending(path: data.name))
        }
        try Data(text.utf8).write(to: URL(filePath: file))
    }

    /// The differences from the defaults as YAML, and the data files.
    public var text: String {
        ([ScenarioWriter.changes(scenario)] + files.map { (["", "# \($0.name)"] + $0.lines).joined(separator: "\n") })
            .joined(separator: "\n")
    }

    /// Returns the world without the data files that its scenario no longer names.
    func withoutUnusedFiles() -> SwarmWorld {
        let text = ScenarioWriter.changes(scenario)
        return SwarmWorld(scenario, files: files.filter { text.contains($0.name) })
    }
}
