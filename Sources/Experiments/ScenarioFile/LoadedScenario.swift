public import LiveActivityModel

/// A scenario that was read, with what it takes to load its data files and to speak of its values by their places.
public struct LoadedScenario: Sendable {
    /// The scenario; its trace and its empirical distributions are still without values.
    public var scenario: Scenario
    /// The data files that the scenario names, in the order of reading.
    public let dataFiles: [DataFileReference]

    private let source: ScenarioSource
    private let reading: Reading

    init(scenario: Scenario, source: ScenarioSource, reading: Reading) {
        self.scenario = scenario
        self.dataFiles = reading.dataFiles
        self.source = source
        self.reading = reading
    }

    /// Where a data file may be, in the order of looking: beside the scenario file, then in the working directory.
    public func places(toLookFor file: String) -> [String] {
        guard !file.hasPrefix("/"), let slash = source.file.lastIndex(of: "/") else { return [file] }
        return [source.file[...slash] + file, file]
    }

    /// Something wrong with the value at a path, at its place in the file or in the setting it came from.
    ///
    /// A value that was left out is spoken of at the section around it.
    ///
    /// - Parameters:
    ///   - path: Keys and list indices with dots between them: `devices.token.delay`, `faults.0.at`.
    ///   - message: What is wrong, as in "must be …, got …"; the path is put before it.
    /// - Returns: The message with its place.
    public func diagnostic(at path: String, _ message: String) -> Diagnostic {
        source.diagnostic(.init(place: reading.place(of: path), path: path, message: "\(path) \(message)"))
    }
}
