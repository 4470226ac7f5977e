import Foundation

/// Expected texts of results.
enum Fixture {
    /// Returns the text of a file in `Fixtures`.
    static func text(_ name: String) throws -> String {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/\(name)")
        return try String(contentsOf: file, encoding: .utf8)
    }
}
