public import Foundation

/// A temporary directory that is removed after the test.
public final class Scratch: CustomStringConvertible, Sendable {
    /// The path of the directory, without symbolic links.
    public let path = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path + "/freshet-test-\(UUID())"

    /// Creates the empty directory.
    public init() {
        precondition(mkdir(path, 0o700) == 0, "\(path) cannot be created")
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The location of the directory.
    public var url: URL { URL(filePath: path, directoryHint: .isDirectory) }

    /// The path of the directory.
    public var description: String { path }

    /// Returns the path of a file in the directory.
    public func path(_ name: String) -> String { "\(path)/\(name)" }

    /// Creates a directory, with those around it.
    public func makeDirectory(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
    }

    /// Writes a file, with the directories around it, and returns its path.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> String {
        let file = URL(filePath: path(name))
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        return file.path
    }

    /// Returns the text of a file.
    public func text(_ name: String) throws -> String {
        try String(contentsOfFile: path(name), encoding: .utf8)
    }

    /// The paths of everything below the directory, including hidden files, in order.
    public var names: [String] {
        (FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []).sorted()
    }

    /// Returns every file below a directory by its name, except files that differ in each run.
    public func contents(of directory: String) throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: path(directory)) where name != "timing.json" {
            let file = URL(filePath: path("\(directory)/\(name)"))
            if !file.hasDirectoryPath, let data = try? Data(contentsOf: file) { contents[name] = data }
        }
        return contents
    }
}
