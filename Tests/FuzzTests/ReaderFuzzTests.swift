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
    /// The number of mutants in a long run; nil for the few of the ordinary suite.
    private static let asked = ProcessInfo.processInfo.environment["FRESHET_FUZZ"].flatMap(Int.init)

    /// The number of mutants per reader in this run.
    private static let count = asked ?? (Loop.isHostile ? 2000 : 150)

    /// The time limit of an input: a hundred times the slowest one's time, so that it detects hangs and not busy
    /// machines.
    private static let deadline = Patience.limit

    /// The limit for the growth of peak memory in a long run [KiB].
    ///
    /// Inputs are small, so more means a leak or an accumulation.
    private static let memory = 100 << 10

    private static func check(_ reader: ReaderCheck.Reader, _ purpose: String) -> ReaderCheck {
        let name = "freshet-fuzz-\(purpose)-\(reader.name)-\(ProcessInfo.processInfo.processIdentifier)"
        return ReaderCheck(reader, scratchFile: FileManager.default.temporaryDirectory.appending(path: name).path())
    }

    private static func expectPromisesKept(
        _ check: ReaderCheck,
        _ bytes: [UInt8],
        _ name: String,
        _ tally: HostileTally = HostileTally("large files")
    ) {
        let start = ContinuousClock.now
        let complaints = check.complaints(about: bytes)
        let time = ContinuousClock.now - start
        #expect(time < deadline, "\(check.reader.name)/\(name)")
        guard !tally.counts(complaints.isEmpty && time < deadline) else { return }
        guard !complaints.isEmpty else { return }
        Issue.record(
            "\(check.reader.name)/\(name): \(complaints[0]) (\(complaints.count)); \(Data(bytes.prefix(4000)).base64EncodedString())"
        )
    }

    @Test("Every file of the corpus", .enabled(if: Loop.isFull), arguments: ReaderCheck.Reader.all)
    func corpus(reader: ReaderCheck.Reader) throws {
        let names = Corpus.names(for: reader)
        #expect(names.count >= 15)
        let check = Self.check(reader, "corpus")
        for name in names { Self.expectPromisesKept(check, try Corpus.bytes(name, for: reader), name) }
    }

    @Test("Mutants of the corpus", .enabled(if: Loop.isFull), arguments: ReaderCheck.Reader.all)
    func mutants(reader: ReaderCheck.Reader) throws {
        let corpus = try Corpus.names(for: reader).map { try Corpus.bytes($0, for: reader) }
        let purpose = UInt16(ReaderCheck.Reader.all.firstIndex { $0.name == reader.name } ?? 0)
        let mutator = Mutator(of: corpus, seed: 1, purpose: purpose)
        let check = Self.check(reader, "mutants")
        let before = Self.peakMemory()
        let tally = HostileTally("mutants of files: \(reader.name)", checks: Self.count)
        for number in 0..<Self.count {
            Self.expectPromisesKept(check, mutator.mutant(number), "mutant \(number)", tally)
        }
        if Self.asked != nil { #expect(Self.peakMemory() - before < Self.memory) }
    }

    @Test("Large inputs", .enabled(if: Loop.isFull), arguments: LargeInput.all)
    func large(input: LargeInput) {
        // The maximum size of a scenario; in the ordinary suite a size that is quick but enough to overflow a stack.
        let size = Self.asked == nil ? 1 << 14 : 1 << 20
        Self.expectPromisesKept(
            Self.check(input.reader, input.name.replacing(" ", with: "-")),
            input.bytes(size: size),
            input.name
        )
    }

    @Test("A scenario file above the size limit is rejected unread")
    func tooLarge() {
        let bytes = [UInt8](repeating: UInt8(ascii: "["), count: 1 << 20 + 1)
        Self.expectPromisesKept(Self.check(.scenarios, "limit"), bytes, "above the limit")
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
