import CaseChecks
import Foundation
import ReaderChecks
import TestSupport
import Testing

/// The reader of known results with hostile files; `Tests/FuzzTests` does the same for the readers of the simulator.
@Suite("Files of known results with hostile content", .enabled(if: Loop.isFull))
struct CaseFuzzTests {
    /// The number of mutants in a long run; nil for the few of the ordinary suite.
    private static let asked = ProcessInfo.processInfo.environment["FRESHET_FUZZ"].flatMap(Int.init)

    private static let largeInputs = [
        LargeInput("cases", .cases, start: "{\"cases\": [", end: "0]}") { "{\"id\": \"\($0)\"}," },
        LargeInput("equal cases", .cases, start: "{\"cases\": [", end: "0]}") { _ in
            #"{"id":"a","group":"x","model":"x","quantity":"x","params":{},"exact":0,"tolerance":{"kind":"mc"}},"#
        },
        LargeInput(
            "parameters",
            .cases,
            start:
                #"{"cases":[{"id":"a","group":"queue","model":"mm1","quantity":"x","exact":0,"tolerance":{"kind":"mc"},"params":{"#,
            end: "\"z\":0}}]}"
        ) { "\"k\($0)\":0," },
    ]

    private static func corpus() throws -> [(name: String, bytes: [UInt8])] {
        let directory = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Corpus/cases")
        return try FileManager.default.contentsOfDirectory(atPath: directory.path()).sorted()
            .map { ($0, Array(try Data(contentsOf: directory.appending(path: $0)))) }
    }

    private static func expectPromisesKept(_ bytes: [UInt8], _ name: String, _ tally: HostileTally) {
        let file = FileManager.default.temporaryDirectory.appending(path: "freshet-fuzz-cases-\(UUID().uuidString)")
        let check = ReaderCheck(.cases, scratchFile: file.path())
        let start = ContinuousClock.now
        let complaints = check.complaints(about: bytes)
        let isInTime = ContinuousClock.now - start < Patience.limit
        #expect(isInTime, "\(name)")
        guard !tally.counts(complaints.isEmpty && isInTime), let first = complaints.first else { return }
        Issue.record(
            "\(name): \(first) (\(complaints.count)); \(Data(bytes.prefix(4000)).base64EncodedString())"
        )
    }

    @Test("Every file of the corpus")
    func corpus() throws {
        let corpus = try Self.corpus()
        #expect(corpus.count >= 15)
        let tally = HostileTally("large files")
        for (name, bytes) in corpus { Self.expectPromisesKept(bytes, name, tally) }
    }

    @Test("Mutants of the corpus")
    func mutants() throws {
        let count = Self.asked ?? (Loop.isHostile ? 2000 : 150)
        let mutator = Mutator(of: try Self.corpus().map(\.bytes), seed: 1, purpose: 2)
        let tally = HostileTally("mutants of files: cases", checks: count)
        for number in 0..<count { Self.expectPromisesKept(mutator.mutant(number), "mutant \(number)", tally) }
    }

    @Test("Large inputs", arguments: largeInputs)
    func large(input: LargeInput) {
        let size = Self.asked == nil ? 1 << 14 : 1 << 20
        Self.expectPromisesKept(input.bytes(size: size), input.name, HostileTally("large files"))
    }
}
