import InputFiles

/// The state of reading a tree: errors, places and data files.
package struct Reading {
    /// The errors, in the order in which they were found.
    private(set) var errors: [SourceError] = []
    /// The place of each value.
    private var places: [String: Place] = [:]
    /// The data files that are named.
    private(set) var dataFiles: [DataFileReference] = []
    private var refusedPaths: Set<String> = []
    private var pathsAroundRefused: Set<String> = []

    /// Creates a reading that has found nothing.
    package init() {}

    /// Returns the path of a key or a list index within another path.
    package static func path(_ parent: String, _ key: String) -> String {
        parent.isEmpty ? key : "\(parent).\(key)"
    }

    /// Records the place of a value.
    mutating func visit(_ path: String, at place: Place) {
        places[path] = place
    }

    /// Records an error of the value at a path: "`path` must be …".
    ///
    /// - Parameter others: The paths of the other values that a rule involves; those that are left out have no place.
    mutating func refuse(
        _ path: String,
        at place: Place,
        _ message: String,
        isOfKey: Bool = false,
        besides others: [String] = []
    ) {
        var error = SourceError(place: place, path: path, message: message, isOfKey: isOfKey)
        error.others = others.compactMap { other in
            self.place(ofValue: other).map { SourceError.OtherValue(path: other, place: $0) }
        }
        refuse(error)
    }

    /// Records an error, which may be of another reading.
    mutating func refuse(_ error: SourceError) {
        errors.append(error)
        if refusedPaths.insert(error.path).inserted { pathsAroundRefused.formUnion(Self.ancestry(of: error.path)) }
    }

    /// Records a violated rule that involves several values.
    ///
    /// For a default, the place is that of the nearest section.
    mutating func refuse(_ path: String, _ message: String, besides others: [String] = []) {
        refuse(path, at: place(of: path), message, besides: others)
    }

    /// Records the name of a data file.
    mutating func refer(to file: DataFileReference) {
        dataFiles.append(file)
    }

    /// Returns true if the value at a path, one of its parts or a value around it has been refused.
    func isRefused(_ path: String) -> Bool {
        pathsAroundRefused.contains(path) || Self.ancestry(of: path).contains { refusedPaths.contains($0) }
    }

    /// Returns the place of the value at a path, or of the nearest surrounding section in the file.
    func place(of path: String) -> Place {
        Self.ancestry(of: path).lazy.compactMap(place(ofValue:)).first ?? .file(line: 1, column: 1)
    }

    /// Returns the place of the value at a path; nil if it is left out.
    func place(ofValue path: String) -> Place? { places[path] }

    /// Returns true if a path equals another one or is below it.
    package static func isPath(_ path: String, within outer: String) -> Bool {
        path == outer || path.hasPrefix("\(outer).")
    }

    /// Returns a path and the paths above it, innermost first.
    package static func ancestry(of path: String) -> [String] {
        var ancestry = [path]
        var rest = path[...]
        while let dot = rest.lastIndex(of: ".") {
            rest = rest[..<dot]
            ancestry.append(String(rest))
        }
        return ancestry
    }
}
