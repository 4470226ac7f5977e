import Foundation

/// Feeds a reader with bytes and tells which of its promises it breaks.
///
/// Whatever the bytes, a reader
/// - does not crash (the caller notices),
/// - refuses with an error that has at least one place, and each inside the file,
/// - speaks in messages that are one line, show no control character and do not grow with the input,
/// - accepts only what, written and read again, is the same.
public struct ReaderCheck: Sendable {
    /// What reads the bytes.
    public enum Reader: String, CaseIterable, Sendable {
        /// Scenario files, up to a world that is ready to run.
        case scenarios
        /// Ride traces and columns of empirical distributions.
        case csv
        /// Files of known results, up to the scenarios they are translated into.
        case cases
        /// `--set` beside a scenario file, one on each line.
        case settings
    }

    /// More scalars than this in a message are too many.
    static let longestMessage = 2000

    /// What is fed.
    public let reader: Reader
    let scratchFile: String

    /// A check that puts its inputs into a file of its own.
    public init(_ reader: Reader, scratchFile: String) {
        self.reader = reader
        self.scratchFile = scratchFile
    }

    /// The promises that the reader breaks; none is well.
    public func complaints(about bytes: [UInt8]) -> [String] {
        switch reader {
        case .scenarios: file(bytes, complaintsAboutScenario)
        case .csv: file(bytes, complaintsAboutTable)
        case .cases: file(bytes, complaintsAboutCases)
        case .settings: file(bytes, complaintsAboutSettings)
        }
    }

    /// Puts the bytes into the scratch file, checks and takes the file away.
    private func file(_ bytes: [UInt8], _ check: ([UInt8]) -> [String]) -> [String] {
        guard FileManager.default.createFile(atPath: scratchFile, contents: Data(bytes)) else {
            return ["the scratch file \(scratchFile) cannot be written"]
        }
        defer { try? FileManager.default.removeItem(atPath: scratchFile) }
        return check(bytes)
    }
}
