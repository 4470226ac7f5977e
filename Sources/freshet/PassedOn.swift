import ArgumentParser
import CommandShell
import Foundation

/// A command that another program of this package does: `freshet-load`, which carries the network libraries.
///
/// The program takes the place of this one, so that signals, streams and the exit code are its own.
protocol PassedOnCommand: ParsableCommand {
    /// What was typed behind the command's name.
    var arguments: [String] { get }
}

extension PassedOnCommand {
    func run() throws {
        let name = Self.configuration.commandName ?? ""
        guard let program = LoadProgram.path else {
            printError(
                """
                freshet \(name): the program freshet-load is missing; looked beside \(LoadProgram.ownPath), got nothing; \
                `make load` builds it there, and FRESHET_LOAD may name it anywhere else
                """
            )
            throw Failure.inputMissing
        }
        let words = [program, name] + arguments
        var pointers = words.map { strdup($0) } + [nil]
        execv(program, &pointers)
        printError("freshet \(name): \(program) cannot be run: \(String(cString: strerror(errno)))")
        throw Failure.inputMissing
    }
}

/// Where `freshet-load` is.
private enum LoadProgram {
    /// This program's own file.
    static var ownPath: String {
        (Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])).resolvingSymlinksInPath().path
    }

    /// What the environment names, else what stands beside this program; nil where there is neither.
    static var path: String? {
        let named = ProcessInfo.processInfo.environment["FRESHET_LOAD"].flatMap { $0.isEmpty ? nil : $0 }
        let path =
            named
            ?? URL(fileURLWithPath: ownPath).deletingLastPathComponent().appendingPathComponent("freshet-load").path
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }
}

/// `freshet load`.
struct LoadCommand: PassedOnCommand {
    static let configuration = CommandConfiguration(
        commandName: "load",
        abstract: "Tests in real time: the core alone, an APNs endpoint, a monitor.",
        discussion: "Example: freshet load core"
    )

    @Argument(parsing: .captureForPassthrough, help: "See freshet load --help.")
    var arguments: [String] = []
}

/// `freshet apns`.
struct APNsCommand: PassedOnCommand {
    static let configuration = CommandConfiguration(
        commandName: "apns",
        abstract: "Stands in for APNs, and for the phones behind it, on this machine.",
        discussion: "Example: freshet apns experiments/apns-outage.yaml --port 2197"
    )

    @Argument(parsing: .captureForPassthrough, help: "See freshet apns --help.")
    var arguments: [String] = []
}

/// `freshet monitor`.
struct MonitorCommand: PassedOnCommand {
    static let configuration = CommandConfiguration(
        commandName: "monitor",
        abstract: "Runs the Freshness Monitor as a service.",
        discussion: "Example: freshet monitor --registry tokens.sqlite --apns https://localhost:2197"
    )

    @Argument(parsing: .captureForPassthrough, help: "See freshet monitor --help.")
    var arguments: [String] = []
}
