import Foundation

/// A directory for one test, created with its first file.
final class Scratch: Sendable {
    let path = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path + "/freshet-reporting-\(UUID())"

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func makeDirectory(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: true)
    }

    func write(_ text: String, to name: String) throws {
        let url = URL(fileURLWithPath: "\(path)/\(name)")
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    func text(_ name: String) throws -> String {
        try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
    }

    /// The paths of all files below it, including hidden ones, in order.
    var names: [String] {
        (FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []).sorted()
    }
}
