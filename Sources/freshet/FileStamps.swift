import Foundation

/// What tells whether files were saved: the size, time and number of each.
struct FileStamps: Hashable, Sendable {
    private struct Stamp: Hashable, Sendable {
        let size: UInt64
        let modified: Date
        /// Editors write a new file and rename it.
        let number: UInt64
    }

    /// By path; files that are not there have none.
    private let stamps: [String: Stamp]

    /// Looks at files as they are now.
    init(_ paths: Set<String>) {
        var stamps: [String: Stamp] = [:]
        for path in paths {
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { continue }
            stamps[path] = Stamp(
                size: attributes[.size] as? UInt64 ?? 0,
                modified: attributes[.modificationDate] as? Date ?? .distantPast,
                number: attributes[.systemFileNumber] as? UInt64 ?? 0
            )
        }
        self.stamps = stamps
    }

    /// Whether none of them is there.
    var isEmpty: Bool { stamps.isEmpty }

    /// The files that were saved, made or removed since other stamps were taken, sorted.
    func changes(since before: FileStamps) -> [String] {
        Set(stamps.keys).union(before.stamps.keys).filter { stamps[$0] != before.stamps[$0] }.sorted()
    }
}
