import ArgumentParser
import Experiments
import Reporting
import TextFormats

struct DescribeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "describe",
        abstract: "Describes a scenario key or a family of distributions.",
        discussion: """
            Example: freshet describe content.ttl
            Example: freshet describe rides.stages.3.refresh
            Example: freshet describe 'monitor.retry.*'
            Example: freshet describe distribution
            Example: freshet describe lognormal

            A word that is no key is searched for in keys and in their meanings. The example's comments name the source of \
            its value. `distribution` lists the families of distributions with their parameters, units and means; the name of \
            a family shows that one.
            """
    )

    @Argument(help: "A key, a pattern, or a family of distributions. Default: all keys.")
    var pattern: String?

    @Option(help: "The example whose values and sources are shown; freshet examples lists them.")
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
        let keys = pattern.map { pattern in
            KeyDescription.named(pattern).map { [$0] } ?? KeyDescription.all.filter { $0.matches(pattern) }
        }
        guard keys?.isEmpty != true else {
            let advice = KeyDescription.advice(for: pattern ?? "")
            throw CommandError("no key matches \"\(OneLine.excerpt(pattern ?? ""))\"; \(advice)", Failure.badData)
        }
        let reference = KeyReference(keys ?? KeyDescription.all, example: try ExampleScenario.chosen(example))
        print(format.text(plain: reference.plain, markdown: reference.markdown, json: reference.json), terminator: "")
    }
}

/// In what form a reference is printed.
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
    /// The example of a name that a user gave.
    ///
    /// - Throws: Where there is none, with the nearest name.
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
