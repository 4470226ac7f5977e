import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// Results of a run with a ride trace, replayed from directories other than the one of the run.
@Suite("Results of a trace", .enabled(if: Loop.isFull))
struct TraceResultsTests {
    private let scratch = Scratch()

    init() throws {
        let experiments = Command.root.appending(path: "experiments")
        let scenario = try String(contentsOf: experiments.appending(path: "trace-replay.yaml"), encoding: .utf8)
        let trace = try String(contentsOf: experiments.appending(path: "traces/lyft-sample.csv"), encoding: .utf8)
        try scratch.write(scenario.replacing("traces/lyft-sample.csv", with: "rides.csv"), to: "a/mine.yaml")
        try scratch.write(trace, to: "a/rides.csv")
        try scratch.write("", to: "elsewhere/empty")
        let run = try Command.run(
            "run mine.yaml --quiet --output \(scratch)/run",
            directory: scratch.url.appending(path: "a")
        )
        try #require(run.status == 0 || run.status == 99, "\(run.errors)")
    }

    private func explain(_ directory: String) throws -> Command.Outcome {
        try Command.run("explain \(scratch)/run --activity 3", directory: scratch.url.appending(path: directory))
    }

    @Test(
        "explain and worst find the trace from any directory; if it is missing, the message names the searched paths"
    )
    func elsewhere() throws {
        let here = try explain("a")
        #expect(here.status == 0, "\(here.errors)")
        let there = try explain("elsewhere")
        #expect(there.status == 0, "\(there.errors)")
        #expect(there.output == here.output)
        let worst = try Command.run("worst \(scratch)/run --top 1", directory: scratch.url.appending(path: "elsewhere"))
        #expect(worst.status == 0, "\(worst.errors)")
        try FileManager.default.removeItem(atPath: scratch.path("a/rides.csv"))
        let gone = try explain("elsewhere")
        #expect(gone.status == 65)
        #expect(gone.errors.contains("rides.trace.file must name a file that exists; tried "))
        #expect(gone.errors.contains("/a/rides.csv"), "\(gone.errors)")
    }

    @Test("Another trace with the same name is rejected because its rides differ")
    func changed() throws {
        let text = try scratch.text("a/rides.csv")
        let lines = text.split(separator: "\n").dropLast(20)
        try (lines.joined(separator: "\n") + "\n")
            .write(toFile: scratch.path("a/rides.csv"), atomically: true, encoding: .utf8)
        let outcome = try explain("elsewhere")
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("must have the data of the run"), "\(outcome.errors)")
    }
}
