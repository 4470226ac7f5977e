internal import Foundation

extension RecordedRun {
    /// What a directory holds instead of a run, and how to get a run of it; nil when it holds none of the known kinds.
    ///
    /// A predicate in English: `holds a sweep; …`.
    package static func otherResults(in directory: String) -> String? {
        let kinds = [("sweep.json", "a sweep"), ("tune.json", "a search")]
        let kind = kinds.first { FileManager.default.fileExists(atPath: "\(directory)/\($0.0)") }
        return kind.map { "holds \($0.1); metrics are of one run: freshet run --point makes one" }
    }
}
