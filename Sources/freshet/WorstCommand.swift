import ArgumentParser
import Experiments
import Foundation
import LiveActivityModel
import Reporting

struct WorstCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worst",
        abstract: "Names the activities of a run that were stale or behind for longest, and why.",
        discussion: """
            Example: freshet worst results/nyc-lyft-day --by stale_time
            Example: freshet worst results/apns-outage --by wrong_stage_time --cause no_answer --top 5
            Example: freshet worst results/apns-outage --by retries --format csv

            The run is simulated again from scenario and seed, with the same history, and every activity of all its \
            replications is looked at. `freshet explain RUN --activity RIDE` tells the story of one. Causes are those of \
            `freshet metrics stale_time_us`.
            """
    )

    @Argument(help: "A result directory that `freshet run`, `sweep` or `tune` has written.", completion: .directory)
    var directory: String

    @Option(help: "stale_time, wrong_stage_time, age (the largest that its screen reached) or retries.")
    var by = Criterion.staleTime

    @Option(help: "Only the time of one cause, as lost or end_lost; for stale_time and wrong_stage_time.")
    var cause: String?

    @Option(help: "How many activities, 1 to 100000.", transform: wholeNumber)
    var top = 20

    @Option(
        help: "Which design point of a sweep, as points.csv numbers them, from 0; that which tune selected by default.",
        transform: wholeNumber
    )
    var point: Int?

    @Option(
        help:
            "How many cells to run at the same time, 1 to 1024; by default one for each processor. It never shows in the results.",
        transform: wholeNumber
    )
    var jobs = ProcessInfo.processInfo.activeProcessorCount

    @OptionGroup var memory: MemoryOption

    @Option(help: "text, or csv.")
    var format = Format.text

    enum Criterion: String, CaseIterable, ExpressibleByArgument {
        case staleTime = "stale_time"
        case wrongStageTime = "wrong_stage_time"
        case age
        case retries
    }

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text
        case csv
    }

    func validate() throws {
        try limit("--top", top, to: 1...100_000)
        try limit("--jobs", jobs, to: 1...1024)
        if cause != nil, by == .age || by == .retries {
            throw ValidationError("--cause goes with --by stale_time or wrong_stage_time; \(by.rawValue) has no causes")
        }
    }

    func run() async throws {
        let criterion = try criterion
        let history = try RecordedHistory(directory: directory, point: point)
        try memory.admit(directory, RunEstimate(history.world.scenario, isWatched: true), replications: 1, jobs: jobs)
        let found = try await WorstActivities.find(
            criterion,
            count: top,
            in: history.world,
            replications: history.replications,
            jobs: jobs
        )
        let list = WorstList(found, by: by.rawValue, criterion, of: history.world.scenario)
        switch format {
        case .text:
            if let point = history.point { print(point + "\n") }
            print(list.text, terminator: "")
        case .csv:
            print(list.csv, terminator: "")
        }
    }

    private var criterion: ActivitySearch.Criterion {
        get throws {
            var wanted: ActivityRecord.Cause?
            if let cause {
                wanted = WorstList.cause(named: cause)
                guard wanted != nil else {
                    throw CommandError(
                        "--cause must name a cause, got \"\(cause)\"; \(WorstList.advice(forCause: cause))",
                        Failure.badData
                    )
                }
            }
            return switch by {
            case .staleTime: .staleTime(wanted)
            case .wrongStageTime: .wrongStageTime(wanted)
            case .age: .age
            case .retries: .retries
            }
        }
    }
}
