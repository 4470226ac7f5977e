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
        let search = try Self.search(in: directory)
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
            replications = try Self.firstReplications(of: search, in: directory) ?? UInt32(sweep.replications)
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
        let recorded = try RecordedRun(directory: directory)
        let loaded = try ScenarioReader.read(resultsIn: directory)
        world = try ScenarioLoader.world(loaded)
        // Another trace has other rides.
        if !loaded.dataFiles.isEmpty, recorded.id != "\(RunID(world.scenario))" {
            let names = Set(loaded.dataFiles.map(\.file)).sorted().joined(separator: ", ")
            throw CommandError(
                "\(directory): must have the data that the run was made with, got other values in \(names) (run_id "
                    + "\(OneLine.excerpt(recorded.id, longest: 64)), with these \(RunID(world.scenario))); put the file of that run beside "
                    + "scenario.resolved.yaml",
                Failure.badData
            )
        }
        guard recorded.realTime == nil else {
            throw CommandError(
                "\(directory): a run in real time, which keeps no stories; `freshet run` with its scenario.resolved.yaml "
                    + "simulates one that has them",
                Failure.badData
            )
        }
        replications = UInt32(recorded.replications)
        point = nil
    }

    /// Refuses a replication that there is not.
    func require(replication: UInt32) throws {
        guard replication < replications else {
            throw CommandError("--replication must be below the \(replications) of this run, got \(replication)")
        }
    }

    /// The result of `tune`; nil in a directory without one.
    private static func search(in directory: String) throws -> JSONMembers? {
        let file = "\(directory)/tune.json"
        do throws(InputFile.Refusal) {
            let bytes = try InputFile.bytes(of: file, limit: largestSearch)
            return try? JSONMembers(bytes)
        } catch {
            guard error != .missing else { return nil }
            throw CommandError("\(file): \(error)", Failure.badData)
        }
    }

    private static func firstReplications(of search: JSONMembers?, in directory: String) throws -> UInt32? {
        guard let count: Int = search?["first_replications"]?.integer() else { return nil }
        guard RecordedRun.replicationCounts.contains(count) else {
            let allowed = "\(RecordedRun.replicationCounts.lowerBound) … \(RecordedRun.replicationCounts.upperBound)"
            throw CommandError(
                "\(directory)/tune.json: first_replications must be a whole number, got \(count); allowed: \(allowed)",
                Failure.badData
            )
        }
        return UInt32(count)
    }

    /// Larger files are refused unread [bytes].
    private static let largestSearch = 1 << 26
}
