import Experiments
public import Foundation

/// Files that are written where there are none: all of them or none, and never over others.
public struct NewFiles {
    private let files: [(path: String, contents: Data)]
    private let directory: String

    /// - Parameter files: By path within the directory.
    public init(_ files: [(path: String, contents: Data)], in directory: String) {
        self.files = files
        self.directory = directory
    }

    /// Writes those that are not there yet, each beside its place and then renamed.
    ///
    /// - Returns: The paths of those that were written; one with the same contents is left as it is.
    /// - Throws: Where another file is there by one of the names, before anything is written; or the system refuses.
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
                    ? "`freshet schema > \(path)` brings that of this version" : "choose another directory or name"
                throw CommandError("\(path): is there already, with other contents; \(way)", Failure.cannotWrite)
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
