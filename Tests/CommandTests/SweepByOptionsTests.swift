import Foundation
import Testing

/// Sweeps whose factors are given as options.
@Suite("freshet sweep")
struct SweepByOptionsTests {
    @Test("Factors given as options are those of a file, to the byte")
    func sameAsFile() throws {
        let scratch = try Scratch()
        let plain = try scratch.file("plain.yaml", SweepCommandTests.base)
        let outcome = try Command.run([
            "sweep", plain, "--vary", "monitor.fresh_limit=[1m, 2m]", "--vary",
            "content.ttl={from: 60s, to: 2m, steps: 2}", "--where", "monitor.fresh_limit <= content.ttl", "--response",
            "fresh_time_ratio", "--output", scratch.path("a"), "--quiet",
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let file = try scratch.file(
            "file.yaml",
            SweepCommandTests.base + """
                factors:
                  vary:
                    monitor.fresh_limit: [1m, 2m]
                    content.ttl: {from: 60s, to: 2m, steps: 2}
                  where: [monitor.fresh_limit <= content.ttl]
                  responses: [fresh_time_ratio]

                """
        )
        #expect(try Command.run("run", file, "--output", scratch.path("b"), "--quiet").status == 0)
        #expect(try scratch.contents(of: "a") == scratch.contents(of: "b"))
    }

    @Test(
        "What is wrong is told with the option that holds it",
        arguments: [
            ([], 64, "there is nothing to vary"), (["--vary", "content.ttl"], 64, "--vary must be PATH=LEVELS"),
            (["--vary", "content.tll=[1m, 2m]"], 65, #"did you mean "ttl"?"#),
            (["--vary", "content.ttl=[1m, 1m]"], 65, "twice"),
            (["--vary", "content.ttl=[1m, 2m]", "--where", "content.ttl"], 65, "must be a condition"),
            (["--vary", "content.ttl=[1m, 2m]", "--design", "gird"], 65, #"did you mean "grid"?"#),
        ]
    )
    func refused(options: [String], status: Int32, message: String) throws {
        let scratch = try Scratch()
        let plain = try scratch.file("plain.yaml", SweepCommandTests.base)
        let outcome = try Command.run(["sweep", plain, "--output", scratch.path("a")] + options)
        #expect(outcome.status == status && outcome.errors.contains(message), "\(outcome.errors)")
    }
}
