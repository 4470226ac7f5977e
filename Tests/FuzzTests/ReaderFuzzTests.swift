import Foundation
import ReaderChecks
import TestSupport
import Testing

/// Readers against files that were not written with care.
///
/// `FRESHET_FUZZ=200000 swift test --filter FuzzTests` makes that number of mutants for each reader in place of a few, measures
/// memory too and takes the large inputs at full size; `make fuzz` searches with libFuzzer instead. An input that crashes
/// or hangs a reader stays behind in the scratch file, `freshet-fuzz-…` in the directory for temporary files.
@Suite("Readers of files against hostile ones")
struct ReaderFuzzTests {
    /// How many mutants a long run makes; nil for the few of the ordinary suite.
    private static let asked = ProcessInfo.processInfo.environment["FRESHET_FUZZ"].flatMap(Int.init)

    /// How many mutants of each reader a run of the suite makes.
    private static let count = asked ?? (Loop.isHostile ? 2000 : 150)

    /// No input may take longer: a hundred times what the slowest takes, so that this finds hangs and not busy machines.
    private static let deadline = Patience.limit

    /// The memory that a long run may add at its peak [KiB]: inputs are small, so anything more was lost or piled up.
    private static let memory = 100 << 10

    private static func check(_ reader: ReaderCheck.Reader, _ purpose: String) -> ReaderCheck {
        let name = "freshet-fuzz-\(purpose)-\(reader.rawValue)-\(ProcessInfo.processInfo.processIdentifier)"
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
        #expect(time < deadline, "\(check.reader.rawValue)/\(name)")
        guard !tally.counts(complaints.isEmpty && time < deadline) else { return }
        guard !complaints.isEmpty else { return }
        Issue.record(
            "\(check.reader.rawValue)/\(name): \(complaints[0]) (\(complaints.count)); \(Data(bytes.prefix(4000)).base64EncodedString())"
        )
    }

    @Test("Every file of the corpus", .enabled(if: Loop.isFull), arguments: ReaderCheck.Reader.allCases)
    func corpus(reader: ReaderCheck.Reader) throws {
        let names = Corpus.names(for: reader)
        #expect(names.count >= 15)
        let check = Self.check(reader, "corpus")
        for name in names { Self.expectPromisesKept(check, try Corpus.bytes(name, for: reader), name) }
    }

    @Test("Mutants of the corpus", .enabled(if: Loop.isFull), arguments: ReaderCheck.Reader.allCases)
    func mutants(reader: ReaderCheck.Reader) throws {
        let corpus = try Corpus.names(for: reader).map { try Corpus.bytes($0, for: reader) }
        let purpose = UInt16(ReaderCheck.Reader.allCases.firstIndex(of: reader) ?? 0)
        let mutator = Mutator(of: corpus, seed: 1, purpose: purpose)
        let check = Self.check(reader, "mutants")
        let before = Self.peakMemory()
        let tally = HostileTally("mutants of files: \(reader.rawValue)", checks: Self.count)
        for number in 0..<Self.count {
            Self.expectPromisesKept(check, mutator.mutant(number), "mutant \(number)", tally)
        }
        if Self.asked != nil { #expect(Self.peakMemory() - before < Self.memory) }
    }

    @Test("Much of one thing", .enabled(if: Loop.isFull), arguments: LargeInput.all)
    func large(input: LargeInput) {
        // As large as a scenario may be; in the ordinary suite enough to overflow a stack, which needs no patience.
        let size = Self.asked == nil ? 1 << 14 : 1 << 20
        Self.expectPromisesKept(
            Self.check(input.reader, input.name.replacing(" ", with: "-")),
            input.bytes(size: size),
            input.name
        )
    }

    @Test("A scenario file above the limit is refused unread")
    func tooLarge() {
        let bytes = [UInt8](repeating: UInt8(ascii: "["), count: 1 << 20 + 1)
        Self.expectPromisesKept(Self.check(.scenarios, "limit"), bytes, "above the limit")
    }

    @Test("Mutants are the same in every run, and no two are alike for long")
    func mutantsAreFixed() {
        let corpus = [Array("name: a\nclock: {duration: 1h}\n".utf8), Array("seed: 3\n".utf8)]
        let mutator = Mutator(of: corpus, seed: 1, purpose: 0)
        #expect((0..<200).allSatisfy { mutator.mutant($0) == Mutator(of: corpus, seed: 1, purpose: 0).mutant($0) })
        #expect(Set((0..<200).map(mutator.mutant)).count > 150)
    }

    /// The most memory that the process ever held [KiB on Linux].
    private static func peakMemory() -> Int {
        var usage = rusage()
        // RUSAGE_SELF, to which Glibc gives a type that its own function does not take.
        getrusage(0, &usage)
        return Int(usage.ru_maxrss)
    }
}
