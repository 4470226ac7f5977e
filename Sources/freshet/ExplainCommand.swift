import ArgumentParser
import Experiments
import LiveActivityModel
import Quantities
import Reporting

/// How some commands print what they have found.
enum TextOrJSON: String, CaseIterable, ExpressibleByArgument {
    case text
    case json
}

struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Shows the history of one activity of a run, line by line.",
        discussion: """
            Example: freshet explain results/nyc-lyft-day --activity 1234
            Example: freshet explain results/apns-outage --activity 5 --only-stale
            Example: freshet explain results/apns-outage --activity 5 --around 18:05 --within 30s

            The activity's cell is run again from scenario and seed, with the same history; at each line stands what the \
            server then believed, and which stage the screen then showed, how old and how fresh. `freshet worst` and report.md name activities that are \
            worth a look.
            """
    )

    @Argument(help: "A result directory that `freshet run`, `sweep` or `tune` has written.", completion: .directory)
    var directory: String

    @Option(
        help: "The activity: the number of its ride, counted from 0 in the order of requests.",
        transform: wholeNumber
    )
    var activity: UInt64

    @Option(help: "Which replication, counted from 0.", transform: wholeNumber)
    var replication: UInt32 = 0

    @Option(
        help: "Which design point of a sweep, as points.csv numbers them, from 0; that which tune selected by default.",
        transform: wholeNumber
    )
    var point: Int?

    @OptionGroup var memory: MemoryOption

    @Flag(help: "Only what happened while the screen was stale.")
    var onlyStale = false

    @Option(help: "Only what happened near a time: of day (18:05:30), of the ride (+3m20s) or of the run (2h5m).")
    var around: String?

    @Option(help: "How near, as a duration above 0s, as 90s.")
    var within = "2m"

    @Option(help: "text, or json for scripts.")
    var format = TextOrJSON.text

    @Option(help: "Write a picture of it too, as a Vega-Lite specification (.vl.json).", completion: .file())
    var chart: String?

    func run() throws {
        let history = try RecordedHistory(directory: directory, point: point)
        try history.require(replication: replication)
        let world = history.world
        try memory.admit(directory, RunEstimate(world.scenario, isWatched: true), replications: 1, jobs: 1)
        var cell = CellSimulation(
            world: world,
            cell: CellAssignment(world, replication: replication).cell(ofRide: activity),
            replication: replication,
            watch: .ride(activity),
            search: ActivitySearch(.ride(activity), count: 1)
        )
        _ = cell.run(through: world.horizon)
        cell.finish()
        guard !cell.story.isEmpty else {
            throw CommandError(
                "there is no activity \(activity) in this run: rides are numbered from 0 in the order of requests"
            )
        }
        var story = Story(ofRide: activity, in: &cell, of: world.scenario)
        if let chart { try write(Chart.story(story), to: chart) }
        let whole = "the story of activity \(activity) is from \(story.times)"
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
            throw ValidationError("--within must be a duration, as 30s or 2m, got \"\(text)\"")
        }
        return span
    }

    static func duration(_ text: some StringProtocol) -> TimeSpan? {
        guard case .duration(let microseconds)? = Amount(String(text)), microseconds < 0x1p53 else { return nil }
        return TimeSpan(microseconds: Int64(microseconds))
    }

    /// The instant that a time of day, of the ride or of the run means.
    private func instant(_ text: String, in story: Story) throws -> Instant {
        if let instant = story.instant(atTimeOfDay: text) { return instant }
        if text.hasPrefix("+"), let span = Self.duration(text.dropFirst()) { return story.begin + span }
        if let span = Self.duration(text) { return .start + span }
        throw ValidationError(
            "--around must be a time of day (18:05:30), of the ride (+3m20s) or of the run (2h5m), got \"\(text)\""
        )
    }
}
