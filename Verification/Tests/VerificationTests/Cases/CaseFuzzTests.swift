import CaseChecks
import Foundation
import ReaderChecks
import TestSupport
import Testing

/// The reader of known results with hostile files; `Tests/FuzzTests` does the same for the readers of the simulator.
@Suite("Files of known results with hostile content", .enabled(if: Loop.isFull))
struct CaseFuzzTests {
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

    @Test("Every file of the corpus")
    func corpus() throws {
        let corpus = try Self.corpus()
        #expect(corpus.count >= 15)
        let run = FuzzRun(.cases, "corpus")
        for (name, bytes) in corpus { #expect(run.problem(with: bytes, name) == nil) }
    }

    @Test("Mutants of the corpus")
    func mutants() throws {
        let mutator = Mutator(of: try Self.corpus().map(\.bytes), seed: 1, purpose: 2)
        let tally = HostileTally("mutants of files: cases", checks: FuzzRun.count)
        let run = FuzzRun(.cases, "mutants", tally: tally)
        for number in 0..<FuzzRun.count {
            #expect(run.problem(with: mutator.mutant(number), "mutant \(number)") == nil)
        }
    }

    @Test("Large inputs", arguments: largeInputs)
    func large(input: LargeInput) {
        let run = FuzzRun(.cases, input.name.replacing(" ", with: "-"))
        #expect(run.problem(with: input.bytes(size: FuzzRun.largeSize), input.name) == nil)
    }
}
