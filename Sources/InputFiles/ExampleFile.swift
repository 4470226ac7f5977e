import CEmbeddedFiles

/// The embedded files of `experiments/`: an installed `freshet` runs them by name, and `freshet init` writes them.
package enum ExampleFile {
    /// The extension that names of scenario files may omit.
    package static let ending = ".yaml"

    /// Returns the bytes of a scenario by name, such as `nyc-lyft-day`, or of any file by its path within
    /// `experiments/`; nil if there is none.
    package static func bytes(of path: String) -> [UInt8]? {
        all[path] ?? all[path + ending]
    }

    /// Returns true if a path names an example.
    package static func exists(_ path: String) -> Bool { bytes(of: path) != nil }

    /// The files, by path within `experiments/`.
    package static let all: [String: [UInt8]] = {
        let folder = "experiments/"
        var files: [String: [UInt8]] = [:]
        var position = 0
        while let name = embedded_name(position).map({ String(cString: $0) }) {
            if name.hasPrefix(folder) {
                files[String(name.dropFirst(folder.count))] = Array(String(cString: embedded_text(name)).utf8)
            }
            position += 1
        }
        return files
    }()
}
