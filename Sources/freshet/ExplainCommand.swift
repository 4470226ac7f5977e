import ArgumentParser
import CommandShell
import Experiments
import Foundation
import LiveActivityModel
import Quantities
import Reporting

/// Tells the story of one activity of a run.
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Tells the story of one activity of a run, line by line.",
        discussion: """
            Example: freshet explain results/nyc-lyft-day --activity 1234

            The activity's cell is run again from scenario and seed, with the same history; at each line stands what the \
            server then believed and what the screen then showed. report.md names activities that are worth a look.
            """
    )

    @Argument(help: "A result directory that `freshet run` has written.", completion: .directory)
    var directory: String

    @Option(help: "The activity: the number of its ride, counted from 0 in the order of requests.")
    var activity: UInt64

    @Option(help: "Which replication, counted from 0.")
    var replication: UInt32 = 0

    func run() throws {
        let world = try ScenarioLoader.loadOrExit(file: "\(directory)/scenario.resolved.yaml", settings: [])
        let (replications, isLive) = recorded
        guard !isLive else {
            printError(
                "\(directory): a run in real time, which keeps no stories; `freshet run` with its scenario.resolved.yaml "
                    + "simulates one that has them"
            )
            throw Failure.badData
        }
        guard replication < replications else {
            printError("--replication must be below the \(replications) of this run, got \(replication)")
            throw ExitCode(64)
        }
        var cell = CellSimulation(
            world: world,
            cell: CellAssignment(world, replication: replication).cell(ofRide: activity),
            replication: replication,
            watch: .ride(activity)
        )
        _ = cell.run(through: world.horizon)
        cell.finish()
        guard !cell.story.isEmpty else {
            printError(
                "there is no activity \(activity) in this run: rides are numbered from 0 in the order of requests"
            )
            throw ExitCode(64)
        }
        print(Story(cell.story, of: world.scenario).text, terminator: "")
    }

    /// How many replications run.json speaks of, and whether they were in real time; one simulated where there is none.
    private var recorded: (replications: UInt32, isLive: Bool) {
        struct RealTime: Decodable {}
        struct Run: Decodable {
            let replications: UInt32
            let realTime: RealTime?

            private enum CodingKeys: String, CodingKey {
                case replications
                case realTime = "real_time"
            }
        }
        guard let data = FileManager.default.contents(atPath: "\(directory)/run.json"),
            let run = try? JSONDecoder().decode(Run.self, from: data)
        else { return (1, false) }
        return (run.replications, run.realTime != nil)
    }
}
