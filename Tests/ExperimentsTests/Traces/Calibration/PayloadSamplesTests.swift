import Foundation
import LiveActivityModel
import SimulationKernel
import TestSupport
import Testing

@testable import InputFiles
@testable import ScenarioLanguage
@testable import Traces

@Suite("Sample payloads")
struct PayloadSamplesTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../..").standardizedFileURL

    private let scratch = Scratch()
    private let folder: String

    init() throws {
        folder = scratch.path("samples")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private func write(_ bytes: Int, to file: String) throws {
        try write([UInt8](repeating: 8, count: bytes), to: file)
    }

    private func write(_ bytes: [UInt8], to file: String) throws {
        let url = URL(fileURLWithPath: "\(folder)/\(file)")
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }

    /// The error of the folder, without its path; empty if it is read.
    private func error() -> String {
        do {
            _ = try PayloadSamples(folder: folder)
            return ""
        } catch {
            return error.description.replacing(folder, with: "samples")
        }
    }

    @Test("JSON counts without the white space between its tokens, other files with their size, dot files not at all")
    func sizes() throws {
        try write(Array(#"{ "aps": {"content-state": {"a": "x \" y"}} }"#.utf8), to: "push.json")
        try write(Array("{\n\t\"a\": [1, 2]\r\n}".utf8), to: "content")
        try write(300, to: "ride.pb")
        try write(7, to: ".DS_Store")
        let payloads = try PayloadSamples(folder: folder).payloads
        #expect(payloads.map(\.file) == ["content", "push.json", "ride.pb"])
        #expect(payloads.map(\.bytes) == [11, 40, 300])
        #expect(payloads.map(\.form) == [.json, .push, .other])
    }

    @Test("Folders are stages; without files of its own, a folder's sizes are those of all stages")
    func stages() throws {
        for (bytes, file) in [(100, "b/1"), (200, "b/2"), (400, "a/1")] { try write(bytes, to: file) }
        let samples = try PayloadSamples(folder: folder)
        #expect(samples.parts.map(\.stage) == ["a", "b"])
        let lines = samples.yaml.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(
            lines == [
                "content:", "  payload:",
                "    bytes: {quantiles: {p0: 100, p25: 150, p50: 200, p75: 300, p100: 400}} # n = 3",
                "rides:", "  stages: # add each payload_bytes to your stage of this name",
                #"    - name: "a""#, "      payload_bytes: 400 # n = 1", #"    - name: "b""#,
                "      payload_bytes: {quantiles: {p0: 100, p25: 125, p50: 150, p75: 175, p100: 200}} # n = 2",
            ]
        )
        let yaml = samples.yaml.replacing("\n      payload_bytes", with: "\n      duration: 1m\n      payload_bytes")
        let scenario = try ScenarioReader.read(file: scratch.write(yaml, to: "own.yaml")).scenario
        #expect(scenario.content.payload.bytes == PayloadSamples.distribution(of: samples.payloads))
        let parts = samples.parts.map { PayloadSamples.distribution(of: $0.payloads) }
        #expect(scenario.rides.stages.map(\.payloadBytes) == parts)
        try write(900, to: "general")
        #expect(try PayloadSamples(folder: folder).yaml.contains("    bytes: 900 # n = 1\n"))
    }

    @Test("Many sizes have more quantiles, whose mean is that of the sizes")
    func quantiles() throws {
        func points(_ count: Int) -> [QuantilePoint] {
            let payloads = (0..<count)
                .map { PayloadSamples.Payload(file: "\($0)", bytes: 1000 + 10 * $0, form: .other) }
            guard case .quantiles(let points) = PayloadSamples.distribution(of: payloads) else { return [] }
            return points
        }
        #expect(points(19).map(\.probability) == [0, 0.25, 0.5, 0.75, 1])
        #expect(points(20).map(\.probability) == [0, 0.05, 0.25, 0.5, 0.75, 0.95, 1])
        #expect(points(101).map(\.value) == [1000, 1010, 1050, 1250, 1500, 1750, 1950, 1990, 2000])
        #expect(PayloadSamples.distribution(of: []) == .constant(0))
    }

    @Test("Payloads above the limit of APNs are named, and comments say what the sizes leave out")
    func comments() throws {
        try write(4096, to: "fits")
        try write(4097, to: "ended/large")
        try write(Array("{}".utf8), to: "content.json")
        let yaml = try PayloadSamples(folder: folder).yaml
        #expect(yaml.contains("# too large: ended/large, 4097 bytes, above 4096, the limit of APNs\n"))
        #expect(!yaml.contains("fits"))
        #expect(yaml.contains("# not JSON: 2 files, ") && yaml.contains("# JSON without aps: 1 file, "))
    }

    @Test("An entry that is no payload is refused with its path")
    func refusals() throws {
        #expect(error() == "samples: has no payloads; allowed: files, one payload in each")
        let manager = FileManager.default
        func check(_ entry: String, _ expected: String, _ make: (String) throws -> Void) throws {
            try make("\(folder)/\(entry)")
            #expect(error() == expected)
            try manager.removeItem(atPath: "\(folder)/\(entry)")
        }
        func link(to target: String) -> (String) throws -> Void {
            { try manager.createSymbolicLink(atPath: $0, withDestinationPath: target) }
        }
        try check("loop", "samples/loop: cannot be read: Too many levels of symbolic links", link(to: "loop"))
        try check("gone", "samples/gone: there is no such file", link(to: "nowhere"))
        let nested = "samples/self/self: is a folder in a stage's folder; allowed: files, one payload in each"
        try check("self", nested, link(to: "."))
        try check("pipe", "samples/pipe: is a named pipe, must be a regular file") { #expect(mkfifo($0, 0o600) == 0) }
        try check("none", "samples/none: is empty; allowed: a payload") {
            #expect(manager.createFile(atPath: $0, contents: nil))
        }
        try check("bad.json", "samples/bad.json: is not JSON at byte 5; allowed there: ':'") {
            try Data(#"{"a" 1}"#.utf8).write(to: URL(fileURLWithPath: $0))
        }
        try check("huge", "samples/huge: the file is too large; allowed: up to 1048576 bytes") {
            try Data(count: 1 << 20 + 1).write(to: URL(fileURLWithPath: $0))
        }
        let name = "is not the name of a stage; allowed: up to 64 letters, digits, hyphens and underscores"
        try check("to pickup", "samples/to pickup: \(name)") {
            try manager.createDirectory(atPath: $0, withIntermediateDirectories: false)
        }
        try check("empty", "samples/empty: has no payloads; allowed: files, one payload in each") {
            try manager.createDirectory(atPath: $0, withIntermediateDirectories: false)
        }
    }

    @Test("More files than a sample needs are refused")
    func tooMany() throws {
        for file in ["1", "a/2", "b/3"] { try write(8, to: file) }
        #expect(try PayloadSamples(folder: folder, fileLimit: 3).payloads.count == 3)
        let error = #expect(throws: DataFileError.self) { try PayloadSamples(folder: folder, fileLimit: 2) }
        #expect(error?.description == "\(folder): has more than 2 files; give a sample of them in another folder")
    }

    @Test("The shipped payload of the matching stage has the size that the page states")
    func matching() throws {
        let samples = try PayloadSamples(folder: Self.root.appending(path: "experiments/payloads").path)
        #expect(samples.payloads.map(\.file) == ["matching.json"])
        let size = try #require(samples.payloads.first?.bytes)
        let page = try String(contentsOf: Self.root.appending(path: "docs/calibration.md"), encoding: .utf8)
        #expect(page.contains("`experiments/payloads/matching.json` has \(size) bytes"))
    }
}
