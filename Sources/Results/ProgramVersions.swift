import TextFormats

/// The versions of the program that wrote two results; nil where a result does not state its own.
public struct ProgramVersions: Hashable, Sendable {
    /// The version that wrote the first result.
    public let first: String?
    /// The version that wrote the second result.
    public let second: String?

    /// Returns a sentence that names both versions and their effect; empty if they are the same.
    func note(_ names: ResultComparison.Names) -> String {
        guard first != second else { return "" }
        return "\(names.atStart.first) was made by \(Self.text(first)), \(names.second) by "
            + "\(Self.text(second)): differences may come from the program."
    }

    /// The version that wrote both; nil if they differ or are unknown.
    public var common: String? { first == second ? first.map(Self.text) : nil }

    private static func text(_ version: String?) -> String {
        version.map { "freshet \($0)" } ?? "an unknown version of freshet"
    }
}

extension OneLine {
    /// Returns a version from a file in a form that is safe in messages.
    static func version(_ text: String) -> String { excerpt(text, longest: 32) }
}
