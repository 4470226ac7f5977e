import Foundation
import InputFiles
import LiveActivityModel
import ScenarioLanguage
import TestSupport
import Testing

/// The name of each fixture states its verdict; an invalid one ends with its expected messages as comments.
@Suite("Reading scenario files")
struct ScenarioReaderTests {
    @Test("Valid files are read", arguments: Fixture.all(verdict: "valid"))
    func valid(fixture: Fixture) throws {
        let loaded = try ScenarioReader.read(file: fixture.path)
        let again = try ScenarioReader.read(yaml: ScenarioWriter.resolvedYAML(loaded.scenario), named: "resolved.yaml")
        #expect(again.scenario == loaded.scenario)
    }

    @Test("Invalid files give every message at its place", arguments: Fixture.all(verdict: "invalid"))
    func invalid(fixture: Fixture) throws {
        let expected = try fixture.expectedMessages
        #expect(!expected.isEmpty)
        // The keys of a section come from the table; one message lists them.
        let messages = ScenarioError.lines { try ScenarioReader.read(file: fixture.path) }
            .map { $0.replacing(/allowed keys: .*/, with: "allowed keys: …") }
            .map { $0.replacing(" is at \(fixture.path):", with: " is at ") }
        #expect(messages == expected)
    }

    @Test("For a value that is not a section, the section's keys are listed")
    func keys() {
        let error = #expect(throws: ScenarioError.self) {
            try ScenarioReader.read(yaml: "sender: {ranks: 5}\n", named: "a.yaml")
        }
        #expect(
            error?.description
                == #"a.yaml:1:17: sender.ranks must be a section, got "5"; allowed keys: start, end, retry, update"#
        )
    }

    @Test("An unreadable file is distinguished from bad data")
    func unreadable() {
        #expect(throws: ScenarioError.missing(path: "/nowhere/a.yaml")) {
            try ScenarioReader.read(file: "/nowhere/a.yaml")
        }
        #expect(throws: ScenarioError.unreadable(path: Fixture.directory, reason: "it is a directory")) {
            try ScenarioReader.read(file: Fixture.directory)
        }
    }

    @Test("Endless and overly large files are rejected after a bounded number of bytes")
    func large() throws {
        #expect(throws: ScenarioError.unreadable(path: "/dev/zero", reason: "it is a device")) {
            try ScenarioReader.read(file: "/dev/zero")
        }
        let scratch = Scratch()
        let file = scratch.path("large.yaml")
        let message = "the file is too large; allowed: up to 1048576 bytes"
        let diagnostic = Diagnostic(file: file, line: 1, column: 1, path: "", message: message)
        for size in [(1 << 20) + 1, 3 << 30] {
            #expect(FileManager.default.createFile(atPath: file, contents: nil))
            try #require(truncate(file, size) == 0)
            #expect(throws: ScenarioError.invalid([diagnostic])) { try ScenarioReader.read(file: file) }
        }
    }

    @Test("A message is rendered with file, line and column")
    func rendering() {
        let error = #expect(throws: ScenarioError.self) {
            try ScenarioReader.read(yaml: "monitor:\n  fresh_limit: -5s\n", named: "nyc.yaml")
        }
        #expect(
            error?.description == """
                nyc.yaml:2:16: monitor.fresh_limit must be a duration, got "-5s", which is negative; \
                allowed: 0s … 3650d, such as 250us 250ms 3s 2m 8h 1d 1h30m
                """
        )
    }

    @Test("At most fifty messages are printed")
    func manyMessages() {
        let yaml = (0..<60).map { "unknown-\($0): 1\n" }.joined()
        let error = #expect(throws: ScenarioError.self) { try ScenarioReader.read(yaml: yaml, named: "a.yaml") }
        let lines = error?.description.split(separator: "\n") ?? []
        #expect(lines.count == 51)
        #expect(lines.last == "and 10 more")
    }
}

/// Returns the path of a file beside the tests.
struct Fixture: CustomTestStringConvertible, Sendable {
    static let directory = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures").path()

    let name: String
    var path: String { Self.directory + "/" + name }
    var testDescription: String { name }

    static func all(verdict: String) -> [Fixture] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.filter { $0.hasSuffix(".yaml") && $0.contains(".\(verdict).") }.sorted().map { Fixture(name: $0) }
    }

    /// The messages after `# error: `, in order.
    ///
    /// Empty files and those in other encodings have theirs in a file beside them.
    var expectedMessages: [String] {
        get throws {
            let beside = path + ".errors"
            let source = FileManager.default.fileExists(atPath: beside) ? beside : path
            let text = try String(contentsOfFile: source, encoding: .utf8)
            return text.split(whereSeparator: \.isNewline)
                .compactMap { line in
                    line.hasPrefix("# error: ") ? String(line.dropFirst("# error: ".count)) : nil
                }
        }
    }
}
