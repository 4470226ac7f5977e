import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// Ctrl-C in the middle of a load, as a user's terminal sends it, keeps results and marks them as partial.
@Suite("Loads that are ended early", .serialized)
struct EarlyEndTests {
    private let scratch = Scratch()

    /// Runs a load of 50 pushes per second on a stand-in, which has a directory of its own.
    private func withLoad(
        _ options: Command.Line = "--duration 10m",
        on standIn: [String] = [],
        _ body: (RunningProgram) throws -> Void
    ) throws {
        let own = Scratch()
        try own.write(Self.silent, to: "silent.yaml")
        try StandInProcess.run(standIn, in: own) { ready in
            try body(start("apns --ready-file \(ready) --rate 50/s --output \(scratch)/out \(options)"))
        }
    }

    private func start(_ line: Command.Line) throws -> RunningProgram {
        try RunningProgram(line, program: "freshet-load", in: scratch.url)
    }

    /// Signals twice; without the pause the system would merge the two pending signals.
    private func signalTwice(_ program: RunningProgram) {
        program.signal(SIGTERM)
        Thread.sleep(forTimeInterval: 0.002)
        program.signal(SIGTERM)
    }

    private static let silent = "name: silent\nfaults: [{kind: apns_silent, at: 0s, duration: 1h, share: 100%}]\n"

    /// Checks that results are marked as partial in every place that people read first.
    private func expectMarked(
        _ load: RunningProgram,
        signal: String = "SIGINT",
        words: String = "Ended early by Ctrl-C"
    ) throws {
        let files = try scratch.contents(of: "out")
        let report = try #require(files["report.md"])
        let lines = String(decoding: report, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: true)
        #expect(lines.dropFirst().first?.hasPrefix("✗ \(words) after ") == true, "\(lines.prefix(3))")
        let run = String(decoding: try #require(files["run.json"]), as: UTF8.self)
        #expect(run.contains("\"ended_early\"") && run.contains("\"signal\": \"\(signal)\""), "\(run)")
        #expect(load.output.contains("\(words) after "), "\(load.output)")
        #expect(files.keys.contains("summary.csv"))
        #expect(load.errors.contains("press Ctrl-C again to abandon"))
        // No other files are left beside the results.
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
        #expect(!names.contains { $0.hasPrefix(".out") }, "\(names)")
    }

    @Test(
        "Ctrl-C once: pushes in flight are answered, thresholds are judged, and everything is written",
        arguments: [SIGINT, SIGTERM]
    )
    func pushes(signal: Int32) throws {
        try withLoad(
            "--duration 10m --threshold 'apns_response_count{status:200} > 0' --threshold 'pushes_sent_count > 1000000'"
        ) { load in
            #expect(load.says(" in flight"), "\(load.errors)")
            load.signal(signal)
            // A failing threshold does not change the exit code, because the results are partial.
            #expect(load.end() == (signal == SIGINT ? 130 : 143), "\(load.errors)")
            try expectMarked(
                load,
                signal: signal == SIGINT ? "SIGINT" : "SIGTERM",
                words: signal == SIGINT ? "Ended early by Ctrl-C" : "Ended early by a signal (SIGTERM)"
            )
            let checks = String(decoding: try #require(scratch.contents(of: "out")["checks.csv"]), as: UTF8.self)
            #expect(checks.contains(",holds\n") && checks.contains(",fails\n"), "\(checks)")
        }
    }

    @Test("Ctrl-C twice ends at once with exit code 130, and nothing is written")
    func twice() throws {
        try withLoad("--duration 10m --timeout 10m", on: ["silent.yaml"]) { load in
            #expect(load.says(" in flight"), "\(load.errors)")
            load.signal(SIGINT)
            #expect(load.says("press Ctrl-C again to abandon"))
            // Signals within half a second count as one.
            Thread.sleep(forTimeInterval: 0.6)
            load.signal(SIGINT)
            #expect(load.end() == 130)
            // A load that had waited for its answers would have written results.
            #expect(load.errors.contains("stopped; nothing was written"), "\(load.errors)")
            #expect(!FileManager.default.fileExists(atPath: scratch.path("out")))
        }
    }

    @Test("Two signals within milliseconds, as from `timeout`, count as one, and results are kept")
    func timeout() throws {
        try withLoad { load in
            #expect(load.says(" in flight"), "\(load.errors)")
            signalTwice(load)
            #expect(load.end() == 143, "\(load.errors)")
            #expect(!load.errors.contains("stopped;"), "\(load.errors)")
            try expectMarked(load, signal: "SIGTERM", words: "Ended early by a signal (SIGTERM)")
        }
    }

    @Test("A service that gets two signals within milliseconds stops in order")
    func service() throws {
        let standIn = try RunningProgram("--port 0 --ready-file ready.json", program: "freshet-apns", in: scratch.url)
        _ = standIn.waits { FileManager.default.fileExists(atPath: scratch.path("ready.json")) }
        signalTwice(standIn)
        #expect(standIn.end() == 143, "\(standIn.errors)")
        #expect(
            standIn.errors.contains("stopped; the stand-in has closed its connections with GOAWAY"),
            "\(standIn.errors)"
        )
    }

    @Test(
        "Ctrl-C during the wait for the last answers: it waits ten more seconds and reports requests without an answer"
    )
    func drain() throws {
        try withLoad("--duration 1s --timeout 10m", on: ["silent.yaml"]) { load in
            #expect(load.says(" in flight"), "\(load.errors)")
            load.signal(SIGINT)
            #expect(load.end() == 130, "\(load.errors)")
            try expectMarked(load, words: "Ended by Ctrl-C")
            #expect(load.output.contains("50 requests had no answer when the wait ended"), "\(load.output)")
        }
    }

    /// The endpoint is silent, so pushes time out after a second.
    @Test("A threshold that fails ends the load: exit code 99, with the results of the part that ran")
    func brokenThreshold() throws {
        try withLoad(
            """
            --duration 10m --timeout 1s --abort-on-break --abort-after 500ms
            --threshold 'apns_response_missing_count == 0' --threshold 'pushes_sent_count > 1000000'
            """,
            on: ["silent.yaml"]
        ) { load in
            #expect(load.end() == 99, "\(load.errors)")
            #expect(
                load.errors.contains("ending early: the threshold `apns_response_missing_count == 0` does not hold")
            )
            let files = try scratch.contents(of: "out")
            let words = "Ended early by the threshold `apns_response_missing_count == 0`, which does not hold, after "
            let report = String(decoding: try #require(files["report.md"]), as: UTF8.self)
            #expect(report.hasPrefix("# load apns\n\n✗ \(words)"), "\(report.prefix(300))")
            let run = String(decoding: try #require(files["run.json"]), as: UTF8.self)
            #expect(run.contains("\"ended_early\"") && !run.contains("\"signal\""), "\(run)")
            #expect(run.contains("\"threshold\": \"apns_response_missing_count == 0\""), "\(run)")
            #expect(load.output.contains(words), "\(load.output)")
        }
    }

    @Test("Ctrl-C before the load has begun: there are no results to keep")
    func beforeTheBeginning() throws {
        // It never responds, so a load waits for its first connection.
        let silent = try #require(ListeningSocket())
        defer { silent.close() }
        let load = try start(
            "apns --endpoint https://127.0.0.1:\(silent.port) --insecure-skip-verify --output \(scratch)/out"
        )
        #expect(silent.isAsked())
        load.signal(SIGINT)
        #expect(load.end() == 130, "\(load.errors)")
        #expect(load.errors.contains("stopped; nothing was written"), "\(load.errors)")
        #expect(!FileManager.default.fileExists(atPath: scratch.path("out")))
    }

    @Test(
        "A scenario without and with a monitor: each ends early and reports it",
        arguments: [
            ("scenario few.yaml --in-process --speed 20", "answers and arrivals"),
            ("monitor few.yaml --speed 20", " requests  "),
        ] as [(Command.Line, String)]
    )
    func otherLoads(line: Command.Line, begun: String) throws {
        try scratch.write(
            "name: few\nclock: {duration: 2h}\nrides: {arrivals: {count: 500}}\n",
            to: "few.yaml"
        )
        let load = try start("\(line) --output \(scratch)/out")
        #expect(load.says(begun), "\(load.errors)")
        load.signal(SIGINT)
        #expect(load.end() == 130, "\(load.errors)")
        try expectMarked(load)
    }
}
