import Foundation
import Testing

/// One meaning per name: the name of a top-level type is unique across targets.
@Suite("Names of types")
struct NameTests {
    private static let keywords: Set = ["struct", "enum", "class", "protocol", "actor", "typealias"]
    private static let modifiers: Set = [
        "public", "package", "internal", "final", "indirect", "@frozen", "@usableFromInline",
    ]

    /// Returns the types that a file declares at column 0, visible in other files.
    private static func declared(in text: String) -> [String] {
        text.split(separator: "\n")
            .compactMap { line in
                guard let first = line.first, first.isLetter || first == "@" else { return nil }
                var words = Substring(line).split(separator: " ")[...]
                while let word = words.first, modifiers.contains(String(word)) { words = words.dropFirst() }
                guard words.count >= 2, let keyword = words.first, keywords.contains(String(keyword)) else {
                    return nil
                }
                return String(words.dropFirst().first?.prefix { $0.isLetter || $0.isNumber } ?? "")
            }
    }

    @Test("No name is declared in two targets")
    func oneTargetEach() throws {
        var targets: [String: Set<String>] = [:]
        for root in ["Sources", "Realtime/Sources", "Verification/Sources", "Benchmarks/Sources"] {
            for path in Repository.files(below: [root], endingWith: [".swift"]) {
                let target = String(path.dropFirst(root.count + 1).prefix { $0 != "/" })
                for name in Self.declared(in: String(decoding: try Repository.data(of: path), as: UTF8.self)) {
                    targets[name, default: []].insert(target)
                }
            }
        }
        #expect(targets.count > 500)
        for (name, homes) in targets.sorted(by: { $0.key < $1.key }) where homes.count > 1 {
            Issue.record(
                "\(name) is declared in \(homes.sorted().joined(separator: " and ")); give one of them another name"
            )
        }
    }

    @Test("The package of programs, which no other package imports, has no public declaration")
    func noneIsPublic() throws {
        for path in Repository.files(below: ["Realtime/Sources"], endingWith: [".swift"]) {
            let lines = String(decoding: try Repository.data(of: path), as: UTF8.self).split(separator: "\n")
            let isPublic = lines.contains { $0.drop { $0 == " " }.hasPrefix("public ") }
            #expect(!isPublic, "\(path) declares something public; package is as far as it need be seen")
        }
    }

    @Test("Types are found by their declarations; private, nested and mentioned types are not")
    func found() {
        let text = """
            public struct A: B {
            final class C {}
            @frozen public enum D<E> {
            private struct F {
                struct G {}
            extension H {
            /// struct I
            """
        #expect(Self.declared(in: text) == ["A", "C", "D"])
    }
}
