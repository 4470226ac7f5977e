import Foundation
import LiveActivityModel
import ScenarioLanguage
import TestSupport
import Testing

@testable import InputFiles

/// Inputs made to hang a reader, to fill its memory or to overflow its stack.
///
/// Each is rejected by construction before anything can grow, so no timer is needed here.
@Suite("Hostile scenario files")
struct HostileInputTests {
    private static func firstMessage(_ yaml: String) -> String? {
        ScenarioError.diagnostics { try ScenarioReader.read(yaml: yaml, named: "a.yaml") }
            .first { !$0.message.contains("known key") }.map(\.description)
    }

    @Test(
        "Deep nesting is rejected before it reaches the recursive parser",
        .enabled(if: Loop.isFull),
        arguments: ["[", "{a: ", "- ", "? ", "- ? ", "[{"]
    )
    func nesting(level: String) {
        let message = Self.firstMessage(String(repeating: level, count: 100_000))
        #expect(message?.hasSuffix("the file is nested too deeply; allowed: 64 levels") == true)
    }

    @Test("Nesting is allowed up to 64 levels", arguments: [64, 65])
    func nestingAtTheLimit(levels: Int) {
        let nested = String(repeating: "[", count: levels - 1) + String(repeating: "]", count: levels - 1)
        let message = Self.firstMessage("x: \(nested)")
        #expect(message == (levels == 65 ? "a.yaml:1:67: this is nested too deeply; allowed: 64 levels" : nil))
    }

    @Test("The deepest accepted text fits the smallest stack")
    func deepestParsed() {
        let block = (0..<100)
            .map { column in
                let indentation = String(repeating: " ", count: column)
                return "\(indentation)a:\n\(indentation)-\n"
            }
        let flow = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
        let yaml = block.joined() + String(repeating: " ", count: 100) + "a: " + flow
        let isDone = DispatchSemaphore(value: 0)
        let thread = Thread {
            _ = Self.firstMessage(yaml)
            isDone.signal()
        }
        thread.stackSize = 512 * 1024
        thread.start()
        isDone.wait()
        #expect(Self.firstMessage(yaml) == "a.yaml:65:33: this is nested too deeply; allowed: 64 levels")
    }

    @Test("Brackets in strings and comments are not nesting")
    func brackets() throws {
        let yaml = "description: \"\(String(repeating: "[{", count: 70))\" # \(String(repeating: "(", count: 500))\n"
        #expect(try ScenarioReader.read(yaml: yaml, named: "a.yaml").scenario.description.count == 140)
    }

    @Test("Aliases that expand to 10^30 values are rejected at their place, as values and as keys")
    func billionLaughs() {
        let values = (1..<31)
            .map { level in
                "l\(level): &l\(level) [\(Array(repeating: "*l\(level - 1)", count: 10).joined(separator: ", "))]\n"
            }
        #expect(
            Self.firstMessage("l0: &l0 x\n" + values.joined())
                == "a.yaml:1:5: anchors (&) are not allowed: write the values out"
        )
        let keys = (1..<31)
            .map { level in
                "l\(level): &l\(level)\n  ? *l\(level - 1)\n  : *l\(level - 1)\n"
            }
        #expect(
            Self.firstMessage("l0: &l0 x\n" + keys.joined())
                == "a.yaml:1:5: anchors (&) are not allowed: write the values out"
        )
    }

    @Test("An alias within its own anchor is rejected")
    func cycle() {
        #expect(Self.firstMessage("a: &a [*a]") == "a.yaml:1:4: anchors (&) are not allowed: write the values out")
        #expect(Self.firstMessage("&a {a: *a}") == "a.yaml:1:1: anchors (&) are not allowed: write the values out")
    }

    @Test("Above the limit, only the duplicates found until then are reported")
    func duplicates() {
        let yaml = (0..<40).map { "key\($0 / 2): 1\n" }.joined()
        let diagnostics = ScenarioError.diagnostics { try ScenarioReader.read(yaml: yaml, named: "a.yaml") }
        #expect(diagnostics.count == 16)
        #expect(diagnostics.allSatisfy { $0.message.hasSuffix("is given twice in this section") })
    }

    @Test("Control characters are rejected at their place", arguments: ["\u{0}", "\u{1B}", "\u{7F}"])
    func controlCharacters(character: String) {
        #expect(
            Self.firstMessage("name: a\ndescription: \(character)\n")?.hasPrefix("a.yaml:2:14: syntax error")
                == true
        )
    }

    @Test("Quoted text is truncated by scalars, because a character can have any length")
    func longCharacter() {
        let message = Self.firstMessage("seed: a\(String(repeating: "\u{301}", count: 100_000))")
        #expect(message?.unicodeScalars.count == 123)
    }

    @Test(
        "No message contains a control sequence or a mark that changes the text direction",
        arguments: ["\\e", "\\x9b", "\\x85", "\\L", "\\u202e", "\\ufeff"]
    )
    func controlSequences(escape: String) {
        #expect(Self.firstMessage("seed: \"a\(escape)b\"")?.contains("got \"a b\";") == true)
        #expect(
            Self.firstMessage("content: {refresh: {exponential: {\"a\(escape)b\": 1s}}}")?.contains("the keys a b;")
                == true
        )
    }

    @Test("A message lists only a few of many keys")
    func manyKeys() {
        let keys = (0..<1000).map { "k\($0): 1s" }.joined(separator: ", ")
        #expect(
            Self.firstMessage("content: {refresh: {exponential: {\(keys)}}}")?
                .contains("the keys k0, k1, k2, k3, k4, k5, k6, k7 and 992 more;") == true
        )
    }

    @Test("A value computed from two parameters is range-checked too", arguments: ["1e-300", "1e-6", "1e6"])
    func gammaScale(shape: String) {
        let mean = shape == "1e6" ? "0.000000001us" : "3650d"
        let message = Self.firstMessage("content: {refresh: {gamma: {shape: \(shape), mean: \(mean)}}}")
        #expect(message?.contains("refresh.gamma.mean must be a mean whose scale") == true)
    }

    @Test("Quantiles too fine to be written again are rejected")
    func fineQuantiles() {
        let key = "p0.\(String(repeating: "0", count: 60))1"
        let message = Self.firstMessage("apns: {latency: {quantiles: {\(key): 1s, p100: 2s}}}")
        #expect(message?.contains("must have keys p0 … p100") == true)
    }

    @Test("Quoted text is shown on one line and truncated")
    func longTexts() {
        let message = Self.firstMessage("seed: \"a\\nb\(String(repeating: "x", count: 100_000))\"")
        let shown = "a b" + String(repeating: "x", count: 37)
        #expect(
            message == "a.yaml:1:7: seed must be a whole number, got \"\(shown)…\"; allowed: 0 … 18446744073709551615"
        )
    }
}
