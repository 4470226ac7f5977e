import ArgumentParser
import Experiments
import Foundation
import LiveActivityModel
import Reporting
import TextFormats

/// What a result directory is the record of, made ready to be run again.
struct RecordedHistory {
    let world: World
    let replications: UInt32
    /// The design point, in words; nil for a run.
    let point: String?

    /// - Parameter number: Which design point of a sweep or of a search, of which the one that was selected stands for nil;
    ///   nil for a run.
    init(directory: String, point asked: Int?) throws {
        let search = Self.read("\(directory)/tune.json")
        // The point that was selected, if one was.
        let selected: Int? = search?["point"]?.integer()
        if search != nil || FileManager.default.fileExists(atPath: "\(directory)/sweep.json") {
            let sweep = try ScenarioReader.results(in: directory) { (file) throws(ScenarioError) in
                try Sweep(file: file)
            }
            let number = asked ?? selected
            guard let number, let point = sweep.points.first(where: { $0.number == number }) else {
                throw CommandError(
                    "\(directory) holds \(sweep.points.count) design points: name one of them with --point, 0 to "
                        + "\(sweep.designSize - 1), as points.csv numbers them"
                        + (number.map { "; got \($0)" } ?? "")
                )
            }
            world = try sweep.world(of: point)
            // How many each point had at least.
            replications = search?["first_replications"]?.integer() ?? UInt32(sweep.replications)
            let role = number == selected ? ", which was selected" : ""
            self.point = "Design point \(number)\(role): \(point.settings(sweep.factors).joined(separator: ", "))"
            return
        }
        guard asked == nil else {
            throw CommandError(
                "\(directory) holds one run, without design points: --point is for the directories of sweeps and searches"
            )
        }
        if let other = RecordedRun.otherResults(in: directory) {
            throw CommandError("\(directory) \(other)", Failure.badData)
        }
        let loaded = try ScenarioReader.read(resultsIn: directory)
        world = try ScenarioLoader.world(loaded)
        let recorded = Self.read("\(directory)/run.json")
        // Another trace has other rides.
        if !loaded.dataFiles.isEmpty, let id = recorded?["run_id"]?.text, id != "\(RunID(world.scenario))" {
            let names = Set(loaded.dataFiles.map(\.file)).sorted().joined(separator: ", ")
            throw CommandError(
                "\(directory): must have the data that the run was made with, got other values in \(names) (run_id "
                    + "\(OneLine.excerpt(id, longest: 64)), with these \(RunID(world.scenario))); put the file of that run beside "
                    + "scenario.resolved.yaml",
                Failure.badData
            )
        }
        guard recorded?["real_time"]?.members == nil else {
            throw CommandError(
                "\(directory): a run in real time, which keeps no stories; `freshet run` with its scenario.resolved.yaml "
                    + "simulates one that has them",
                Failure.badData
            )
        }
        replications = recorded?["replications"]?.integer() ?? 1
        point = nil
    }

    /// Refuses a replication that there is not.
    func require(replication: UInt32) throws {
        guard replication < replications else {
            throw CommandError("--replication must be below the \(replications) of this run, got \(replication)")
        }
    }

    /// The members of a file; nil where there is none of the kind.
    private static func read(_ path: String) -> JSONMembers? {
        FileManager.default.contents(atPath: path).flatMap { try? JSONMembers(Array($0)) }
    }
}
