internal import Foundation
public import InputFiles
public import LiveActivityModel
import TextFormats

/// A scenario read from a file, with everything needed to load its data files and to name the places of its values.
public struct LoadedScenario: Sendable {
    /// The contents of the file; the trace and the empirical distributions have no values yet.
    @Boxed public var experiment: Experiment
    /// The data files named by the scenario, in the order of reading.
    public let dataFiles: [DataFileReference]

    /// The file with its settings, as a tree.
    package let root: ScenarioNode
    package let source: ScenarioSource
    private let reading: Reading

    init(experiment: Experiment, root: ScenarioNode, source: ScenarioSource, reading: Reading) {
        self.experiment = experiment
        self.dataFiles = reading.dataFiles
        self.root = root
        self.source = source
        self.reading = reading
    }

    /// The scenario without factors and checks.
    public var scenario: Scenario {
        get { experiment.scenario }
        set { experiment.scenario = newValue }
    }

    /// The files that the scenario file extends, nearest first.
    package var extendedFiles: [String] { source.extendedFiles }

    /// All files that belong to it: the scenario file, the files that it extends, and the possible places of its data.
    package var sources: [String] {
        [source.file] + source.extendedFiles + dataFiles.flatMap { places(toLookFor: $0.file) }
    }

    /// Returns the place of the value at a path; nil if it is left out.
    package func place(ofValue path: String) -> Place? { reading.place(ofValue: path) }

    /// Returns the possible places of a data file, in the order of the search.
    ///
    /// They are: beside the scenario file, beside the files that it extends, for a result directory the place where the
    /// file was when the results were made, and the working directory.
    public func places(toLookFor file: String) -> [String] {
        guard !file.hasPrefix("/") else { return [file] }
        let places = ([source.file] + source.extendedFiles)
            .compactMap { neighbour in neighbour.lastIndex(of: "/").map { String(neighbour[...$0]) + file } }
        return places.unique + [DataPlaces.recorded(of: file, beside: source.file), file].compactMap(\.self)
    }

    /// The places of its data files.
    public var dataPlaces: DataPlaces {
        DataPlaces(dataFiles.compactMap { data in place(of: data.file).map { (data.file, $0) } })
    }

    /// Returns the place of a data file: the first possible place that has it, or the embedded files; nil if there is
    /// none.
    package func place(of file: String) -> String? {
        places(toLookFor: file).first(where: FileManager.default.fileExists) ?? (ExampleFile.exists(file) ? file : nil)
    }

    /// Returns the problems that a function finds.
    package func diagnostics(_ find: (inout Reading) -> Void) -> [Diagnostic] {
        var reading = reading
        find(&reading)
        return reading.errors.map(source.diagnostic)
    }

    /// Returns a diagnostic for the value at a path, with its place in the file or in a setting.
    ///
    /// For a value that was left out, the place is that of the surrounding section.
    ///
    /// - Parameters:
    ///   - path: Keys and list indices, separated by dots: `devices.token.delay`, `faults.0.at`.
    ///   - message: The problem, such as "must be …, got …"; the path is added before it.
    /// - Returns: The diagnostic with its place.
    public func diagnostic(at path: String, _ message: String) -> Diagnostic {
        source.diagnostic(.init(place: reading.place(of: path), path: path, message: message))
    }
}
