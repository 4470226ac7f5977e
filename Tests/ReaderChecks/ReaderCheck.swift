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
    public struct Reader: Sendable {
        /// The name, which is also that of its folder in a corpus.
        public let name: String
        let complaints: @Sendable (_ check: ReaderCheck, _ bytes: [UInt8]) -> [String]

        /// Creates a reader from the check of the bytes in its scratch file.
        public init(
            _ name: String,
            complaints: @escaping @Sendable (_ check: ReaderCheck, _ bytes: [UInt8]) -> [String]
        ) {
            (self.name, self.complaints) = (name, complaints)
        }

        /// Scenario files, up to a world that is ready to run.
        public static let scenarios = Reader("scenarios") { $0.complaintsAboutScenario($1) }
        /// Ride traces and columns of empirical distributions.
        public static let csv = Reader("csv") { $0.complaintsAboutTable($1) }
        /// `--set` options for a scenario file, one per line.
        public static let settings = Reader("settings") { $0.complaintsAboutSettings($1) }
        /// The readers of the simulator.
        public static let all = [scenarios, csv, settings]
    }

    /// The maximum number of scalars in a message.
    static let longestMessage = 2000

    /// The reader under test.
    public let reader: Reader
    /// The file that holds the bytes while they are checked.
    public let scratchFile: String

    /// Creates a check that writes its inputs to a file of its own.
    public init(_ reader: Reader, scratchFile: String) {
        self.reader = reader
        self.scratchFile = scratchFile
    }

    /// Returns the guarantees that the reader breaks; empty if there are none.
    public func complaints(about bytes: [UInt8]) -> [String] {
        guard FileManager.default.createFile(atPath: scratchFile, contents: Data(bytes)) else {
            return ["the scratch file \(scratchFile) cannot be written"]
        }
        defer { try? FileManager.default.removeItem(atPath: scratchFile) }
        return reader.complaints(self, bytes)
    }
}
