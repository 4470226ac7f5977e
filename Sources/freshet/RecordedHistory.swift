import ArgumentParser
import Foundation
import InputFiles
import LiveActivityModel
import Results
import ScenarioLanguage
import Shell
import Studies
import TextFormats

/// The world that produced a result directory, ready to be simulated again.
struct RecordedHistory {
    let world: World
    let replications: UInt32
    /// The design point, in words; nil for a run.
    let point: String?

    /// - Parameter asked: The design point of a sweep or search; `nil` for a run, or for the point that a search selected.
    init(directory: String, point asked: Int?) throws {
        let search = try Self.search(in: directory)
        // The selected point, if there is one.
        let selected: Int? = search?["point"]?.integer()
        if search != nil || FileManager.default.fileExists(atPath: "\(directory)/sweep.json") {
            let sweep = try Sweep(ScenarioReader.read(resultsIn: directory))
            let number = asked ?? selected
            guard let number, let point = sweep.points.first(where: { $0.number == number }) else {
                throw CommandError(
                    "\(directory) holds \(sweep.points.count) design points: name one of them with --point, 0 to "
                        + "\(sweep.designSize - 1), as points.csv numbers them"
                        + (number.map { "; got \($0)" } ?? "")
                )
            }
            world = try sweep.world(of: point)
            // The smallest number of replications of any point.
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
        if let other = Provenance.otherResults(in: directory) {
            throw CommandError("\(directory) \(other)", Failure.badData)
        }
        let recorded = try RecordedResults(directory: directory)
        let loaded = try ScenarioReader.read(resultsIn: directory)
        world = try ScenarioLoader.world(loaded)
        // A different trace contains different rides.
        if !loaded.dataFiles.isEmpty, recorded.id != "\(RunID(world.scenario))" {
            let names = Set(loaded.dataFiles.map(\.file)).sorted().joined(separator: ", ")
            throw CommandError(
                "\(directory): must have the data of the run, got other values in \(names) (run_id "
                    + "\(OneLine.excerpt(recorded.id, longest: 64)), with these \(RunID(world.scenario))); put the file of that run beside "
                    + "scenario.resolved.yaml",
                Failure.badData
            )
        }
        guard recorded.realTime == nil else {
            throw CommandError(
                "\(directory): a live run, which records no event histories; simulate it with `freshet run` and its "
                    + "scenario.resolved.yaml",
                Failure.badData
            )
        }
        replications = UInt32(recorded.replications)
        point = nil
    }

    /// Refuses a replication that does not exist.
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
        guard RecordedResults.replicationCounts.contains(count) else {
            let allowed =
                "\(RecordedResults.replicationCounts.lowerBound) … \(RecordedResults.replicationCounts.upperBound)"
            throw CommandError(
                "\(directory)/tune.json: first_replications must be a whole number, got \(count); allowed: \(allowed)",
                Failure.badData
            )
        }
        return UInt32(count)
    }

    /// The largest accepted file [bytes].
    private static let largestSearch = 1 << 26
}
