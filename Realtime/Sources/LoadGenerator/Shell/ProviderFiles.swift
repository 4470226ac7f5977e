import Foundation
import Reporting

/// What a provider needs of a stand-in, and where it is to be written.
package struct ProviderFiles {
    /// The certificates by which the stand-in is known; nil where none are written.
    package let ca: File?
    /// A key whose provider tokens it takes; nil where none is written.
    package let key: File?

    /// A text and its place.
    package struct File {
        let text: String
        /// Absolute: the reader's working directory may be another.
        package let path: String
        let mode: Int
        /// The option that names another place.
        let option: String
        /// Whether that option was given.
        let isAsked: Bool

        package init(text: String, path: String, mode: Int, option: String, isAsked: Bool) {
            self.text = text
            self.path = path
            self.mode = mode
            self.option = option
            self.isAsked = isAsked
        }
    }

    package init(ca: File?, key: File?) {
        self.ca = ca
        self.key = key
    }

    /// Refuses to write over a file unless that was asked for, or the ready file of the stand-in before says that it is its
    /// own.
    package func checkPlaces(against readyFile: String?) throws {
        let before = readyFile.flatMap { FileManager.default.contents(atPath: $0) }
            .flatMap { ReadyFile(Array($0)) }
        for case let file? in [ca, key] where !file.isAsked {
            let isKnown = [before?.ca, before?.key].contains(file.path)
            guard !isKnown, FileManager.default.fileExists(atPath: file.path) else { continue }
            printError("\(file.path): is there already, and of no stand-in before; \(file.option) names another place")
            throw Failure.cannotWrite
        }
    }

    /// Writes them.
    package func write() throws {
        for case let file? in [ca, key] { try Self.write(file.text, to: file.path, mode: file.mode) }
    }

    /// Writes a file whole: who sees it can read all of it.
    package static func write(_ text: String, to path: String, mode: Int) throws {
        let temporary = "\(path).\(ProcessInfo.processInfo.processIdentifier)"
        let attributes: [FileAttributeKey: any Sendable] = [.posixPermissions: mode]
        guard
            FileManager.default.createFile(atPath: temporary, contents: Data(text.utf8), attributes: attributes),
            rename(temporary, path) == 0
        else {
            printError("cannot write \(path)")
            throw Failure.cannotWrite
        }
    }
}

/// Reads a text, or ends the command.
package func textOrExit(_ path: String) throws -> String {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
        printError("\(path): cannot be read")
        throw Failure.inputMissing
    }
    return text
}
