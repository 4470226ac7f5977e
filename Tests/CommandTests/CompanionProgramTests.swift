import ArgumentParser
import CommandTestSupport
import Foundation
import TestSupport
import Testing

@testable import freshet

/// Commands in separate programs: `freshet NAME` becomes `freshet-NAME`.
@Suite("Companion programs")
struct CompanionProgramTests {
    /// The directories: `own/freshet` is the command, alone in its directory; `path` and `path2` are empty.
    private let scratch = Scratch()

    init() throws {
        for name in ["own", "path", "path2"] {
            try scratch.makeDirectory(name)
        }
        let built = Command.directory.appending(path: "freshet").path
        do {
            try FileManager.default.linkItem(atPath: built, toPath: scratch.path("own/freshet"))
        } catch {
            // Hard links do not work across file systems.
            try FileManager.default.copyItem(atPath: built, toPath: scratch.path("own/freshet"))
        }
    }

    /// Writes a program that prints its path and its arguments, one per line, and exits with 42.
    private func write(_ name: String, in directory: String, isExecutable: Bool = true) throws {
        let script = "#!/bin/sh\nprintf '%s\\n' \(directory) \"$@\"\nexit 42\n"
        try write(name, in: directory, script, isExecutable: isExecutable)
    }

    private func write(_ name: String, in directory: String, _ text: String, isExecutable: Bool = true) throws {
        let path = try scratch.write(text, to: "\(directory)/\(name)")
        let permissions = isExecutable ? 0o755 : 0o644
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
    }

    /// Runs the command with `path` and `path2` as `PATH`.
    private func freshet(_ arguments: String...) throws -> Command.Outcome {
        try Command.run(
            arguments,
            program: scratch.path("own/freshet"),
            environment: ["PATH": scratch.path("path") + ":" + scratch.path("path2")]
        )
    }

    @Test("A program on PATH receives the arguments unchanged; its streams and its exit code become the command's")
    func onPath() throws {
        try write("freshet-hello", in: "path2")
        let outcome = try freshet("hello", "a", "b c", "", "--quiet", "--help", "--", "--version")
        #expect(outcome.status == 42)
        #expect(outcome.output == "path2\na\nb c\n\n--quiet\n--help\n--\n--version\n")
        #expect(outcome.errors.isEmpty)
    }

    @Test("The program beside the command precedes programs on PATH, and the first one on PATH is used")
    func order() throws {
        try write("freshet-hello", in: "path2")
        #expect(try freshet("hello").output == "path2\n")
        // A file that is not executable does not count as a program.
        try write("freshet-hello", in: "path", isExecutable: false)
        #expect(try freshet("hello").output == "path2\n")
        try write("freshet-hello", in: "path")
        #expect(try freshet("hello").output == "path\n")
        try write("freshet-hello", in: "own")
        #expect(try freshet("hello").output == "own\n")
    }

    @Test("freshet help NAME prints the program's own help")
    func help() throws {
        try write("freshet-hello", in: "path")
        let outcome = try freshet("help", "hello")
        #expect(outcome.status == 42 && outcome.output == "path\n--help\n")
        #expect(try freshet("help", "hello", "world").output == "path\nworld\n--help\n")
        // A program that the command knows by name.
        try write("freshet-load", in: "path")
        #expect(try freshet("help", "load").output == "path\n--help\n")
    }

    @Test(
        "If a known program is missing, the message says how to install it: exit 66",
        arguments: [
            ("load", "releases include it beside freshet; in a checkout `make load` builds it"),
            ("apns", "releases include it beside freshet; in a checkout `make load` builds it"),
            ("monitor", "releases include it beside freshet; in a checkout `make load` builds it"),
            ("verify", "releases include it beside freshet; in a checkout `make verification` builds it"),
            ("bench", "in a checkout `make bench-program` builds it; releases do not include it"),
        ]
    )
    func missing(name: String, origin: String) throws {
        let outcome = try freshet(name, "core")
        #expect(outcome.status == 66 && outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("freshet \(name): the program freshet-\(name) is missing; searched "))
        #expect(outcome.errors.hasSuffix("; \(origin)\n"), "\(outcome.errors)")
        // Its help says so too, after the description that the command has.
        let help = try freshet("help", name)
        let words = help.output.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
        #expect(help.status == 0 && words.contains("freshet-\(name): \(origin)."), "\(help.output)")
    }

    @Test("A program cannot replace a built-in command", arguments: ["run", "schema", "help"])
    func ownCommands(_ name: String) throws {
        for directory in ["own", "path"] { try write("freshet-\(name)", in: directory) }
        let outcome = try freshet(name, "--help")
        #expect(outcome.status == 0)
        #expect(outcome.output.hasPrefix("OVERVIEW: "), "\(outcome.output)")
    }

    @Test("A name of neither a command nor a program: exit 64")
    func unknown() throws {
        let outcome = try freshet("hello")
        #expect(outcome.status == 64 && outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("freshet: there is no command \"hello\"; allowed: run, "))
        for near in [try freshet("rnu"), try freshet("help", "rnu")] {
            #expect(near.status == 64 && near.output.isEmpty)
            #expect(near.errors == "freshet: there is no command \"rnu\"; did you mean \"run\"?\n")
        }
        // A slash would leave the directories that are searched.
        let directory = scratch.path("path/freshet-hello")
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try write("world", in: "path/freshet-hello")
        #expect(try freshet("hello").status == 64)
        #expect(try freshet("hello/world").status == 64)
    }

    @Test("A file that the system cannot execute is reported with the reason")
    func broken() throws {
        try write("freshet-hello", in: "path", "\u{7F}ELF and no more\n")
        let outcome = try freshet("hello")
        #expect(outcome.status == 66 && outcome.output.isEmpty)
        let path = scratch.path("path/freshet-hello")
        #expect(outcome.errors.hasPrefix("freshet hello: \(path) cannot be run: "), "\(outcome.errors)")
    }

    // MARK: - Completions

    /// A companion program as its authors write it.
    private struct Sample: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "freshet load",
            subcommands: [Core.self, Phones.self]
        )

        struct Core: ParsableCommand {
            @Argument var file: String?
            @Option(name: [.short, .long]) var instances = 1
            @Option(help: .hidden) var inner = 1
            @Flag var isQuiet = false
        }

        struct Phones: ParsableCommand {
            static let configuration = CommandConfiguration(subcommands: [Listing.self])
        }

        struct Listing: ParsableCommand {
            static let configuration = CommandConfiguration(commandName: "list")
            @Option var instance = 0
        }
    }

    /// Returns the program's description of itself.
    private static func description() throws -> String {
        try #require(Parsing.end(of: ["--experimental-dump-help"], as: Sample.self)).text
    }

    @Test(
        "Subcommands and long options are completed after each command, filtered by the existing prefix",
        arguments: [
            ("", "", ["core", "phones", "help", "--help"]), ("", "p", ["phones"]), ("", "x", []),
            ("core", "", ["--instances", "--is-quiet", "--help"]), ("core", "--i", ["--instances", "--is-quiet"]),
            ("core --is-quiet", "--ins", ["--instances"]), ("phones", "", ["list", "--help"]),
            ("phones list", "--", ["--instance", "--help"]), ("file.txt core", "--ins", ["--instances"]),
        ]
    )
    func candidates(after words: String, prefix: String, expected: [String]) throws {
        let described = try Data(Self.description().utf8)
        let completion = try #require(CompanionCompletion("load", describedBy: described))
        let line = ["freshet", "load"] + words.split(separator: " ").map(String.init) + [prefix]
        #expect(completion.candidates(after: line, prefix: prefix) == expected)
    }

    @Test("A program that does not describe itself has no completions", arguments: ["", "no JSON", "{}", "[1]"])
    func notDescribed(_ text: String) {
        #expect(CompanionCompletion("load", describedBy: Data(text.utf8)) == nil)
    }

    @Test("For a completion request from the shell, the command queries the program")
    func completions() throws {
        // The request that scripts of --generate-completion-script send: word 2 of the line, up to character 2.
        let question = ["---completion", "load", "--", "positional@0", "2", "2", "freshet", "load", "co"]
        func answer() throws -> Command.Outcome {
            try Command.run(
                question,
                program: scratch.path("own/freshet"),
                environment: ["PATH": scratch.path("path")]
            )
        }
        let none = try answer()
        #expect(none.status == 0 && none.output.split(separator: "\n").isEmpty)
        let description = try scratch.write(Self.description(), to: "description.json")
        let script = "#!/bin/sh\ntest \"$*\" = --experimental-dump-help && exec /bin/cat \(description)\n"
        try write("freshet-load", in: "path", script)
        let some = try answer()
        #expect(some.status == 0)
        #expect(some.output.split(separator: "\n") == ["core"])
    }
}
