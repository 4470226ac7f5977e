internal import Foundation

/// A new directory for temporary files that no other user can read.
package struct PrivateDirectory: Hashable, Sendable {
    /// The path, without a trailing slash.
    package let path: String

    /// Creates the directory among the system's temporary files; nil if the system refuses.
    ///
    /// - Parameter name: The beginning of its name.
    package init?(_ name: String) {
        var template = Array((FileManager.default.temporaryDirectory.path + "/\(name)-XXXXXX").utf8CString)
        let isMade = template.withUnsafeMutableBufferPointer { $0.baseAddress.map { mkdtemp($0) != nil } ?? false }
        guard isMade else { return nil }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Removes the directory and its contents.
    package func remove() { try? FileManager.default.removeItem(atPath: path) }
}
