import Foundation

/// Feeds bytes to a reader and reports the broken guarantees.
///
/// For any bytes, a reader
/// - does not crash (the caller notices),
/// - rejects invalid input with an error that has at least one place, each inside the file,
/// - prints messages of one line, without control characters, whose length does not grow with the input,
/// - accepts only input that is unchanged after it is written and read again.
public struct ReaderCheck: Sendable {
    /// The reader of the bytes.
    public enum Reader: String, CaseIterable, Sendable {
        /// Scenario files, up to a world that is ready to run.
        case scenarios
        /// Ride traces and columns of empirical distributions.
        case csv
        /// Files of known results, up to their scenarios.
        case cases
        /// `--set` options for a scenario file, one per line.
        case settings
    }

    /// The maximum number of scalars in a message.
    static let longestMessage = 2000

    /// The reader under test.
    public let reader: Reader
    let scratchFile: String

    /// Creates a check that writes its inputs to a file of its own.
    public init(_ reader: Reader, scratchFile: String) {
        self.reader = reader
        self.scratchFile = scratchFile
    }

    /// Returns the guarantees that the reader breaks; empty if there are none.
    public func complaints(about bytes: [UInt8]) -> [String] {
        switch reader {
        case .scenarios: file(bytes, complaintsAboutScenario)
        case .csv: file(bytes, complaintsAboutTable)
        case .cases: file(bytes, complaintsAboutCases)
        case .settings: file(bytes, complaintsAboutSettings)
        }
    }

    /// Writes the bytes to the scratch file, runs a check and removes the file.
    private func file(_ bytes: [UInt8], _ check: ([UInt8]) -> [String]) -> [String] {
        guard FileManager.default.createFile(atPath: scratchFile, contents: Data(bytes)) else {
            return ["the scratch file \(scratchFile) cannot be written"]
        }
        defer { try? FileManager.default.removeItem(atPath: scratchFile) }
        return check(bytes)
    }
}
