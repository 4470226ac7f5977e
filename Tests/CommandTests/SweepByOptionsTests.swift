import CommandTestSupport
import Foundation
import TestSupport
import Testing

@testable import freshet

/// Sweeps with factors from options.
@Suite("freshet sweep", .enabled(if: Loop.isFull))
struct SweepByOptionsTests {
    private let scratch = Scratch()

    @Test("Factors from options give the same bytes as factors from a file")
    func sameAsFile() throws {
        let plain = try scratch.write(SweepCommandTests.base, to: "plain.yaml")
        let outcome = try Command.run([
            "sweep", plain, "--vary", "monitor.fresh_limit=[1m, 2m]", "--vary",
            "content.ttl={from: 60s, to: 2m, steps: 2}", "--where", "monitor.fresh_limit <= content.ttl", "--response",
            "fresh_time_ratio", "--output", scratch.path("a"), "--quiet",
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let file = try scratch.write(
            SweepCommandTests.base + """
                factors:
                  vary:
                    monitor.fresh_limit: [1m, 2m]
                    content.ttl: {from: 60s, to: 2m, steps: 2}
                  where: [monitor.fresh_limit <= content.ttl]
                  responses: [fresh_time_ratio]

                """,
            to: "file.yaml"
        )
        #expect(try Command.run("run \(file) --output \(scratch)/b --quiet").status == 0)
        #expect(try scratch.contents(of: "a") == scratch.contents(of: "b"))
    }

    @Test(
        "Wrong usage: exit 64 and the allowed values",
        arguments: [
            ([], "there is nothing to vary"),
            (["--vary", "content.ttl"], "--vary must be PATH=LEVELS, got \"content.ttl\""),
            (["--vary", "cells=[1]", "--vary", "cells=[2]"], "--vary names cells twice"),
            (["--vary", "cells=[1]", "--jobs", "0"], "--jobs must be within 1...1024, got 0"),
            (["--vary", "cells=[1]", "--replications", "0"], "--replications must be within 1...100000, got 0"),
        ]
    )
    func usage(options: [String], message: String) throws {
        let end = try #require(Parsing.end(of: ["sweep", "plain.yaml"] + options, as: Freshet.self))
        #expect(end.status == 64)
        #expect(end.text.contains("Error: \(message)"), "\(end.text)")
    }

    @Test(
        "A factor that does not fit the scenario: exit 65, with the option that contains it",
        arguments: [
            (
                ["--vary", "content.tll=[1m, 2m]"],
                #"--vary content.tll: content.tll is not a known key; did you mean "ttl"?"#
            ),
            (["--vary", "content.ttl=[1m, 1m]"], "twice"),
            (["--vary", "content.ttl=[1m, 2m]", "--where", "content.ttl"], "must be a condition"),
            (
                ["--vary", "content.ttl=[1m, 2m]", "--design", "gird"],
                #"--design: factors.design must be a known name, got "gird"; did you mean "grid"?"#
            ),
            (
                ["--vary", "content.ttl=[1m, 2m]", "--response", "peek_age_us"],
                #"--response: factors.responses.0 must name a metric, got "peek_age_us"; did you mean "peak_age_us"?"#
            ),
        ]
    )
    func refused(options: [String], message: String) throws {
        let plain = try scratch.write(SweepCommandTests.base, to: "plain.yaml")
        let outcome = try Command.run("sweep \(plain) --output \(scratch)/a \(options)")
        #expect(outcome.status == 65 && outcome.errors.contains(message), "\(outcome.errors)")
    }
}
