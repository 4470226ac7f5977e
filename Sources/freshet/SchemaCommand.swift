import ArgumentParser
import ScenarioLanguage

struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Prints the JSON Schema of scenario files, for editors.",
        discussion: """
            Example: freshet schema > freshet.schema.json

            Editors with the YAML language server complete and check a scenario that begins with this line:
            # yaml-language-server: $schema=freshet.schema.json
            """
    )

    func run() {
        print(ScenarioSchema.json(), terminator: "")
    }
}
