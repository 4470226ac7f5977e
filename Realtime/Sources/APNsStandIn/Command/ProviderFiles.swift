import Experiments
import Foundation
import LoadGenerator
import Reporting

/// What a provider needs of a stand-in, and where it is to be written.
struct ProviderFiles {
    /// The certificates by which the stand-in is known; nil where none are written.
    let ca: File?
    /// A key whose provider tokens it takes; nil where none is written.
    let key: File?

    /// A text and its place.
    struct File {
        let text: String
        /// Absolute: the reader's working directory may be another.
        let path: String
        let mode: Int
        /// The option that names another place.
        let option: String
        /// Whether that option was given.
        let isAsked: Bool
    }

    /// Refuses to write over a file unless that was asked for, or the ready file of the stand-in before says that it is its
    /// own.
    func checkPlaces(against readyFile: String?) throws {
        let before = readyFile.flatMap { try? InputFile.bytes(of: $0, limit: 1 << 16) }
            .flatMap { ReadyFile($0) }
        for case let file? in [ca, key] where !file.isAsked {
            let isKnown = [before?.ca, before?.key].contains(file.path)
            guard !isKnown, FileManager.default.fileExists(atPath: file.path) else { continue }
            printError("\(file.path): is there already, and of no stand-in before; \(file.option) names another place")
            throw Failure.cannotWrite
        }
    }

    /// Writes them.
    func write() throws {
        for case let file? in [ca, key] { try writeWholeOrExit(file.text, to: file.path, mode: file.mode) }
    }
}
