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

    /// Returns `true` if a watch reports this number of runs.
    private func hasRun(_ watch: RunningProgram, _ times: Int) -> Bool {
        watch.waits { watch.output.ranges(of: "runs again when").count >= times }
    }

    /// Sends Ctrl-C and returns the exit code.
    private func interrupt(_ watch: RunningProgram) -> Int32? {
        watch.signal(SIGINT)
        return watch.end()
    }

    @Test("A save starts another run and prints the changes; an error is printed with its place; Ctrl-C ends with 130")
    func savesAreSeen() throws {
        let file = try scratch.write(Self.scenario, to: "town.yaml")
        let base = try scratch.write(Self.base, to: "base.yaml")
        let watch = try RunningProgram("watch \(file) --replications 2 --output \(scratch)/results", in: scratch.url)
        try #require(hasRun(watch, 1), "\(watch.output)\(watch.errors)")
        #expect(watch.output.contains("of ride time: fresh card"))
        #expect(!watch.output.contains("Against the run before"))

        try scratch.write(Self.scenario.replacing("30s", with: "2m"), to: "town.yaml")
        try #require(hasRun(watch, 2), "\(watch.output)\(watch.errors)")
        #expect(watch.output.contains("\(file) changed\n"))
        #expect(
            watch.output.contains("Compared with the previous run:\nmonitor.fresh_limit: 30s → 2m"),
            "\(watch.output)"
        )

        // An error in the file that it extends, and its correction.
        try scratch.write(Self.base.replacing("ttl: 45s", with: "ttl: soon"), to: "base.yaml")
        try #require(watch.says("content.ttl"), "\(watch.errors)")
        #expect(watch.errors.contains("\(base):4:"), "\(watch.errors)")
        try scratch.write(Self.base.replacing("ttl: 45s", with: "ttl: 60s"), to: "base.yaml")
        try #require(hasRun(watch, 3), "\(watch.output)\(watch.errors)")
        #expect(watch.output.contains("\(base) changed\n"))
        #expect(watch.output.contains("content.ttl: 45s → 1m"), "\(watch.output)")

        let results = try scratch.contents(of: "results")
        #expect(results["summary.csv"] != nil)
        #expect(interrupt(watch) == 130)
        #expect(watch.errors.contains("stopped; the results of the last finished run are unchanged"))
        #expect(try scratch.contents(of: "results") == results)
    }

    @Test("It waits for the correction of an invalid file, and for missing data files")
    func beginsWithAMistake() throws {
        let file = try scratch.write("name: town\nrides: {scale: many}\n", to: "town.yaml")
        let watch = try RunningProgram("watch \(file)", in: scratch.url)
        try #require(watch.says("waiting for"), "\(watch.errors)")
        #expect(watch.errors.contains("\(file):2:16: rides.scale must be"), "\(watch.errors)")
        let measured = "{empirical: {file: pauses.csv, column: a, unit: s}}"
        try scratch.write(Self.base.replacing("{uniform: {low: 10s, high: 30s}}", with: measured), to: "town.yaml")
        try #require(watch.says("pauses.csv"), "\(watch.errors)")
        try scratch.write("a\n10\n20\n", to: "pauses.csv")
        try #require(hasRun(watch, 1), "\(watch.output)\(watch.errors)")
        #expect(FileManager.default.fileExists(atPath: scratch.path("results/base-watch/summary.csv")))
        #expect(interrupt(watch) == 130)
    }

    @Test("Missing files and files that cannot be saved are rejected immediately")
    func refused() throws {
        #expect(try Command.run("watch \(scratch)/none.yaml").status == 66)
        let example = try Command.run("watch nyc-lyft-day", directory: scratch.url)
        #expect(example.status == 64)
        #expect(example.errors.contains("freshet init"))
    }
}
