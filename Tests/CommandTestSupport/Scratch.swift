public import Foundation

/// A directory that is gone after the test.
public final class Scratch: Sendable {
    /// Where it is.
    public let url = FileManager.default.temporaryDirectory.appending(path: "freshet-test-\(UUID().uuidString)")

    /// Makes it, empty.
    public init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The path of a file within.
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

    /// Every file below a directory by its name, but those that differ in each run.
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
