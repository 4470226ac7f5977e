import ArgumentParser
import Foundation
import LoadGenerator
import NIOSSL
import Shell
import TestSupport
import Testing

@testable import APNsStandIn

/// A stand-in overwrites the files of the previous stand-in, and other files only if the user named them.
@Suite("A provider's files")
struct ProviderFilesTests {
    private let scratch = Scratch()

    private static let cannotWrite = ExitCode(73)

    private func files(in directory: String, areAsked: Bool = false) -> ProviderFiles {
        ProviderFiles(
            ca: .init(text: "ca", path: "\(directory)/ca.pem", mode: 0o644, option: "--ca", isAsked: areAsked),
            key: .init(text: "key", path: "\(directory)/key.p8", mode: 0o600, option: "--key", isAsked: areAsked)
        )
    }

    private func isRefused(_ files: ProviderFiles, against readyFile: String?) throws -> Bool {
        do {
            try files.checkPlaces(against: readyFile)
            return false
        } catch let code as ExitCode where code == Self.cannotWrite {
            return true
        }
    }

    private func writeReady(_ file: String, ca: String?, key: String?) throws {
        var ready = ReadyFile(port: 1, pid: 1)
        (ready.ca, ready.key) = (ca, key)
        try ready.write(to: file)
    }

    @Test("A free path is accepted, with and without a ready file")
    func free() throws {
        let directory = scratch.path
        #expect(try !isRefused(files(in: directory), against: nil))
        #expect(try !isRefused(files(in: directory), against: "\(directory)/ready.json"))
        #expect(try !isRefused(ProviderFiles(ca: nil, key: nil), against: nil))
    }

    @Test("An existing file is kept, unless the user named its path", arguments: ["ca.pem", "key.p8"])
    func taken(name: String) throws {
        let directory = scratch.path
        try writeWholeOrExit("another's", to: "\(directory)/\(name)", mode: 0o600)
        #expect(try isRefused(files(in: directory), against: nil))
        #expect(try !isRefused(files(in: directory, areAsked: true), against: nil))
        // An invalid ready file vouches for nothing.
        try writeWholeOrExit("{}", to: "\(directory)/ready.json", mode: 0o644)
        #expect(try isRefused(files(in: directory), against: "\(directory)/ready.json"))
    }

    @Test("Files of the previous stand-in may be overwritten, and no others")
    func known() throws {
        let directory = scratch.path
        let (files, ready) = (files(in: directory), "\(directory)/ready.json")
        try files.write()
        try writeReady(ready, ca: files.ca?.path, key: files.key?.path)
        #expect(try !isRefused(files, against: ready))
        try writeReady(ready, ca: files.ca?.path, key: nil)
        #expect(try isRefused(files, against: ready), "the key is another's")
        try writeReady(ready, ca: nil, key: files.key?.path)
        try writeWholeOrExit("another's", to: "\(directory)/ca.pem", mode: 0o644)
        #expect(try isRefused(files, against: ready), "the certificate is another's")
    }

    @Test("Without the ready file, the authority's mark shows the files of the previous stand-in")
    func marked() throws {
        let directory = scratch.path
        func files() throws -> ProviderFiles {
            ProviderFiles(
                ca: .init(
                    text: try ServerIdentity.throwAway().authorityPEM ?? "",
                    path: "\(directory)/ca.pem",
                    mode: 0o644,
                    option: "--ca",
                    isAsked: false
                ),
                key: .init(
                    text: try ProviderKey.throwAway().pem,
                    path: "\(directory)/key.p8",
                    mode: 0o600,
                    option: "--key",
                    isAsked: false
                )
            )
        }
        let (first, second) = (try files(), try files())
        try first.write()
        #expect(try NIOSSLCertificate.fromPEMFile("\(directory)/ca.pem").count == 1)
        #expect(try !isRefused(second, against: "\(directory)/ready.json"))
        // Another key with the same authority, such as one from Apple, is kept.
        try writeWholeOrExit(try ProviderKey.throwAway().pem, to: "\(directory)/key.p8", mode: 0o600)
        #expect(try isRefused(second, against: nil))
        try second.write()
        #expect(try !isRefused(first, against: nil))
        try writeWholeOrExit(try ServerIdentity.throwAway().authorityPEM ?? "", to: "\(directory)/ca.pem", mode: 0o644)
        #expect(try isRefused(first, against: nil))
    }

    @Test("They are written completely, each with its mode, and no other file remains")
    func written() throws {
        let directory = scratch.path
        try files(in: directory).write()
        let names = try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
        #expect(names == ["ca.pem", "key.p8"])
        #expect(try String(contentsOfFile: "\(directory)/key.p8", encoding: .utf8) == "key")
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(directory)/key.p8")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
}
