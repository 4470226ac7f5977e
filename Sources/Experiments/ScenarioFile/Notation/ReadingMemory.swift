/// What was found out about a tree, for readings of trees that differ from it at a few paths: design points, of which there may
/// be thousands, take all else from here.
struct ReadingMemory: Sendable {
    private let values: [String: any Sendable]
    private let places: [String: Place]
    private let dataFiles: [DataFileReference]
    /// Where trees differ.
    let changed: ChangedPaths

    /// - Parameters:
    ///   - values: What fields hold, by path.
    ///   - changed: Where trees differ; values there, within and around are left out.
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

    /// What a field holds; nil where it may have changed, and where it has not been read.
    func value<Value: Sendable>(at path: String) -> Value? { (values[path] as? Kept<Value>)?.value }

    /// Where a value stands that has not changed.
    func place(of path: String) -> Place? { places[path] }

    /// The data files that are named at a path or within it.
    func dataFiles(within path: String) -> [DataFileReference] {
        guard !dataFiles.isEmpty else { return [] }
        return dataFiles.filter { Reading.isPath($0.path, within: path) }
    }

    /// A value of any type; an optional one that is nil can be told from none.
    struct Kept<Value: Sendable>: Sendable {
        let value: Value
    }
}
