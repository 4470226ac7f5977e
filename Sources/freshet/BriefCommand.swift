import ArgumentParser
import Foundation
import Reporting
import Shell

struct BriefCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "brief",
        abstract:
            "Puts a decision on one page: the answer, its certainty, the cost against today, and what it rests on.",
        discussion: """
            Example: freshet brief results/tune-fresh-limit --question "Which stale date shows the most fresh content within our limits?"
                     freshet brief today choice --price-per-million-pushes "0.50 EUR" --output choice.html

            Names the results of a run, a sweep or a search, or two runs, today's first. Sweeps after them say in which \
            order assumptions move the answer. Nothing is simulated. The page needs no network and prints on one sheet of A4 \
            (in the browser: Print, or Save as PDF). On a pipe the command also prints the page as text.
            """
    )

    @Argument(
        help: "Result directories: one of a run, sweep or search, or two runs; then sweeps of assumptions.",
        completion: .directory
    )
    var results: [String]

    @Option(help: "The question that the page answers. Default: the scenario's description.")
    var question: String?

    @Option(
        help: "The HTML file. Default: brief.html in the last directory of the answer.",
        completion: .file(extensions: ["html"])
    )
    var output: String?

    @Option(help: "The price of a million pushes with its currency, such as \"0.50 EUR\".", transform: price)
    var pricePerMillionPushes: PushPrice?

    @Option(
        help:
            "Your rides a day, or per run of a shorter scenario: pushes are scaled to them. Default: the rides simulated."
    )
    var rides: Double?

    @Option(
        help:
            "The scenario file whose comments mark assumptions. Default: the file or example with the scenario's name.",
        completion: .file(extensions: ["yaml", "yml"])
    )
    var scenario: String?

    @Option(help: "html writes the page; text prints it as Markdown, and writes no file.")
    var format = Format.html

    @Flag(help: "Print only errors.")
    var quiet = false

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case html
        case text
    }

    func validate() throws {
        try demand(!results.isEmpty, "name at least one result directory")
        try demand((question?.count ?? 1) <= 300, "--question must have at most 300 characters")
        if let rides {
            try demand(
                rides.isFinite && rides > 0 && rides <= 1e12,
                "--rides must be above 0 and at most 1e12, got \(rides)"
            )
        }
        try demand(
            format == .html || output == nil,
            "--output is the HTML file; with --format text redirect the output"
        )
    }

    func run() throws {
        var options = Brief.Options()
        options.question = question
        options.price = pricePerMillionPushes
        options.rides = rides
        options.scenario = scenario
        let brief = try orExit { try Brief(results, options) }
        guard format == .html else {
            print(brief.text(options), terminator: "")
            return
        }
        let path = output ?? "\(brief.directory)/brief.html"
        let problem = try orExit { try brief.write(path, options) { line in if !quiet { printError(line) } } }
        if let problem { printError("\(path): the chart is missing: \(problem)") }
        guard !quiet else { return }
        if isatty(FileHandle.standardOutput.fileDescriptor) == 0 { print(brief.text(options)) }
        print("Brief: \(path)")
    }
}

/// Reads a price of pushes.
private func price(_ text: String) throws -> PushPrice {
    guard let price = PushPrice(parsing: text) else {
        throw ValidationError(
            "--price-per-million-pushes must be a number and a currency, such as \"0.50 EUR\"; got \"\(text)\""
        )
    }
    return price
}
