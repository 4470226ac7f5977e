import InputFiles

/// A scenario file as read at one moment.
///
/// Scenarios with further settings are made from it without reading it again.
///
/// Later changes to the file do not affect them, so two of them differ only by their settings.
public struct ScenarioFile: Sendable {
    /// The scenario of the file.
    public let loaded: LoadedScenario
    /// The file and the files that it extends, with their contents; nil for an embedded file.
    private let contents: [(path: String, bytes: [UInt8]?)]

    /// Reads a file.
    ///
    /// - Parameter settings: Values that replace or extend those of the file, each as `key.path=value`; later ones win.
    /// - Throws: The problems of the file or the settings.
    public init(_ file: String, settings: [String] = []) throws(ScenarioError) {
        loaded = try ScenarioReader.read(file: file, settings: settings)
        contents = ([file] + loaded.extendedFiles).map { ($0, Self.bytes(of: $0)) }
    }

    /// Returns the scenario with further settings.
    ///
    /// - Throws: The problems of the settings.
    public func loaded(further settings: [String]) throws(ScenarioError) -> LoadedScenario {
        try ScenarioReader.read(loaded, further: settings)
    }

    /// `true` if the file, or a file that it extends, has changed since.
    public var hasChanged: Bool {
        contents.contains { Self.bytes(of: $0.path) != $0.bytes }
    }

    private static func bytes(of path: String) -> [UInt8]? {
        try? InputFile.bytes(of: path, limit: ScenarioReader.largestFile)
    }
}
