/// A scenario file as it was when it was read: scenarios with further settings are made of it without reading it again.
///
/// What is saved to the file meanwhile changes none of them, so that two of them differ by their settings alone.
public struct ScenarioFile: Sendable {
    private let template: ScenarioTemplate
    /// The file and those that it extends, and what was in them; nil for one that is within the program.
    private let contents: [(path: String, bytes: [UInt8]?)]

    /// Reads a file.
    ///
    /// - Parameter settings: Values that replace or add to those of the file, each as `key.path=value`; later ones win.
    /// - Throws: What is wrong with the file or the settings.
    public init(_ file: String, settings: [String] = []) throws(ScenarioError) {
        template = try ScenarioReader.template(file: file, settings: settings)
        contents = ([file] + template.base.extendedFiles).map { ($0, Self.bytes(of: $0)) }
    }

    /// The scenario of the file.
    public var loaded: LoadedScenario { template.base }

    /// The scenario with further settings.
    ///
    /// - Throws: What is wrong with them.
    public func loaded(further settings: [String]) throws(ScenarioError) -> LoadedScenario {
        try ScenarioReader.template(template, further: settings).base
    }

    /// Whether the file, or one that it extends, has other contents by now.
    public var hasChanged: Bool {
        contents.contains { Self.bytes(of: $0.path) != $0.bytes }
    }

    private static func bytes(of path: String) -> [UInt8]? {
        try? InputFile.bytes(of: path, limit: ScenarioReader.largestFile)
    }
}
