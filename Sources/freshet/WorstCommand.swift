import ArgumentParser
import Foundation
import LiveActivityModel
import Quantities
import Reporting
import Shell
import Studies

struct WorstCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worst",
        abstract: "Lists the worst activities: by stale or wrong-stage time, age, ETA error, missing photo or retries.",
        discussion: """
            Example: freshet worst results/nyc-lyft-day --by stale_time
            Example: freshet worst results/apns-outage --by wrong_stage_time --cause no_answer --top 5
            Example: freshet worst results/apns-outage --by retries --format csv
            Example: freshet worst results/apns-outage --stage on_the_way --at-least 20m

            The run is simulated again from scenario and seed, with the same history, and every activity of every \
            replication is examined. `freshet explain RUN --activity RIDE` shows the history of one. `freshet metrics \
            stale_time_us` lists the causes.
            """
    )

    @Argument(help: "A result directory of `freshet run`, `sweep` or `tune`.", completion: .directory)
    var directory: String

    @Option(
        help: """
            The quantity to sort by. leftover_wrong_time is of cards that stay after the ride or after the end of their \
            activity. age and eta_error are the largest on a screen. photo_missing_time is the time without the driver's \
            photo, stage_time the time of --stage on the screen. Default: stage_time with --stage, otherwise stale_time.
            """
    )
    var by: Criterion?

    @Option(help: "Only activities whose screen showed this stage of the ride.")
    var stage: String?

    @Option(help: "The minimum value of --by, for example 20m; with --stage, the minimum time on that stage.")
    var atLeast: String?

    @Option(help: "Count only the time of one cause, such as lost or end_lost; for stale_time and wrong_stage_time.")
    var cause: String?

    @Option(help: "The number of activities to list, 1 to 100000.", transform: wholeNumber)
    var top = 20

    @Option(
        help: "The design point of a sweep, numbered from 0 as in points.csv. Default: the point that tune selected.",
        transform: wholeNumber
    )
    var point: Int?

    @Option(
        help:
            "Number of cells to run in parallel, 1 to 1024; default: one per processor. Results do not depend on it.",
        transform: wholeNumber
    )
    var jobs = ProcessInfo.processInfo.activeProcessorCount

    @OptionGroup var memory: MemoryOption

    @Option(help: "text, or csv.")
    var format = Format.text

    enum Criterion: String, CaseIterable, ExpressibleByArgument {
        case staleTime = "stale_time"
        case wrongStageTime = "wrong_stage_time"
        case leftoverWrongTime = "leftover_wrong_time"
        case age
        case etaError = "eta_error"
        case photoMissingTime = "photo_missing_time"
        case retries
        case stageTime = "stage_time"
    }

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text
        case csv
    }

    func validate() throws {
        try limit("--top", top, to: 1...100_000)
        try limit("--jobs", jobs, to: 1...1024)
        let hasCauses = [.staleTime, .wrongStageTime].contains(criterionName)
        if cause != nil, !hasCauses {
            throw ValidationError(
                "--cause needs --by stale_time or wrong_stage_time; \(criterionName.rawValue) has no causes"
            )
        }
        if by == .stageTime, stage == nil {
            throw ValidationError("--by stage_time needs --stage, for example --stage on_trip")
        }
        if atLeast != nil, stage == nil, by == .retries {
            throw ValidationError(
                "--at-least is a duration and --by retries is a count; use --stage or another --by"
            )
        }
        _ = try least
    }

    /// The sort criterion.
    private var criterionName: Criterion { by ?? (stage == nil ? .staleTime : .stageTime) }

    /// The value of --at-least [µs]; 0 without it.
    private var least: Int64 {
        get throws {
            guard let atLeast else { return 0 }
            guard let span = ExplainCommand.duration(atLeast), span > .zero else {
                throw ValidationError("--at-least must be a duration above 0s such as 20m, got \"\(atLeast)\"")
            }
            return span.microseconds
        }
    }

    func run() async throws {
        let wanted = try wantedCause
        let history = try RecordedHistory(directory: directory, point: point)
        let place = try stagePlace(in: history.world.scenario)
        let criterion = criterion(wanted, place)
        if let problem = WorstList.problem(of: criterion, in: history.world.scenario) {
            throw CommandError("--by \(criterionName.rawValue) \(problem)", Failure.badData)
        }
        let least = try least
        let filter: ActivitySearch.Filter? =
            if let place {
                .init(.shownTime(stage: place), atLeast: least)
            } else {
                least > 0 ? .init(criterion, atLeast: least) : nil
            }
        let (top, jobs) = (top, jobs)
        let found = try await memory.limit.guarding(directory, kept: "the results are unchanged") {
            try await WorstActivities.find(
                criterion,
                count: top,
                filter: filter,
                in: history.world,
                replications: history.replications,
                jobs: jobs
            )
        }
        let list = WorstList(
            found,
            by: criterionName.rawValue,
            criterion,
            stage: place,
            of: history.world.scenario
        )
        switch format {
        case .text:
            if let point = history.point { print(point + "\n") }
            print(list.text, terminator: "")
        case .csv:
            print(list.csv, terminator: "")
        }
    }

    /// The index of the stage of --stage; `nil` without the option.
    private func stagePlace(in scenario: Scenario) throws -> Int? {
        guard let stage else { return nil }
        let names = scenario.rides.stages.map(\.name)
        guard let place = names.firstIndex(of: stage) else {
            throw CommandError(
                "--stage must name a stage of the ride, got \"\(stage)\"; \(WorstList.advice(for: stage, among: names))",
                Failure.badData
            )
        }
        return place
    }

    /// The cause of --cause; `nil` without the option.
    private var wantedCause: ActivityRecord.Cause? {
        get throws {
            guard let cause else { return nil }
            if let known = WorstList.cause(named: cause) { return known }
            throw CommandError(
                "--cause must name a cause, got \"\(cause)\"; \(WorstList.advice(forCause: cause))",
                Failure.badData
            )
        }
    }

    private func criterion(_ wanted: ActivityRecord.Cause?, _ place: Int?) -> ActivitySearch.Criterion {
        switch criterionName {
        case .staleTime: .staleTime(wanted)
        case .wrongStageTime: .wrongStageTime(wanted)
        case .leftoverWrongTime: .leftoverWrongTime
        case .age: .age
        case .etaError: .etaError
        case .photoMissingTime: .photoMissingTime
        case .retries: .retries
        case .stageTime: .shownTime(stage: place ?? 0)
        }
    }
}
