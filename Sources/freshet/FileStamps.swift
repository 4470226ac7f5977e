import Foundation

/// The size, modification time and inode number of files, to detect that a file was saved.
struct FileStamps: Hashable, Sendable {
    private struct Stamp: Hashable, Sendable {
        let size: Int64
        let modified: [Int]
        /// Editors write a new file and rename it.
        let number: UInt64
    }

    /// Stamps by path; only regular files have one.
    private let stamps: [String: Stamp]

    /// Takes the stamps of files now.
    init(_ paths: Set<String>) {
        var stamps: [String: Stamp] = [:]
        for path in paths {
            var status = stat()
            guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            #if canImport(Darwin)
            let modified = status.st_mtimespec
            #else
            let modified = status.st_mtim
            #endif
            stamps[path] = Stamp(
                size: Int64(status.st_size),
                modified: [Int(modified.tv_sec), Int(modified.tv_nsec)],
                number: UInt64(status.st_ino)
            )
        }
        self.stamps = stamps
    }

    /// `true` if none of the files exists.
    var isEmpty: Bool { stamps.isEmpty }

    /// The files saved, created or removed since other stamps were taken, sorted.
    func changes(since before: FileStamps) -> [String] {
        Set(stamps.keys).union(before.stamps.keys).filter { stamps[$0] != before.stamps[$0] }.sorted()
    }
}
