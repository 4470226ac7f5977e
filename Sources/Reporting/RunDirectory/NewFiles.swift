public import Foundation
import InputFiles
public import Shell

/// Files to create, all or none, without overwriting others.
public struct NewFiles {
    private let files: [(path: String, contents: Data)]
    private let directory: String

    /// - Parameter files: By path within the directory.
    public init(_ files: [(path: String, contents: Data)], in directory: String) {
        self.files = files
        self.directory = directory
    }

    /// Writes the missing files, each beside its place and then renamed.
    ///
    /// - Returns: The paths of the files written; a file with the same contents is left as it is.
    /// - Throws: An error if a different file exists under one of the names, before anything is written; or if the
    ///   system refuses.
    public func write() throws(CommandError) -> [String] {
        let base = URL(fileURLWithPath: directory, isDirectory: true)
        var missing: [(path: String, place: URL, contents: Data)] = []
        for file in files {
            let place = base.appending(path: file.path)
            if !FileManager.default.fileExists(atPath: place.path) {
                missing.append((file.path, place, file.contents))
            } else if (try? InputFile.bytes(of: place.path, limit: file.contents.count)) != Array(file.contents) {
                let path = "\(directory)/\(file.path)"
                let way =
                    file.path.hasSuffix(".schema.json")
                    ? "run `freshet schema > \(path)` for the schema of this version"
                    : "choose another directory or name"
                throw CommandError("\(path): already exists with other contents; \(way)", Failure.cannotWrite)
            }
        }
        for file in missing {
            do {
                let parent = file.place.deletingLastPathComponent()
                try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
                try file.contents.write(to: file.place, options: .atomic)
            } catch {
                throw CommandError("\(file.place.path): cannot be written", Failure.cannotWrite)
            }
        }
        return missing.map(\.path)
    }
}
