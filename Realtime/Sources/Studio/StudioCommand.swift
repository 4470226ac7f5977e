import ArgumentParser
import Foundation
import PageServer
import ScenarioLanguage
import Servers
import Shell

/// `freshet studio`: two worlds side by side in the browser.
@main
struct StudioCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "freshet studio",
        abstract: "Compares two scenarios side by side in the browser: change a setting and see the effect on a day.",
        discussion: """
            Example: freshet studio nyc-lyft-day
            Example: freshet studio results/apns-outage --port 8800 --no-open

            Serves a page on 127.0.0.1, for this machine only; its address contains a secret. The base is a \
            scenario, or the scenario of a result directory. Changes on the page run beside it on the same random \
            world, replication by replication, until the intervals are narrow enough. Nothing is written: the page \
            gives a command line and a scenario file to keep. Ctrl-C ends it.
            """,
        version: Release.version
    )

    static func main() async {
        OpenFiles.checkOrExit()
        await mainOrExit()
    }

    @Argument(
        help: "The scenario file, the name of an example, or a result directory.",
        completion: .file(extensions: ["yaml", "yml"])
    )
    var base: String

    @Option(name: .customLong("set"), help: "Overrides a value of the scenario, given as key.path=value; repeatable.")
    var settings: [String] = []

    @Option(help: "The port, 1 to 65535; 0 for any free port.")
    var port = 8799

    @Option(
        help: "Number of cells to run in parallel, 1 to 64; default: one per processor. Results do not depend on it."
    )
    var jobs = min(64, ProcessInfo.processInfo.activeProcessorCount)

    @Flag(help: "Print the address without opening a browser.")
    var noOpen = false

    func validate() throws {
        try demand(0...65535 ~= port, "--port must be 0 to 65535, got \(port)")
        try demand(1...64 ~= jobs, "--jobs must be 1 to 64, got \(jobs)")
    }

    func run() async throws {
        let source = try orExit { try ScenarioOfStudio(path: base, settings: settings) }
        let files = StudioPage.files
        let sessions = StudioSessions(source: source, jobs: jobs)
        let server = PageServer(port: port) { routes in
            routes.add(files)
            StudioAPI(sessions: sessions, source: source).add(to: routes)
        }
        let opens = !noOpen
        let browser = Browser()
        try await Interruption.guarding(kept: "there was nothing to keep") {
            defer { browser.close() }
            do {
                try await server.run { address in
                    // The address has a line to itself, so that scripts find it.
                    FileHandle.standardOutput.write(Data((address + "\n").utf8))
                    if opens {
                        browser.open(address) { printError("no browser found; open this address in one") }
                    }
                }
            } catch let error as PortUnavailable {
                throw CommandError("freshet studio: \(error)", Failure.temporary)
            }
        }
    }
}
