import ArgumentParser
import Experiments

struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Prints the JSON Schema of scenario files, for editors.",
        discussion: """
            Example: freshet schema > freshet.schema.json

            Editors that speak to the YAML language server then complete and check a scenario that begins with
            # yaml-language-server: $schema=freshet.schema.json
            """
    )

    func run() {
        print(ScenarioSchema.json(), terminator: "")
    }
}
