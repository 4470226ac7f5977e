import Foundation
import InputFiles
import LoadGenerator
import Shell

/// The files that a provider of the stand-in needs, and their places.
struct ProviderFiles {
    /// The certificate authority of the stand-in; `nil` if none is written.
    let ca: File?
    /// A key whose provider tokens the stand-in accepts; `nil` if none is written.
    let key: File?

    /// A text and its place.
    struct File {
        let text: String
        /// The absolute path, because the reader's working directory may differ.
        let path: String
        let mode: Int
        /// The option that sets another path.
        let option: String
        /// `true` if that option was given.
        let isAsked: Bool
    }

    /// Refuses to overwrite a file, unless the user named it or the previous stand-in's ready file lists it.
    func checkPlaces(against readyFile: String?) throws {
        let before = readyFile.flatMap { try? InputFile.bytes(of: $0, limit: 1 << 16) }
            .flatMap { ReadyFile($0) }
        for case let file? in [ca, key] where !file.isAsked {
            let isKnown = [before?.ca, before?.key].contains(file.path)
            guard !isKnown, FileManager.default.fileExists(atPath: file.path) else { continue }
            printError("\(file.path): exists and was not written by a stand-in; give another path with \(file.option)")
            throw Failure.cannotWrite
        }
    }

    /// Writes the files.
    func write() throws {
        for case let file? in [ca, key] { try writeWholeOrExit(file.text, to: file.path, mode: file.mode) }
    }
}
