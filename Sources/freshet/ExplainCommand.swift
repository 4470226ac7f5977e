import ArgumentParser

/// Tells the story of one activity of a run.
struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "explain")
}
