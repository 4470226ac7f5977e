import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// `freshet watch` as users at an editor see it.
@Suite("freshet watch", .enabled(if: Loop.isFull))
struct WatchCommandTests {
    private let scratch = Scratch()

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
            (output, errors) = (try scratch.write("", to: "out.txt"), try scratch.write("", to: "err.txt"))
            process = Command.process("watch \(arguments)")
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
        let file = try scratch.write(Self.scenario, to: "town.yaml")
        let base = try scratch.write(Self.base, to: "base.yaml")
        let watch = try Watch([file, "--replications", "2", "--output", scratch.path("results")], in: scratch)
        try #require(watch.hasRun(1), "\(watch.printed)\(watch.told)")
        #expect(watch.printed.contains("of ride time: fresh card"))
        #expect(!watch.printed.contains("Against the run before"))

        try scratch.write(Self.scenario.replacing("30s", with: "2m"), to: "town.yaml")
        try #require(watch.hasRun(2), "\(watch.printed)\(watch.told)")
        #expect(watch.printed.contains("\(file) changed\n"))
        #expect(
            watch.printed.contains("Compared with the previous run:\nmonitor.fresh_limit: 30s → 2m"),
            "\(watch.printed)"
        )

        // An error in the file that it extends, and its correction.
        try scratch.write(Self.base.replacing("ttl: 45s", with: "ttl: soon"), to: "base.yaml")
        try #require(watch.comes { $0.told.contains("content.ttl") }, "\(watch.told)")
        #expect(watch.told.contains("\(base):4:"), "\(watch.told)")
        try scratch.write(Self.base.replacing("ttl: 45s", with: "ttl: 60s"), to: "base.yaml")
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
        let file = try scratch.write("name: town\nrides: {scale: many}\n", to: "town.yaml")
        let watch = try Watch([file], in: scratch)
        try #require(watch.comes { $0.told.contains("waiting for") }, "\(watch.told)")
        #expect(watch.told.contains("\(file):2:16: rides.scale must be"), "\(watch.told)")
        let measured = "{empirical: {file: pauses.csv, column: a, unit: s}}"
        try scratch.write(Self.base.replacing("{uniform: {low: 10s, high: 30s}}", with: measured), to: "town.yaml")
        try #require(watch.comes { $0.told.contains("pauses.csv") }, "\(watch.told)")
        try scratch.write("a\n10\n20\n", to: "pauses.csv")
        try #require(watch.hasRun(1), "\(watch.printed)\(watch.told)")
        #expect(FileManager.default.fileExists(atPath: scratch.path("results/base-watch/summary.csv")))
        #expect(watch.interrupted() == 130)
    }

    @Test("Missing files and files that cannot be saved are rejected immediately")
    func refused() throws {
        #expect(try Command.run("watch \(scratch)/none.yaml").status == 66)
        let example = try Command.run("watch nyc-lyft-day", directory: scratch.url)
        #expect(example.status == 64)
        #expect(example.errors.contains("freshet init"))
    }
}
