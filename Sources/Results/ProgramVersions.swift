import TextFormats

/// The versions of the program that wrote two results; nil where a result does not state its own.
public struct ProgramVersions: Hashable, Sendable {
    /// The version that wrote the first result.
    public let first: String?
    /// The version that wrote the second result.
    public let second: String?

    /// Returns a sentence, without its full stop, that names both versions; nil if they are the same.
    ///
    /// - Parameters:
    ///   - one: The name of the first result: `Baseline`.
    ///   - other: The name of the second: `run`.
    public func difference(_ one: String, _ other: String) -> String? {
        guard first != second else { return nil }
        return "\(one) by \(first ?? Self.unknown), \(other) by \(second ?? Self.unknown)"
    }

    private static let unknown = "an unknown version"

    /// The note for a comparison; empty if the versions are the same.
    var notes: [String] {
        difference("A", "B").map { ["\($0): differences may be due to the program."] } ?? []
    }
}

extension OneLine {
    /// Returns a version from a file in a form that is safe in messages.
    static func version(_ text: String) -> String { excerpt(text, longest: 32) }
}
