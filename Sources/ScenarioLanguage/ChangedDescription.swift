package import LiveActivityModel
import TextFormats

/// Descriptions that were written for other values than those of their scenario.
///
/// Each has a mark at its end, or is only a mark, so that no report presents its words as those of this scenario.
enum ChangedDescription {
    private static let opening = " (The file's description; changed: "
    private static let closing = ".)"
    private static let originOpening = " (The description of "
    private static let originClosing = ", which this file extends.)"
    private static let copyOpening = "After the example "
    private static let copyClosing = ", with other values: "

    /// Returns a description with its mark, which lists at most twenty changes.
    package static func text(_ description: String, changes: [String]) -> String {
        description + opening + list(changes) + closing
    }

    /// Returns the description of an extended file, with the mark of that file.
    static func text(_ description: String, of file: String) -> String {
        // A chain of files has one mark: the nearest file's.
        let name = OneLine.excerpt(file.split(separator: "/").last.map(String.init) ?? file, longest: 100)
        return description + originOpening + name + originClosing
    }

    /// Returns the description of a copy of an example with other values.
    static func text(ofCopyOf example: String, changes: [String]) -> String {
        copyOpening + example + copyClosing + list(changes) + "."
    }

    /// Returns the changes that settings make to what a description may state; empty if there are none, or if they set the
    /// description too.
    ///
    /// Seeds and numbers of replications change nothing that a description states, and factors are not part of the
    /// scenario.
    static func changes(by settings: [String]) -> [String] {
        let changes = settings.filter { setting in
            !["seed", "replications", "factors", "checks", "name"].contains(setting.prefix { !"=.".contains($0) })
        }
        guard !changes.contains(where: { $0.hasPrefix("description=") }) else { return [] }
        return changes.map { change in
            let (path, value) = (change.prefix { $0 != "=" }, change.drop { $0 != "=" }.dropFirst())
            return KeyDescription.absence(at: String(path), String(value)).map { "\(path)=\($0)" } ?? change
        }
    }

    /// Returns a description without its marks, as in the file that has it.
    static func original(of text: String) -> String {
        without(originOpening, originClosing, without(opening, closing, text))
    }

    /// Returns the changes that a description lists; nil if it has no mark.
    static func changes(in text: String) -> String? {
        guard text.hasSuffix(closing), let mark = text.ranges(of: opening).last else { return nil }
        return String(text[mark.upperBound...].dropLast(closing.count))
    }

    /// Returns `true` if a description has no mark.
    static func isOwn(_ text: String) -> Bool {
        original(of: text) == text && !(text.hasPrefix(copyOpening) && text.contains(copyClosing))
    }

    private static func without(_ opening: String, _ closing: String, _ text: String) -> String {
        guard text.hasSuffix(closing), let mark = text.ranges(of: opening).last else { return text }
        return String(text[..<mark.lowerBound])
    }

    private static func list(_ changes: [String]) -> String {
        // Settings are cut, so that the description stays within the allowed length.
        let shown = changes.prefix(20).map { OneLine.excerpt($0, longest: 100) }.joined(separator: ", ")
        return shown + (changes.count > 20 ? " and \(changes.count - 20) more" : "")
    }
}

extension Scenario {
    /// The settings that changed the values of the scenario's file, as its description lists them; nil without any.
    package var changesOfFile: String? { ChangedDescription.changes(in: description) }

    /// `false` if the description was written for other values: settings changed them, or the words are those of an extended
    /// file or of an example.
    package var hasOwnDescription: Bool { ChangedDescription.isOwn(description) }
}
