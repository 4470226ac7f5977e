import Foundation
import ScenarioLanguage
import TestSupport
import Testing

@testable import Verification

/// The files of `Worlds`; see its README.
@Suite("Difficult worlds", .enabled(if: Loop.isFull))
struct WorldCorpusTests {
    private static let directory = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Worlds")

    private static let names = ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? [])
        .filter { $0.hasSuffix(".yaml") }.sorted()

    @Test("None has violations", arguments: names)
    func passes(name: String) throws {
        let file = Self.directory.appending(path: name).path
        let verdict = WorldCheck.verdict(on: try ScenarioReader.read(file: file), mostEvents: 2_000_000)
        #expect(verdict.violations == [])
        #expect(verdict.events > 0)
    }

    @Test("There are worlds with and without data")
    func some() throws {
        #expect(Self.names.count >= 20)
        let data = try FileManager.default.contentsOfDirectory(atPath: Self.directory.path)
            .filter { $0.hasSuffix(".csv") }
        #expect(data.count >= 3)
    }
}
