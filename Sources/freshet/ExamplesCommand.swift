import ArgumentParser
import Reporting
import ScenarioLanguage
import TextFormats

struct ExamplesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "examples",
        abstract: "Lists the built-in scenarios and what each one shows.",
        discussion: """
            Example: freshet examples
            Example: freshet run nyc-lyft-day
            Example: freshet init nyc-lyft-day my-city

            Every command that takes a scenario file also takes the name of an example. A file with that name has precedence.
            """
    )

    @Option(help: "text, markdown, or json for scripts.")
    var format = ReferenceFormat.text

    func run() throws {
        let examples = try ExampleScenario.all()
        let table = TextTable(
            ["example", "made for", "what it shows"],
            rows: examples.map { [$0.name, $0.command, $0.summary] }
        )
        let json = JSONValue.array(
            examples.map { ["name": .string($0.name), "command": .string($0.command), "shows": .string($0.summary)] }
        )
        print(
            format.text(
                plain: examples.map { "\($0.name)  (freshet \($0.command))\n  \($0.summary)\n" }.joined(),
                markdown: table.markdown + "\n",
                json: json
            ),
            terminator: ""
        )
    }
}

extension ExampleScenario {
    /// The command that runs the example.
    var command: String {
        if loaded.experiment.factors?.goal != nil { return "tune" }
        return name.hasPrefix("live-") ? "load scenario" : "run"
    }
}
