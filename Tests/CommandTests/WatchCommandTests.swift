import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// `freshet watch` as users at an editor see it.
@Suite("freshet watch", .enabled(if: Loop.isFull))
struct WatchCommandTests {
    private static let scenario = """
        name: small-town
        extends: base.yaml
        monitor: {fresh_limit: 30s}
        """
    private static let base = """
        name: base
        clock: {duration: 1h, drain: 9h}
        rides: {arrivals: {process: poisson, rates_per_hour: [60]}}
        content: {ttl: 45s, refresh: {uniform: {low: 10s, high: 30s}}}
        """

    /// A running watch with its output.
    private final class Watch {
        private let process: Process
        private let output: String
        private let errors: String

        init(_ arguments: [String], in scratch: Scratch) throws {
            (output, errors) = (try scratch.file("out.txt", ""), try scratch.file("err.txt", ""))
            process = Command.process(["watch"] + arguments)
            process.currentDirectoryURL = scratch.url
            process.standardOutput = try FileHandle(forWritingTo: URL(filePath: output))
            process.standardError = try FileHandle(forWritingTo: URL(filePath: errors))
            try process.run()
        }

        deinit { if process.isRunning { process.terminate() } }

        var printed: String { (try? String(contentsOfFile: output, encoding: .utf8)) ?? "" }
        var told: String { (try? String(contentsOfFile: errors, encoding: .utf8)) ?? "" }

        /// Waits until a condition holds; false if it never does.
        func comes(_ condition: (Watch) -> Bool) -> Bool { waitUntil { condition(self) } }

        /// Returns `true` if this number of runs has been reported.
        func hasRun(_ times: Int) -> Bool {
            comes { $0.printed.ranges(of: "runs again when").count >= times }
        }

        /// Sends Ctrl-C and returns the exit code.
        func interrupted() -> Int32 {
            kill(process.processIdentifier, SIGINT)
            process.waitUntilExit()
            return process.terminationStatus
        }
    }

    @Test("A save starts another run and prints the changes; an error is printed with its place; Ctrl-C ends with 130")
    func savesAreSeen() throws {
        let scratch = try Scratch()
        let file = try scratch.file("town.yaml", Self.scenario)
        let base = try scratch.file("base.yaml", Self.base)
        let watch = try Watch([file, "--replications", "2", "--output", scratch.path("results")], in: scratch)
        try #require(watch.hasRun(1), "\(watch.printed)\(watch.told)")
        #expect(watch.printed.contains("of ride time: fresh card"))
        #expect(!watch.printed.contains("Against the run before"))

        _ = try scratch.file("town.yaml", Self.scenario.replacing("30s", with: "2m"))
        try #require(watch.hasRun(2), "\(watch.printed)\(watch.told)")
        #expect(watch.printed.contains("\(file) changed\n"))
        #expect(
            watch.printed.contains("Compared with the previous run:\nmonitor.fresh_limit: 30s → 2m"),
            "\(watch.printed)"
        )

        // An error in the file that it extends, and its correction.
        _ = try scratch.file("base.yaml", Self.base.replacing("ttl: 45s", with: "ttl: soon"))
        try #require(watch.comes { $0.told.contains("content.ttl") }, "\(watch.told)")
        #expect(watch.told.contains("\(base):4:"), "\(watch.told)")
        _ = try scratch.file("base.yaml", Self.base.replacing("ttl: 45s", with: "ttl: 60s"))
        try #require(watch.hasRun(3), "\(watch.printed)\(watch.told)")
        #expect(watch.printed.contains("\(base) changed\n"))
        #expect(watch.printed.contains("content.ttl: 45s → 1m"), "\(watch.printed)")

        let results = try scratch.contents(of: "results")
        #expect(results["summary.csv"] != nil)
        #expect(watch.interrupted() == 130)
        #expect(watch.told.contains("stopped; the results of the last finished run are unchanged"))
        #expect(try scratch.contents(of: "results") == results)
    }

    @Test("It waits for the correction of an invalid file, and for missing data files")
    func beginsWithAMistake() throws {
        let scratch = try Scratch()
        let file = try scratch.file("town.yaml", "name: town\nrides: {scale: many}\n")
        let watch = try Watch([file], in: scratch)
        try #require(watch.comes { $0.told.contains("waiting for") }, "\(watch.told)")
        #expect(watch.told.contains("\(file):2:16: rides.scale must be"), "\(watch.told)")
        let measured = "{empirical: {file: pauses.csv, column: a, unit: s}}"
        _ = try scratch.file("town.yaml", Self.base.replacing("{uniform: {low: 10s, high: 30s}}", with: measured))
        try #require(watch.comes { $0.told.contains("pauses.csv") }, "\(watch.told)")
        _ = try scratch.file("pauses.csv", "a\n10\n20\n")
        try #require(watch.hasRun(1), "\(watch.printed)\(watch.told)")
        #expect(FileManager.default.fileExists(atPath: scratch.path("results/base-watch/summary.csv")))
        #expect(watch.interrupted() == 130)
    }

    @Test("Missing files and files that cannot be saved are rejected immediately")
    func refused() throws {
        let scratch = try Scratch()
        #expect(try Command.run("watch", scratch.path("none.yaml")).status == 66)
        let example = try Command.run("watch", "nyc-lyft-day", directory: scratch.url)
        #expect(example.status == 64)
        #expect(example.errors.contains("freshet init"))
    }
}
