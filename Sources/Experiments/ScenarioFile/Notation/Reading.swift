/// What is found out while a tree is read: errors, places and data files.
struct Reading {
    /// What is wrong, in the order in which it was found.
    private(set) var errors: [SourceError] = []
    /// Where each value stands.
    private var places: [String: Place] = [:]
    /// The data files that are named.
    private(set) var dataFiles: [DataFileReference] = []
    /// What an earlier reading left of a tree that differs in little.
    private let memory: ReadingMemory?
    /// What is taken down for later readings; nil where nothing is.
    private var record: [String: any Sendable]?
    private var refusedPaths: Set<String> = []
    private var pathsAroundRefused: Set<String> = []

    /// - Parameter memory: What is known of the tree but where it has changed; nil of one that is read for the first time.
    init(remembering memory: ReadingMemory? = nil) { self.memory = memory }

    /// The value of a field, unless it is known.
    ///
    /// - Parameter read: Reads it; nil after refusing it.
    mutating func value<Value: Sendable>(at path: String, _ read: (inout Reading) -> Value?) -> Value? {
        if let memory, let known: Value = memory.value(at: path) {
            dataFiles += memory.dataFiles(within: path)
            return known
        }
        let value = read(&self)
        if let value { record?[path] = ReadingMemory.Kept(value: value) }
        return value
    }

    /// What a reading finds, for readings of trees that differ from its own at some paths.
    static func memory(ofAllBut changed: ChangedPaths, _ read: (inout Reading) -> Void) -> ReadingMemory {
        var reading = Reading()
        reading.record = [:]
        read(&reading)
        return ReadingMemory(
            values: reading.record ?? [:],
            places: reading.places,
            dataFiles: reading.dataFiles,
            changed: changed
        )
    }

    /// Where the tree may differ from the one that is remembered; nil for everywhere.
    var changed: ChangedPaths? { memory?.changed }

    /// The path of a key or a list index within another path.
    static func path(_ parent: String, _ key: String) -> String {
        parent.isEmpty ? key : "\(parent).\(key)"
    }

    /// Remembers where a value stands.
    mutating func visit(_ path: String, at place: Place) {
        places[path] = place
    }

    /// Notes that the value at a path is wrong: "`path` must be …".
    mutating func refuse(_ path: String, at place: Place, _ message: String, isOfKey: Bool = false) {
        errors.append(SourceError(place: place, path: path, message: message, isOfKey: isOfKey))
        if refusedPaths.insert(path).inserted { pathsAroundRefused.formUnion(Self.ancestry(of: path)) }
    }

    /// Notes what another reading has found to be wrong.
    mutating func refuse(_ error: SourceError) {
        refuse(error.path, at: error.place, error.message, isOfKey: error.isOfKey)
    }

    /// Notes that a value breaks a rule that spans several; at the place of its nearest section when it is a default.
    mutating func refuse(_ path: String, _ message: String) {
        refuse(path, at: place(of: path), message)
    }

    /// Notes a file that holds data.
    mutating func refer(to file: DataFileReference) {
        dataFiles.append(file)
    }

    /// Whether the value at a path, what it is part of or a part of it has been refused.
    func isRefused(_ path: String) -> Bool {
        pathsAroundRefused.contains(path) || Self.ancestry(of: path).contains { refusedPaths.contains($0) }
    }

    /// Where the value at a path stands, or else the nearest section around it that stands in the file.
    func place(of path: String) -> Place {
        Self.ancestry(of: path).lazy.compactMap(place(ofValue:)).first ?? .file(line: 1, column: 1)
    }

    /// Where the value at a path stands; nil where it is left out.
    func place(ofValue path: String) -> Place? { places[path] ?? memory?.place(of: path) }

    /// Whether a path is another one, or that of a part of what stands there.
    static func isPath(_ path: String, within outer: String) -> Bool { path == outer || path.hasPrefix("\(outer).") }

    /// A path and those around it, innermost first.
    static func ancestry(of path: String) -> [String] {
        var ancestry = [path]
        var rest = path[...]
        while let dot = rest.lastIndex(of: ".") {
            rest = rest[..<dot]
            ancestry.append(String(rest))
        }
        return ancestry
    }
}
