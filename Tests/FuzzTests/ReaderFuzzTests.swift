import Foundation
import ReaderChecks
import TestSupport
import Testing

/// Readers with hostile files.
///
/// `FRESHET_FUZZ=200000 swift test --filter FuzzTests` makes that number of mutants for each reader instead of a few,
/// measures memory, and uses the large inputs at full size. `make fuzz` searches with libFuzzer instead. An input that
/// crashes or hangs a reader remains in the scratch file `freshet-fuzz-…` in the directory for temporary files.
@Suite("Readers with hostile files")
struct ReaderFuzzTests {
    /// The limit for the growth of peak memory in a long run [KiB].
    ///
    /// Inputs are small, so more means a leak or an accumulation.
    private static let memory = 100 << 10

    @Test("Every file of the corpus", .enabled(if: Loop.isFull), arguments: ReaderCheck.Reader.all)
    func corpus(reader: ReaderCheck.Reader) throws {
        let names = Corpus.names(for: reader)
        #expect(names.count >= 15)
        let run = FuzzRun(reader, "corpus")
        for name in names { #expect(run.problem(with: try Corpus.bytes(name, for: reader), name) == nil) }
    }

    @Test("Mutants of the corpus", .enabled(if: Loop.isFull), arguments: ReaderCheck.Reader.all)
    func mutants(reader: ReaderCheck.Reader) throws {
        let corpus = try Corpus.names(for: reader).map { try Corpus.bytes($0, for: reader) }
        let purpose = UInt16(ReaderCheck.Reader.all.firstIndex { $0.name == reader.name } ?? 0)
        let mutator = Mutator(of: corpus, seed: 1, purpose: purpose)
        let before = Self.peakMemory()
        let tally = HostileTally("mutants of files: \(reader.name)", checks: FuzzRun.count)
        let run = FuzzRun(reader, "mutants", tally: tally)
        for number in 0..<FuzzRun.count {
            #expect(run.problem(with: mutator.mutant(number), "mutant \(number)") == nil)
        }
        if FuzzRun.asked != nil { #expect(Self.peakMemory() - before < Self.memory) }
    }

    @Test("Large inputs", .enabled(if: Loop.isFull), arguments: LargeInput.all)
    func large(input: LargeInput) {
        let run = FuzzRun(input.reader, input.name.replacing(" ", with: "-"))
        #expect(run.problem(with: input.bytes(size: FuzzRun.largeSize), input.name) == nil)
    }

    @Test("A scenario file above the size limit is rejected unread")
    func tooLarge() {
        let bytes = [UInt8](repeating: UInt8(ascii: "["), count: 1 << 20 + 1)
        #expect(FuzzRun(.scenarios, "limit").problem(with: bytes, "above the limit") == nil)
    }

    @Test("Mutants are reproducible and rarely repeat")
    func mutantsAreFixed() {
        let corpus = [Array("name: a\nclock: {duration: 1h}\n".utf8), Array("seed: 3\n".utf8)]
        let mutator = Mutator(of: corpus, seed: 1, purpose: 0)
        #expect((0..<200).allSatisfy { mutator.mutant($0) == Mutator(of: corpus, seed: 1, purpose: 0).mutant($0) })
        #expect(Set((0..<200).map(mutator.mutant)).count > 150)
    }

    /// Returns the peak memory of the process [KiB on Linux].
    private static func peakMemory() -> Int {
        var usage = rusage()
        // RUSAGE_SELF; Glibc declares it with a type that its own function does not accept.
        getrusage(0, &usage)
        return Int(usage.ru_maxrss)
    }
}
