public import Foundation

/// A temporary directory that is removed after the test.
public final class Scratch: Sendable {
    /// The location of the directory.
    public let url = FileManager.default.temporaryDirectory.appending(path: "freshet-test-\(UUID().uuidString)")

    /// Creates the empty directory.
    public init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// Returns the path of a file in the directory.
    public func path(_ name: String) -> String {
        url.appending(path: name).path
    }

    /// Writes a file and returns its path.
    public func file(_ name: String, _ text: String) throws -> String {
        let parent = URL(fileURLWithPath: path(name)).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        try text.write(toFile: path(name), atomically: true, encoding: .utf8)
        return path(name)
    }

    /// Returns every file below a directory by its name, except files that differ in each run.
    public func contents(of directory: String) throws -> [String: Data] {
        var contents: [String: Data] = [:]
        let root = url.appending(path: directory)
        for name in try FileManager.default.subpathsOfDirectory(atPath: root.path) where name != "timing.json" {
            let file = root.appending(path: name)
            if !file.hasDirectoryPath, let data = try? Data(contentsOf: file) {
                contents[name] = data
            }
        }
        return contents
    }
}
