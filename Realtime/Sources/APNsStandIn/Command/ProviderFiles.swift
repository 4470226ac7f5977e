import Foundation
import InputFiles
import LoadGenerator
import Shell
import Signatures

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

    /// Refuses to overwrite a file, unless the user named it or a previous stand-in wrote it.
    ///
    /// The ready file lists the files of the previous stand-in. Without it, the authority's file shows by its mark that a
    /// stand-in wrote it, and with which key.
    func checkPlaces(against readyFile: String?) throws {
        let before = readyFile.flatMap { try? InputFile.bytes(of: $0, limit: 1 << 16) }
            .flatMap { ReadyFile($0) }
        for case let file? in [ca, key] where !file.isAsked {
            let isKnown = [before?.ca, before?.key].contains(file.path)
            guard !isKnown, FileManager.default.fileExists(atPath: file.path) else { continue }
            let found = Self.text(at: file.path)
            guard file.path == ca?.path ? Self.isMarked(found) : isMarkedKey(found) else {
                printError(
                    "\(file.path): exists, and nothing shows that a stand-in wrote it; remove it, or give another path with "
                        + file.option
                )
                throw Failure.cannotWrite
            }
        }
    }

    /// Writes the files, the authority's with a mark.
    func write() throws {
        if let ca {
            // PEM readers skip text before the first block (RFC 7468).
            try writeWholeOrExit(Self.mark(of: key?.text) + "\n" + ca.text, to: ca.path, mode: ca.mode)
        }
        if let key { try writeWholeOrExit(key.text, to: key.path, mode: key.mode) }
    }

    // MARK: - The mark

    private static let beginning = "# The authority of a Freshet stand-in, for tests."

    /// The first line of an authority's file, which names the public key of the key file written with it.
    private static func mark(of key: String?) -> String {
        guard let key, let pem = try? P256PrivateKey(pem: key).publicKey.pem else { return beginning }
        // The line must not look like a block of PEM.
        return "\(beginning) Provider key: \(pem.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined())"
    }

    private static func isMarked(_ authority: String?) -> Bool { authority?.hasPrefix(beginning) ?? false }

    /// Returns `true` if the authority's file is marked with a key.
    private func isMarkedKey(_ key: String?) -> Bool {
        guard let key, let authority = ca.flatMap({ Self.text(at: $0.path) }) else { return false }
        let mark = Self.mark(of: key)
        return mark != Self.beginning && authority.hasPrefix(mark + "\n")
    }

    private static func text(at path: String) -> String? {
        (try? InputFile.bytes(of: path, limit: 1 << 16)).map { String(decoding: $0, as: UTF8.self) }
    }
}
