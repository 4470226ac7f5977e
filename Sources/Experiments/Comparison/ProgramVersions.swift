/// The versions of the program that wrote two results; nil where a result does not state its own.
public struct ProgramVersions: Hashable, Sendable {
    /// The version that wrote the first result.
    public let first: String?
    /// The version that wrote the second result.
    public let second: String?

    /// A sentence without its full stop that names both versions; nil where they are the same.
    ///
    /// - Parameters:
    ///   - one: The name of the first result: `Baseline`.
    ///   - other: The name of the second: `run`.
    public func difference(_ one: String, _ other: String) -> String? {
        guard first != second else { return nil }
        return "\(one) by \(first ?? Self.unknown), \(other) by \(second ?? Self.unknown)"
    }

    private static let unknown = "an unknown version"

    /// The note of a comparison; none where the versions are the same.
    var notes: [String] {
        difference("A", "B").map { ["\($0): a difference may come from the program."] } ?? []
    }
}

extension OneLine {
    /// A version from a file, fit for a message.
    static func version(_ text: String) -> String { excerpt(text, longest: 32) }
}
