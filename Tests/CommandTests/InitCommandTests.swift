import CommandTestSupport
import Foundation
import TestSupport
import Testing

@Suite("freshet init, examples, describe")
struct InitCommandTests {
    private let scratch = Scratch()

    @Test("The created scenario and its files run in a directory with no other files")
    func whole() throws {
        let written = try Command.run("init live-outage \(scratch)/own --set rides.scale=0.001")
        #expect(written.status == 0 && written.errors.isEmpty, "\(written.errors)")
        #expect(
            try scratch.contents(of: "own").keys.sorted() == [
                "apns-outage.yaml", "freshet.schema.json", "my-live-outage.yaml", "nyc-lyft-day.yaml",
            ]
        )
        let ran = try Command.run("run \(scratch)/own/my-live-outage.yaml --quiet --output \(scratch)/run")
        #expect(ran.status == 0, "\(ran.errors)")
    }

    @Test("Other files are not overwritten: exit 73; the same files again are no error")
    func existing() throws {
        let words = ["init", "workout", scratch.path("own"), "--name", "mine"]
        #expect(try Command.run(words).status == 0)
        let again = try Command.run(words)
        #expect(again.status == 0 && again.output.hasPrefix("All files exist already."))
        let before = try scratch.contents(of: "own")
        let other = try Command.run("\(words) --set content.ttl=9m")
        #expect(other.status == 73)
        #expect(
            other.errors.hasSuffix(
                "own/mine.yaml: already exists with other contents; choose another directory or name\n"
            )
        )
        #expect(try scratch.contents(of: "own") == before)
        // A file of an earlier version; another name would not help.
        try scratch.write("{}", to: "own/freshet.schema.json")
        let old = try Command.run("init workout \(scratch)/own --name second")
        #expect(old.status == 73)
        #expect(old.errors.hasSuffix("own/freshet.schema.json` for the schema of this version\n"), "\(old.errors)")
    }

    @Test("A directory with the name of an example does not hide the example")
    func directoryOfItsName() throws {
        try scratch.makeDirectory("workout")
        let outcome = try Command.run("metrics rides_* --scenario workout", directory: scratch.url)
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    @Test("An unknown example, a wrong value, an invalid file name: one sentence, and nothing is written")
    func refused() throws {
        let unknown = try Command.run("init nyc-lyft-dya \(scratch)/own")
        #expect(unknown.status == 66)
        #expect(unknown.errors == "there is no example \"nyc-lyft-dya\"; did you mean \"nyc-lyft-day\"?\n")
        #expect(try Command.run("init workout \(scratch)/own --set content.ttl=soon").status == 65)
        #expect(try Command.run("init workout \(scratch)/own --name ../up").status == 65)
        #expect(!FileManager.default.fileExists(atPath: scratch.path("own")))
    }

    /// Starts `freshet init workout` on a terminal, where it prompts for values.
    private func asking(writingTo directory: String) throws -> (process: Process, terminal: Terminal) {
        let terminal = try Terminal()
        let process = Command.process("init workout \(directory)")
        process.standardInput = terminal.stream
        process.standardOutput = terminal.stream
        process.standardError = terminal.stream
        try process.run()
        return (process, terminal)
    }

    @Test("On a terminal it prompts until an answer is valid; Enter accepts the default of the example")
    func questions() throws {
        let (process, terminal) = try asking(writingTo: scratch.path("own"))
        defer { if process.isRunning { process.terminate() } }
        for (question, answers) in [
            ("The scenario's name [my-workout]: ", ["../up", "mine"]), ("rides.scale [", [""]),
            ("content.ttl [", ["soon", "9m"]), ("monitor.fresh_limit [", [""]),
            ("monitor.retry.max_attempts [", [""]), ("sender.connections [", ["7"]),
        ] {
            try #require(terminal.shows(question), "\(question)")
            for answer in answers { terminal.type(answer) }
        }
        #expect(terminal.shows("must be a duration, got \"soon\""))
        #expect(terminal.shows("freshet run \(scratch.path("own"))/mine.yaml"))
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        let text = try scratch.text("own/mine.yaml")
        #expect(text.contains("\nname: mine\n") && text.contains("ttl: 9m") && text.contains("connections: 7"))
    }

    @Test("Input that ends before the last answer: exit 64; nothing is written")
    func endOfInput() throws {
        let (process, terminal) = try asking(writingTo: scratch.path("own"))
        defer { if process.isRunning { process.terminate() } }
        try #require(terminal.shows("The scenario's name"))
        terminal.type("\u{4}")
        #expect(terminal.shows("the input ended before all questions were answered; nothing was written"))
        process.waitUntilExit()
        #expect(process.terminationStatus == 64)
        #expect(!FileManager.default.fileExists(atPath: scratch.path("own")))
    }

    @Test("Examples are listed, also as JSON")
    func examples() throws {
        let plain = try Command.run("examples")
        #expect(plain.output.contains("nyc-lyft-day  (freshet run)\n  A day of July 2026 in New York"))
        #expect(try Command.run("examples --format json").output.contains("\"name\": \"workout\""))
    }

    @Test("A key with its source; an unknown key: exit 65 with the nearest key")
    func describe() throws {
        let found = try Command.run("describe content.ttl")
        #expect(found.status == 0)
        #expect(
            found.output.contains("  in nyc-lyft-day:\n    ttl: 2m # assumption: Lyft names"),
            "\(found.output)"
        )
        let none = try Command.run("describe content.tll")
        #expect(none.status == 65)
        #expect(none.errors == "no key matches \"content.tll\"; did you mean \"content.ttl\"?\n")
    }
}
