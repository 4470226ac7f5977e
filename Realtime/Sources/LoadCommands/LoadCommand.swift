package import ArgumentParser
import CommandShell

/// `freshet load`: load of every kind.
package struct LoadCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "freshet load",
        abstract: "Tests in real time: the core alone, an APNs endpoint, a monitor.",
        discussion: "Example: freshet load core",
        version: Release.version,
        subcommands: [LoadCoreCommand.self, LoadAPNsCommand.self, LoadScenarioCommand.self, LoadMonitorCommand.self]
    )

    package init() {}
}
