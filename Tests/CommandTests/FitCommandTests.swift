import CommandTestSupport
import Foundation
import TestSupport
import Testing

@testable import freshet

/// `freshet fit` as scripts see it: exit codes, streams, files.
@Suite("freshet fit", .enabled(if: Loop.isFull))
struct FitCommandTests {
    private let scratch = Scratch()

    /// Forty waits in tenths of a second: the quantiles of an exponential distribution with mean 4 s.
    private static let waits: String = {
        let values = (0..<40).map { (-40 * log(1 - (Double($0) + 0.5) / 40)).rounded() / 10 }
        return "ride,wait_s\n" + values.enumerated().map { "\($0),\($1)\n" }.joined()
    }()

    @Test("Prints tables and YAML, the same bytes each time, or JSON")
    func fits() throws {
        let file = try scratch.write(Self.waits, to: "waits.csv")
        let text = try Command.run("fit \(file) --column wait_s")
        #expect(text.status == 0, "\(text.errors)")
        #expect(text.output.contains("exponential"))
        #expect(text.output.contains("{exponential: {mean: "))
        #expect(try Command.run("fit \(file) --column wait_s").output == text.output)

        let json = try Command.run("fit \(file) --column wait_s --format json")
        struct Result: Decodable {
            let count: Int
            let best: String
        }
        let result = try JSONDecoder().decode(Result.self, from: Data(json.output.utf8))
        #expect(result.count == 40)
        #expect(result.best == "exponential")
    }

    @Test("Writes a directory with the same bytes each time, also on a processor without FMA")
    func writes() throws {
        let file = try scratch.write(Self.waits, to: "waits.csv")
        let arguments = ["fit", file, "--column", "wait_s", "--output"]
        let first = try Command.run("\(arguments) \(scratch)/one")
        #expect(first.status == 0, "\(first.errors)")
        let tunables = ["GLIBC_TUNABLES": "glibc.cpu.hwcaps=-FMA,-AVX2,-FMA4,-AVX512F"]
        _ = try Command.run("\(arguments) \(scratch)/two", environment: tunables)
        let one = try scratch.contents(of: "one")
        #expect(one.keys.contains("report.md") && one.keys.contains("charts/quantiles.vl.json"))
        #expect(one == (try scratch.contents(of: "two")))
        #expect(try Command.run("\(arguments) \(file)").status == 73)
    }

    @Test("Sizes of sample payloads: YAML or JSON")
    func payloads() throws {
        let folder = scratch.path("samples")
        for stage in ["", "/matching"] {
            try FileManager.default.createDirectory(atPath: folder + stage, withIntermediateDirectories: true)
        }
        try Data(#"{ "aps": {} }"#.utf8).write(to: URL(fileURLWithPath: folder + "/any.json"))
        try Data(repeating: 8, count: 5000).write(to: URL(fileURLWithPath: folder + "/matching/proto.bin"))
        let text = try Command.run("fit --payloads \(folder)")
        #expect(text.status == 0, "\(text.errors)")
        #expect(text.output.contains("bytes: 10 # n = 1") && text.output.contains("payload_bytes: 5000 # n = 1"))
        let json = try Command.run("fit --payloads \(folder) --format json")
        struct Result: Decodable {
            struct Large: Decodable { let file: String }
            let tooLarge: [Large]
        }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let result = try decoder.decode(Result.self, from: Data(json.output.utf8))
        #expect(result.tooLarge.map(\.file) == ["matching/proto.bin"])
        let wrong = try Command.run("fit --payloads \(folder) --column a")
        #expect(wrong.status == 64 && wrong.errors.contains("--payloads"))
        #expect(try Command.run("fit").status == 64)
        let missing = try Command.run("fit --payloads \(scratch)/none")
        #expect(missing.status == 66 && missing.errors.contains("none: there is no such file"))
        try scratch.makeDirectory("empty")
        let empty = try Command.run("fit --payloads \(scratch)/empty")
        #expect(empty.status == 65 && empty.output.isEmpty && empty.errors.contains("empty: has no payloads"))
    }

    @Test("Bad data: exit 65 with every place; a missing file: exit 66")
    func badData() throws {
        let file = try scratch.write("wait_s\n1\nnan\n-2\n", to: "waits.csv")
        let bad = try Command.run("fit \(file) --column wait_s")
        #expect(bad.status == 65)
        #expect(bad.output.isEmpty)
        #expect(bad.errors.contains("waits.csv:3:1: wait_s must be a number, got \"nan\""))
        #expect(bad.errors.contains("waits.csv:4:1: wait_s must be 0 or more, got -2"))
        let missing = try Command.run("fit \(file) --column weit_s --unit s")
        #expect(missing.status == 65)
        #expect(missing.errors.contains("column \"weit_s\" is missing; did you mean \"wait_s\"?"))
        #expect(try Command.run("fit \(scratch)/none.csv --column wait_s").status == 66)
        let few = try scratch.write("wait_s\n1\n2\n", to: "few.csv")
        let tooFew = try Command.run("fit \(few) --column wait_s")
        #expect(tooFew.status == 65)
        #expect(tooFew.errors.contains("at least 10 values are needed for a fit, got 2"))
    }

    @Test(
        "Usage: exit 64 and the allowed values",
        arguments: [
            (["--column", "wait"], "give it with --unit ns, us, ms, s, min, h, d or 1"),
            ([], "name a column with --column, or add --send-log"),
            (
                ["--column", "wait_s", "--families", "gamma,pareto"],
                "\"pareto\", which is not a family; allowed: lognormal, gamma"
            ),
            (["--column", "wait_s", "--where", "x"], "--where must be COLUMN=VALUE, got \"x\""),
            (["--send-log", "--since", "a"], "cannot be combined with --send-log"),
            (["--column", "wait_s", "--status", "a"], "--time, --status and --reason need --send-log"),
            (["--send-log", "--separator", "x"], "must be a separator, got \"x\"; allowed: \",\", \";\", \"|\", tab"),
        ]
    )
    func usage(arguments: [String], message: String) throws {
        let end = try #require(Parsing.end(of: ["fit", "waits.csv"] + arguments, as: Freshet.self))
        #expect(end.status == 64)
        #expect(end.text.contains(message), "\(end.text)")
    }

    @Test("Options for semicolons, numbered columns and several measures")
    func forms() throws {
        let rows = (0..<40).map { "x;\($0),5;\($0 % 2 == 0 ? "a" : "b")\n" }.joined()
        let file = try scratch.write(rows, to: "waits.csv")
        let numbered = try Command.run("fit \(file) --column 2 --unit ns --no-header")
        #expect(numbered.status == 65)
        let seconds = try Command.run("fit \(file) --column 2 --unit s --no-header")
        #expect(seconds.status == 0, "\(seconds.errors)")
        #expect(seconds.output.contains("40 values"))
        let whole = try scratch.write(rows.replacing(",5", with: ""), to: "whole.csv")
        let wrong = try Command.run("fit \(whole) --column 2 --unit s --separator ,")
        #expect(wrong.status == 65)
        #expect(wrong.errors.split(separator: "\n").count == 1, "\(wrong.errors)")
    }

    @Test("A send log: responses, and the sections of a scenario")
    func sendLog() throws {
        let sample = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "ExperimentsTests/Fixtures/send-log.csv").path
        let outcome = try Command.run("fit \(sample) --send-log")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("The log has 1,000 requests within 4 min 10 s, 4.00 a second."))
        #expect(outcome.output.contains("\nsender:\n"))
        #expect(outcome.output.contains("    TooManyRequests: 0.4% # 4 of 1000\n"))
        // The sample was generated with a median of 180 ms and a 95th percentile of 420 ms.
        #expect(outcome.output.contains("{lognormal: {median: 179.6ms, p95: 418.5ms}}"))
    }
}
