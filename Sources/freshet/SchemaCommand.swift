import ArgumentParser
import ScenarioLanguage
import Traces

struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Prints the JSON Schema of scenario files, for editors, or of event logs.",
        discussion: """
            Example: freshet schema > freshet.schema.json
            Example: freshet schema --event-log > event-log.schema.json

            Editors with the YAML language server complete and check a scenario that begins with this line:
            # yaml-language-server: $schema=freshet.schema.json
            """
    )

    @Flag(help: "Print the schema of a row of an event log.")
    var eventLog = false

    func run() {
        print(eventLog ? EventLogSchema.json() : ScenarioSchema.json(), terminator: "")
    }
}
