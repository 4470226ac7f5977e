import Foundation

/// Texts that results are compared with.
enum Fixture {
    /// The text of a file in `Fixtures`.
    static func text(_ name: String) throws -> String {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/\(name)")
        return try String(contentsOf: file, encoding: .utf8)
    }
}
