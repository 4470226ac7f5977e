import Foundation
import Testing

/// Banned words: images and vague actors for which there is a term or a real actor.
@Suite("Words")
struct WordTests {
    /// The banned words, each with its replacement.
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
        ("half within", "median"),
    ]

    /// Files that are not checked: descriptions in recorded results, and this list.
    private static let held: Set = [
        "Tests/TidyTests/WordTests.swift", "scripts/check-phrases",
        // Their descriptions stand in committed results.
        "experiments/go-taxi.yaml", "experiments/netmera-upload.yaml",
    ]

    /// Returns a text in lower case, with one space for each gap.
    ///
    /// The comment markers of continued lines count as gaps.
    private static func plain(_ text: Data) -> Data {
        var plain: [UInt8] = [32]
        plain.reserveCapacity(text.count + 2)
        var isAtMargin = true
        for byte in text {
            let isGap = byte == 32 || byte == 9 || byte == 10
            let isSign = byte == UInt8(ascii: "/") || byte == UInt8(ascii: "#") || byte == UInt8(ascii: "!")
            if byte == 10 { isAtMargin = true }
            if isGap || isAtMargin && isSign {
                if plain.last != 32 { plain.append(32) }
            } else {
                isAtMargin = false
                plain.append(byte >= 65 && byte <= 90 ? byte + 32 : byte)
            }
        }
        plain.append(32)
        return Data(plain)
    }

    /// Returns the banned words of a text, each with its context.
    private static func findings(in text: Data) -> [(word: String, around: String, instead: String)] {
        let plain = plain(text)
        func isLetter(_ index: Int) -> Bool { (97...122).contains(plain[index]) }
        var findings: [(String, String, String)] = []
        for (word, instead) in banned {
            var rest = 1..<plain.count - 1
            while let found = plain.range(of: Data(word.utf8), in: rest) {
                rest = found.upperBound..<rest.upperBound
                guard !isLetter(found.lowerBound - 1), !isLetter(found.upperBound) else { continue }
                let around = plain[max(0, found.lowerBound - 40)..<min(plain.count, found.upperBound + 40)]
                findings.append((word, String(decoding: around, as: UTF8.self), instead))
            }
        }
        return findings
    }

    @Test("No text contains a banned word")
    func noneBanned() throws {
        var paths = Repository.files(
            below: [
                "Sources", "Tests", "Realtime/Examples", "Realtime/Sources", "Realtime/Tests", "Verification/Sources",
                "Verification/Tests", "Benchmarks/Sources", "Benchmarks/Tests",
                "docs",
                "experiments", "notebooks-export", ".github",
            ],
            endingWith: [".swift", ".md", ".yaml", ".yml", ".json", ".py", ".h", ".c", ".cpp", ".hpp"]
        )
        paths += Repository.files(below: ["scripts", "Benchmarks/simpy"], endingWith: [""])
        paths += ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "Makefile", "action.yml"]
        paths += ["Benchmarks/README.md"]
        paths += ["", "Realtime/", "Verification/", "Benchmarks/"].map { "\($0)Package.swift" }
        for path in paths where !Self.held.contains(path) && !path.contains("Tests/Corpus/") {
            for finding in Self.findings(in: try Repository.data(of: path)) {
                Issue.record("\(path): \"\(finding.word)\" in \"\(finding.around)\"; write \(finding.instead)")
            }
        }
    }

    @Test("A banned word is found in any case and across line ends, but not as a part of another word")
    func found() {
        let text = "/// Whoever reads\n/// so\n/// many\n// nobodyElse is a name\n# so\n# many\n"
        #expect(Self.findings(in: Data(text.utf8)).map(\.word) == ["whoever", "so many", "so many"])
    }
}
