package import LiveActivityModel
import TextFormats

/// A description with an appended list of the changes that settings make.
enum ChangedDescription {
    private static let opening = " (The file's description; changed: "
    private static let closing = ".)"

    /// Returns a description with its mark, which lists at most twenty changes.
    package static func text(_ description: String, changes: [String]) -> String {
        // Settings are cut, so that the marked description stays within the allowed length.
        let shown = changes.prefix(20).map { OneLine.excerpt($0, longest: 100) }.joined(separator: ", ")
        let rest = changes.count > 20 ? " and \(changes.count - 20) more" : ""
        return description + opening + shown + rest + closing
    }

    /// Returns a description without the mark, as in the file.
    static func original(of text: String) -> String {
        guard text.hasSuffix(closing), let mark = text.ranges(of: opening).last else { return text }
        return String(text[..<mark.lowerBound])
    }

    /// Returns the changes that a description lists; nil if it has no mark.
    static func changes(in text: String) -> String? {
        guard text.hasSuffix(closing), let mark = text.ranges(of: opening).last else { return nil }
        return String(text[mark.upperBound...].dropLast(closing.count))
    }
}

extension Scenario {
    /// The settings that changed the values of the scenario's file, as its description lists them; nil without any.
    package var changesOfFile: String? { ChangedDescription.changes(in: description) }
}
