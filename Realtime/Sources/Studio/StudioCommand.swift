import ArgumentParser
import Experiments
import Foundation
import PageServer
import Reporting

/// Two worlds side by side in the browser.
@main
struct StudioCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "freshet studio",
        abstract: "Two worlds side by side in the browser: change a setting, and see the day change.",
        discussion: """
            Example: freshet studio nyc-lyft-day
            Example: freshet studio results/apns-outage --port 8800 --no-open

            A page on 127.0.0.1, for this machine alone; its address holds a secret. A scenario, or a result directory with the \
            scenario of its run, is the base; what is changed on the page is run beside it on the same random world, \
            replication by replication, until the intervals are as narrow as asked. Nothing is written: the page \
            gives a command line and a scenario file for what one wants to keep. Ctrl-C ends it.
            """,
        version: Release.version
    )

    static func main() async {
        OpenFiles.checkOrExit()
        await mainOrExit()
    }

    @Argument(help: "A scenario file, or a result directory.", completion: .file(extensions: ["yaml", "yml"]))
    var base: String

    @Option(name: .customLong("set"), help: "Overrides a value of the scenario, as key.path=value; repeatable.")
    var settings: [String] = []

    @Option(help: "The port, 1 to 65535; 0: any that is free.")
    var port = 8799

    @Option(help: "How many cells to run at the same time, 1 to 64. It never shows in the results.")
    var jobs = min(64, ProcessInfo.processInfo.activeProcessorCount)

    @Flag(help: "Print the address only; open no browser.")
    var noOpen = false

    func validate() throws {
        guard 0...65535 ~= port else { throw ValidationError("--port must be 0 to 65535, got \(port)") }
        guard 1...64 ~= jobs else { throw ValidationError("--jobs must be 1 to 64, got \(jobs)") }
    }

    func run() async throws {
        let source = try orExit { try ScenarioOfStudio(path: base, settings: settings) }
        let charts = PageFile.chartRuntime()
        let sessions = StudioSessions(source: source, jobs: jobs)
        let server = PageServer(port: port) { routes in
            routes.add(StudioPage.files(charts: charts))
            StudioAPI(sessions: sessions, source: source).add(to: routes)
        }
        let opens = !noOpen
        let browser = Browser()
        try await Interruption.guarding(kept: "nothing was to be kept") {
            defer { browser.close() }
            do {
                try await server.run { address in
                    // Alone on its line, so that scripts find it.
                    FileHandle.standardOutput.write(Data((address + "\n").utf8))
                    if opens {
                        browser.open(address) { printError("no browser was found; open this address in one") }
                    }
                }
            } catch let error as PortInUse {
                throw CommandError("freshet studio: \(error)", Failure.temporary)
            }
        }
    }
}
