import ArgumentParser
import Reporting
import ScenarioLanguage
import Shell
import TextFormats

struct DescribeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "describe",
        abstract: "Describes a scenario key or a family of distributions.",
        discussion: """
            Example: freshet describe content.ttl
            Example: freshet describe rides.stages.3.refresh
            Example: freshet describe sender
            Example: freshet describe 'monitor.retry.*'
            Example: freshet describe distribution
            Example: freshet describe lognormal

            A section is followed by the keys below it. A word that is not a key is looked up in keys and their descriptions. \
            The source of an example's value comes from the comments of the example. `distribution` lists the families of distributions with their parameters, units and \
            means. The name of a family shows that family.
            """
    )

    @Argument(help: "A key, a pattern, or a family of distributions. Default: all keys.")
    var pattern: String?

    @Option(help: "The example whose values and sources to show; `freshet examples` lists all.")
    var example = "nyc-lyft-day"

    @Option(help: "text, markdown, or json for scripts.")
    var format = ReferenceFormat.text

    func run() throws {
        if let families = pattern.flatMap(DistributionDescription.named) {
            let reference = DistributionReference(families)
            print(
                format.text(plain: reference.plain, markdown: reference.markdown, json: reference.json),
                terminator: ""
            )
            return
        }
        let keys = pattern.map(KeyDescription.matching)
        guard keys?.isEmpty != true else {
            let advice = KeyDescription.advice(for: pattern ?? "")
            throw CommandError("no key matches \"\(OneLine.excerpt(pattern ?? ""))\"; \(advice)", Failure.badData)
        }
        let reference = KeyReference(keys ?? KeyDescription.all, example: try ExampleScenario.chosen(example))
        print(format.text(plain: reference.plain, markdown: reference.markdown, json: reference.json), terminator: "")
    }
}

/// The output format of a reference.
enum ReferenceFormat: String, CaseIterable, ExpressibleByArgument {
    case text
    case markdown
    case json

    func text(
        plain: @autoclosure () -> String,
        markdown: @autoclosure () -> String,
        json: @autoclosure () -> JSONValue
    ) -> String {
        switch self {
        case .text: plain()
        case .markdown: markdown()
        case .json: json().text
        }
    }
}

extension ExampleScenario {
    /// Finds an example by the name that a user typed.
    ///
    /// - Throws: An error that suggests the nearest name, if there is no such example.
    static func chosen(_ name: String) throws -> ExampleScenario {
        guard names.contains(name) else {
            let advice =
                Suggestion.nearestOrLonger(to: name, among: names).map { "did you mean \"\($0)\"?" }
                ?? "`freshet examples` lists all of them"
            throw CommandError(
                "there is no example \"\(OneLine.excerpt(name))\"; \(advice)",
                Failure.inputMissing
            )
        }
        return try ExampleScenario(name)
    }
}
