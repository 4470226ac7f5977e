import Foundation
import ReaderChecks

/// The initial inputs of a reader; see `Corpus/README.md`.
enum Corpus {
    private static let directory = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Corpus")

    /// Returns the names of the files for a reader.
    static func names(for reader: ReaderCheck.Reader) -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(
            atPath: directory.appending(path: reader.name).path()
        )
        return (names ?? []).sorted()
    }

    /// Returns the bytes of a file.
    static func bytes(_ name: String, for reader: ReaderCheck.Reader) throws -> [UInt8] {
        Array(try Data(contentsOf: directory.appending(path: reader.name).appending(path: name)))
    }
}
