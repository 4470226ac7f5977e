import Foundation
public import TestSupport

/// Feeds a reader many hostile files, each within a time limit.
///
/// `FRESHET_FUZZ=200000` makes that number of mutants instead of a few, and uses large inputs at full size.
public struct FuzzRun {
    /// The number of mutants in a long run; nil for the few of the ordinary suite.
    public static let asked = ProcessInfo.processInfo.environment["FRESHET_FUZZ"].flatMap(Int.init)

    /// The number of mutants per reader in this run.
    public static let count = asked ?? (Loop.isHostile ? 2000 : 150)

    /// The size of large inputs: the maximum of a scenario in a long run, else enough to overflow a stack.
    public static let largeSize = asked == nil ? 1 << 14 : 1 << 20

    private let check: ReaderCheck
    private let tally: HostileTally

    /// A run whose scratch file names the purpose, because an input that crashes a reader remains in it.
    public init(_ reader: ReaderCheck.Reader, _ purpose: String, tally: HostileTally = HostileTally("large files")) {
        let name = "freshet-fuzz-\(purpose)-\(reader.name)-\(ProcessInfo.processInfo.processIdentifier)"
        check = ReaderCheck(reader, scratchFile: FileManager.default.temporaryDirectory.appending(path: name).path())
        self.tally = tally
    }

    /// Checks one file; nil if the reader kept its promises within the limit.
    ///
    /// The limit is a hundred times the slowest input's time, so that it detects hangs and not busy machines.
    public func problem(with bytes: [UInt8], _ name: String) -> String? {
        let start = ContinuousClock.now
        var complaints = check.complaints(about: bytes)
        if ContinuousClock.now - start >= Patience.limit { complaints.append("takes longer than \(Patience.limit)") }
        guard !tally.counts(complaints.isEmpty) else { return nil }
        let file = Data(bytes.prefix(4000)).base64EncodedString()
        return "\(check.reader.name)/\(name): \(complaints[0]) (\(complaints.count)); \(file)"
    }
}
