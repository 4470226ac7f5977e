import ArgumentParser
import Foundation
import Reporting
import ScenarioLanguage
import Shell
import Studies

struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Creates a commented scenario of your own from an example.",
        discussion: """
            Example: freshet init
            Example: freshet init apns-outage experiments --name our-outage --set content.ttl=3m

            On a terminal it asks a few questions; elsewhere, or with --set or --defaults, it asks none. It also writes \
            the files that the scenario needs, and freshet.schema.json, with which editors complete and check the scenario. \
            Existing files are never changed: if one has other contents, nothing is written (exit 73).
            """
    )

    @Argument(help: "The example; `freshet examples` lists all.", completion: .list(ExampleScenario.names))
    var example = "nyc-lyft-day"

    @Argument(help: "The directory for the files; created if it does not exist.", completion: .directory)
    var directory = "."

    @Option(help: "The name of the scenario and of its file. Default: my-EXAMPLE.")
    var name: String?

    @Option(
        name: .customLong("set"),
        help: "Overrides a value of the example, given as key.path=value, and writes it into the file; repeatable."
    )
    var settings: [String] = []

    @Flag(help: "Do not ask questions.")
    var defaults = false

    func run() throws {
        let example = try ExampleScenario.chosen(self.example)
        var name = name ?? "my-\(example.name)"
        var settings = settings
        if !defaults, settings.isEmpty, self.name == nil, isatty(0) == 1, isatty(1) == 1 {
            var questions = InitQuestions(example: example)
            (name, settings) = try questions.ask(name: name)
        }
        let own = try OwnScenario(of: example, name: name, settings: settings)
        let loaded = try ScenarioReader.read(yaml: own.text, named: "\(name).yaml")
        // A setting may be valid in the file, and invalid at one of its design points.
        if loaded.experiment.factors != nil { _ = try Sweep(loaded) }
        let files =
            [("\(name).yaml", Data(own.text.utf8)), ("freshet.schema.json", Data(ScenarioSchema.json().utf8))]
            + example.files.dropFirst().map { ($0.path, Data($0.bytes)) }
        let written = try NewFiles(files, in: directory).write()
        let place = directory == "." ? "" : directory + (directory.hasSuffix("/") ? "" : "/")
        print(
            written.isEmpty
                ? "All files exist already." : "Wrote \(written.map { place + $0 }.joined(separator: ", "))."
        )
        print(
            """

            Next:
              freshet \(example.command) \(place)\(name).yaml
              freshet describe content.ttl           the meaning and allowed values of a key
            """
        )
    }
}

/// The questions that `freshet init` asks on a terminal.
private struct InitQuestions {
    let example: ExampleScenario

    /// The keys that users set first.
    private static let keys = [
        "rides.scale", "content.ttl", "monitor.fresh_limit", "monitor.retry.max_attempts", "sender.connections",
    ]

    /// The scenario's name and the answers that differ from the example.
    mutating func ask(name: String) throws -> (name: String, settings: [String]) {
        print("A scenario of your own, from \(example.name): \(example.summary)")
        print("Enter accepts the value in brackets; `freshet describe KEY` explains a key.\n")
        let name = try answer("The scenario's name", usual: name) { ["name=\($0)"] }
        var settings: [String] = []
        for key in Self.keys {
            guard let description = KeyDescription.named(key) else { continue }
            let usual = example.value(at: key)
            let answer = try answer("\(description.meaning)\n\(key)", usual: usual) { ["\(key)=\($0)"] }
            if answer != usual { settings.append("\(key)=\(answer)") }
        }
        print("")
        return (name, settings)
    }

    /// Asks until the answer gives a valid scenario.
    private func answer(_ question: String, usual: String, _ settings: (String) -> [String]) throws -> String {
        while true {
            print("\(question) [\(usual)]: ", terminator: "")
            fflush(nil)
            guard let line = readLine() else {
                throw CommandError(
                    "freshet init: the input ended before all questions were answered; nothing was written",
                    Failure.usage
                )
            }
            let answer = line.trimmingCharacters(in: .whitespaces)
            guard !answer.isEmpty, answer != usual else { return usual }
            do {
                _ = try OwnScenario(
                    of: example,
                    name: "own",
                    settings: settings(answer).filter { !$0.hasPrefix("name=") }
                )
                if let named = settings(answer).first, named.hasPrefix("name=") {
                    _ = try OwnScenario(of: example, name: answer, settings: [])
                }
                return answer
            } catch {
                print("  \(error)")
            }
        }
    }
}
