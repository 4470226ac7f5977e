/// What is found out while a tree is read: errors, places and data files.
struct Reading {
    /// What is wrong, in the order in which it was found.
    private(set) var errors: [SourceError] = []
    /// Where each value stands.
    private(set) var places: [String: Place] = [:]
    /// The data files that are named.
    private(set) var dataFiles: [DataFileReference] = []
    private var refusedPaths: Set<String> = []
    private var pathsAroundRefused: Set<String> = []

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
        Self.ancestry(of: path).lazy.compactMap { places[$0] }.first ?? .file(line: 1, column: 1)
    }

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
