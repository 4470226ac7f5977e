import ArgumentParser

/// The commands that work in real time; `freshet` passes them on to this program.
@main
struct FreshetLoad: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "freshet",
        abstract: "Tests in real time what `freshet run` simulates.",
        version: "0.1.0",
        subcommands: [LoadCommand.self, APNsCommand.self, MonitorCommand.self]
    )
}

/// Load of every kind.
struct LoadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "load",
        abstract: "Tests in real time: the core alone, an APNs endpoint, a monitor.",
        discussion: "Example: freshet load core",
        subcommands: [LoadCoreCommand.self, LoadAPNsCommand.self, LoadScenarioCommand.self, LoadMonitorCommand.self]
    )
}
