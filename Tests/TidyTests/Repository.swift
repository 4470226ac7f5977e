import Foundation
import Testing

/// The handwritten text files of the repository.
enum Repository {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Returns the paths of the files below some folders, relative to the repository and sorted.
    static func files(below folders: [String], endingWith suffixes: [String]) -> [String] {
        folders.flatMap { folder -> [String] in
            let manager = FileManager.default
            let paths = manager.enumerator(atPath: root.appending(path: folder).path)?.allObjects ?? []
            let found = paths.compactMap { $0 as? String }
                .filter { path in
                    var isDirectory: ObjCBool = false
                    let isThere = manager.fileExists(
                        atPath: root.appending(path: "\(folder)/\(path)").path,
                        isDirectory: &isDirectory
                    )
                    return isThere && !isDirectory.boolValue && suffixes.contains { path.hasSuffix($0) }
                }
                .map { "\(folder)/\($0)" }
            #expect(!found.isEmpty, "no files in \(folder)")
            return found
        }
        .sorted()
    }

    static func data(of path: String) throws -> Data {
        try Data(contentsOf: root.appending(path: path))
    }
}
