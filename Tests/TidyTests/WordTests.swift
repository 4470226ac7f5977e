import Foundation
import Testing

/// Banned words: images and vague actors where the field has a term or the sentence an actor.
@Suite("Words")
struct WordTests {
    /// What must not be written, and what to write in its place.
    private static let banned = [
        ("whoever", "the actor, or: a caller that"),
        ("nobody", "the actor, or the passive"),
        ("anybody", "the actor"),
        ("somebody", "the actor"),
        ("everybody", "the actors"),
        ("so many", "the number, or: a number of"),
        ("the wall's", "wall-clock"),
        ("by and by", "as it arrives, streamed"),
        ("goodbye", "GOAWAY"),
        ("needs not", "need not"),
        ("are two ways", "are mutually exclusive"),
        ("as busy as the neighbours", "on a shared machine"),
        ("beaten by none", "not dominated"),
        ("half within", "the share"),
    ]

    /// Texts that are held as they are: what runs wrote before, and this list.
    private static let held: Set = [
        "Tests/TidyTests/WordTests.swift",
        // Their descriptions stand in committed results.
        "experiments/go-taxi.yaml", "experiments/netmera-upload.yaml",
    ]

    private static func findings(in text: String) throws -> [(line: Int, word: String)] {
        let words = banned.map { NSRegularExpression.escapedPattern(for: $0.0) }
            .map { $0.replacing(" ", with: #"\s+(?://[/!]?|#)?\s*"#) }
        let expression = try NSRegularExpression(
            pattern: #"\b(?:\#(words.joined(separator: "|")))\b"#,
            options: .caseInsensitive
        )
        let content = text as NSString
        return expression.matches(in: text, range: NSRange(location: 0, length: content.length))
            .map { match in
                let before = content.substring(to: match.range.location)
                return (before.components(separatedBy: "\n").count, content.substring(with: match.range))
            }
    }

    @Test("No text holds a banned word")
    func noneBanned() throws {
        var paths = Repository.files(
            below: [
                "Sources", "Tests", "Realtime/Sources", "Realtime/Tests", "Benchmarks/Sources", "Benchmarks/Tests",
                "docs",
                "experiments", "scripts", "notebooks-export",
            ],
            endingWith: [".swift", ".md", ".yaml", ".py", ".h"]
        )
        paths += ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "Makefile"]
        paths += ["Package.swift", "Realtime/Package.swift", "Benchmarks/Package.swift"]
        #expect(paths.count > 500)
        for path in paths where !Self.held.contains(path) && !path.hasPrefix("Tests/FuzzTests/Corpus/") {
            for finding in try Self.findings(in: Repository.text(of: path)) {
                let instead =
                    Self.banned.first { finding.word.lowercased().hasPrefix($0.0.prefix(4)) }?.1 ?? "another word"
                Issue.record("\(path):\(finding.line): \"\(finding.word)\"; write \(instead)")
            }
        }
    }

    @Test("A banned word is found in any case, over the end of a line, and not as a part of another")
    func found() throws {
        let text = "/// Whoever reads\n/// so\n/// many\n// nobodyElse is a name\n# so\n# many\n"
        let lines = try Self.findings(in: text).map(\.line)
        #expect(lines == [1, 2, 5])
    }
}
