import ArgumentParser
import Evaluation
import LiveActivityModel
import Quantities
import Reporting
import Shell

/// The output format of a command.
enum TextOrJSON: String, CaseIterable, ExpressibleByArgument {
    case text
    case json
}

struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Shows the history of one activity of a run, event by event.",
        discussion: """
            Example: freshet explain results/nyc-lyft-day --activity 1234
            Example: freshet explain results/apns-outage --activity 5 --only-stale
            Example: freshet explain results/apns-outage --activity 5 --around 18:05 --within 30s

            The activity's cell is simulated again from scenario and seed, with the same history. Each line shows the \
            server's belief at that time and the stage, age and freshness on the screen. `freshet worst` and report.md name \
            activities worth explaining.
            """
    )

    @Argument(help: "A result directory of `freshet run`, `sweep` or `tune`.", completion: .directory)
    var directory: String

    @Option(
        help: "The number of the activity's ride, from 0, in order of request.",
        transform: wholeNumber
    )
    var activity: UInt64

    @Option(help: "The replication, from 0.", transform: wholeNumber)
    var replication: UInt32 = 0

    @Option(
        help: "The design point of a sweep, numbered from 0 as in points.csv. Default: the point that tune selected.",
        transform: wholeNumber
    )
    var point: Int?

    @OptionGroup var memory: MemoryOption

    @Flag(help: "Only events while the screen was stale.")
    var onlyStale = false

    @Option(help: "Only events near a time: of day (18:05:30), of the ride (+3m20s) or of the run (2h5m).")
    var around: String?

    @Option(help: "The distance from --around, a duration above 0s such as 90s.")
    var within = "2m"

    @Option(help: "text, or json for scripts.")
    var format = TextOrJSON.text

    @Option(help: "Also write a chart of it, as a Vega-Lite specification (.vl.json).", completion: .file())
    var chart: String?

    func run() throws {
        let history = try RecordedHistory(directory: directory, point: point)
        try history.require(replication: replication)
        let world = history.world
        var cell = CellSimulation(
            world: world,
            cell: world.cell(ofRide: activity, replication: replication),
            replication: replication,
            watch: .ride(activity),
            search: ActivitySearch(.ride(activity), count: 1)
        )
        let limit = memory.limit
        repeat {
            try limit.check(directory, kept: "the results are unchanged")
        } while cell.run(through: world.horizon, atMost: 1 << 16)
        cell.finish()
        guard !cell.story.isEmpty else {
            throw CommandError(
                "there is no activity \(activity) in this run: rides are numbered from 0 in the order of requests"
            )
        }
        var story = Story(ofRide: activity, in: &cell, of: world.scenario)
        if let chart { try write(Chart.story(story), to: chart) }
        let whole = "the history of activity \(activity) covers \(story.times)"
        if let around { story.keep(around: try instant(around, in: story), within: try span(within)) }
        if onlyStale { story.keepStale() }
        if story.isEmpty {
            printError(
                around.map { "nothing happened within \(within) of \($0); \(whole)" }
                    ?? "the screen was never stale; \(whole)"
            )
        }
        switch format {
        case .json:
            print(story.json, terminator: "")
        case .text:
            for line in [history.point, story.verdict].compactMap(\.self) { print(line + "\n") }
            print(story.text, terminator: "")
        }
    }

    private func write(_ chart: Chart?, to path: String) throws {
        guard let chart else {
            throw CommandError(
                "--chart: the activity was on no screen while the run was measured, so there is no picture of it"
            )
        }
        try writeOrExit(chart.text, to: path)
    }

    private func span(_ text: String) throws -> TimeSpan {
        guard let span = Self.duration(text) else {
            throw ValidationError("--within must be a duration such as 30s or 2m, got \"\(text)\"")
        }
        return span
    }

    static func duration(_ text: some StringProtocol) -> TimeSpan? {
        guard case .duration(let microseconds)? = Amount(String(text)), microseconds < 0x1p53 else { return nil }
        return TimeSpan(microseconds: Int64(microseconds))
    }

    /// The instant for a time of day, of the ride or of the run.
    private func instant(_ text: String, in story: Story) throws -> Instant {
        if let instant = story.instant(atTimeOfDay: text) { return instant }
        if text.hasPrefix("+"), let span = Self.duration(text.dropFirst()) { return story.begin + span }
        if let span = Self.duration(text) { return .start + span }
        throw ValidationError(
            "--around must be a time of day (18:05:30), of the ride (+3m20s) or of the run (2h5m), got \"\(text)\""
        )
    }
}
