internal import Foundation
public import LiveActivityModel

/// A scenario that was read, with what it takes to load its data files and to speak of its values by their places.
public struct LoadedScenario: Sendable {
    /// All that the file holds; the trace and the empirical distributions of the scenario are still without values.
    public var experiment: Experiment
    /// The data files that the scenario names, in the order of reading.
    public let dataFiles: [DataFileReference]

    private let source: ScenarioSource
    private let reading: Reading

    init(experiment: Experiment, source: ScenarioSource, reading: Reading) {
        self.experiment = experiment
        self.dataFiles = reading.dataFiles
        self.source = source
        self.reading = reading
    }

    /// The scenario alone.
    public var scenario: Scenario {
        get { experiment.scenario }
        set { experiment.scenario = newValue }
    }

    /// The files that the scenario file extends, nearest first.
    var extendedFiles: [String] { source.extendedFiles }

    /// Every file that was read for it or would be: the scenario file, those that it extends, and each place of its data.
    package var sources: [String] {
        [source.file] + source.extendedFiles + dataFiles.flatMap { places(toLookFor: $0.file) }
    }

    /// Where it may differ from other points of its design; nil for everywhere.
    var changed: ChangedPaths? { reading.changed }

    /// Where the value at a path stands; nil where it is left out.
    func place(ofValue path: String) -> Place? { reading.place(ofValue: path) }

    /// Where a data file may be, in the order of looking: beside the scenario file, beside those that it extends, of a result
    /// directory where it was when the results were made, then in the working directory.
    public func places(toLookFor file: String) -> [String] {
        guard !file.hasPrefix("/") else { return [file] }
        var places: [String] = []
        for neighbour in [source.file] + source.extendedFiles {
            guard let slash = neighbour.lastIndex(of: "/") else { continue }
            let place = neighbour[...slash] + file
            if !places.contains(String(place)) { places.append(String(place)) }
        }
        return places + [DataPlaces.recorded(of: file, beside: source.file), file].compactMap(\.self)
    }

    /// Where its data files are.
    public var dataPlaces: DataPlaces {
        DataPlaces(dataFiles.compactMap { data in place(of: data.file).map { (data.file, $0) } })
    }

    /// Where a data file is: in the first of these places that has it, or within the program; nil where there is none.
    func place(of file: String) -> String? {
        places(toLookFor: file).first(where: FileManager.default.fileExists) ?? (ExampleFile.exists(file) ? file : nil)
    }

    /// What is found to be wrong with it.
    func diagnostics(_ find: (inout Reading) -> Void) -> [Diagnostic] {
        var reading = reading
        find(&reading)
        return reading.errors.map(source.diagnostic)
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
        source.diagnostic(.init(place: reading.place(of: path), path: path, message: message))
    }
}
