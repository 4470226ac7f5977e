/// The results of reading a tree, for trees that differ from it at a few paths.
///
/// There may be thousands of design points, and they take all unchanged values from here.
struct ReadingMemory: Sendable {
    private let values: [String: any Sendable]
    private let places: [String: Place]
    private let dataFiles: [DataFileReference]
    /// The paths at which trees differ.
    let changed: ChangedPaths

    /// - Parameters:
    ///   - values: The values of fields, by path.
    ///   - changed: The paths at which trees differ; values at, below and above them are left out.
    init(
        values: [String: any Sendable],
        places: [String: Place],
        dataFiles: [DataFileReference],
        changed: ChangedPaths
    ) {
        self.values = values.filter { !changed.touch($0.key) }
        self.places = places.filter { !changed.contain($0.key) }
        self.dataFiles = dataFiles
        self.changed = changed
    }

    /// Returns the value of a field; nil if it may have changed or has not been read.
    func value<Value: Sendable>(at path: String) -> Value? { (values[path] as? Kept<Value>)?.value }

    /// Returns the place of an unchanged value.
    func place(of path: String) -> Place? { places[path] }

    /// Returns the data files named at a path or below it.
    func dataFiles(within path: String) -> [DataFileReference] {
        guard !dataFiles.isEmpty else { return [] }
        return dataFiles.filter { Reading.isPath($0.path, within: path) }
    }

    /// A value of any type; it distinguishes an optional value that is nil from a missing one.
    struct Kept<Value: Sendable>: Sendable {
        let value: Value
    }
}
