import ArgumentParser
import Experiments
import Foundation
import LiveActivityModel
import Reporting

/// What a result directory is the record of, made ready to be run again.
struct RecordedHistory {
    let world: World
    let replications: UInt32
    /// The design point, in words; nil for a run.
    let point: String?

    /// - Parameter number: Which design point of a sweep or of a search, of which the one that was selected stands for nil;
    ///   nil for a run.
    init(directory: String, point asked: Int?) throws {
        let file = "\(directory)/scenario.resolved.yaml"
        let search = Self.read(Search.self, "\(directory)/tune.json")
        if search != nil || FileManager.default.fileExists(atPath: "\(directory)/sweep.json") {
            let sweep = try loadOrExit { () throws(ScenarioError) in try Sweep(file: file) }
            let number = asked ?? search?.point
            guard let number, let point = sweep.points.first(where: { $0.number == number }) else {
                printError(
                    "\(directory) holds \(sweep.points.count) design points: name one of them with --point, 0 to "
                        + "\(sweep.designSize - 1), as points.csv numbers them"
                        + (number.map { "; got \($0)" } ?? "")
                )
                throw ExitCode(64)
            }
            world = try loadOrExit { () throws(ScenarioError) in try sweep.world(of: point) }
            replications = search?.replications ?? UInt32(sweep.replications)
            let role = search.map { $0.point == number ? ", which was selected" : "" } ?? ""
            self.point = "Design point \(number)\(role): \(point.settings(sweep.factors).joined(separator: ", "))"
            return
        }
        guard asked == nil else {
            printError(
                "\(directory) holds one run, without design points: --point is for the directories of sweeps and searches"
            )
            throw ExitCode(64)
        }
        world = try ScenarioLoader.loadOrExit(file: file, settings: [])
        let recorded = Self.read(Run.self, "\(directory)/run.json")
        guard recorded?.realTime == nil else {
            printError(
                "\(directory): a run in real time, which keeps no stories; `freshet run` with its scenario.resolved.yaml "
                    + "simulates one that has them"
            )
            throw Failure.badData
        }
        replications = recorded?.replications ?? 1
        point = nil
    }

    /// Refuses a replication that there is not.
    func require(replication: UInt32) throws {
        guard replication < replications else {
            printError("--replication must be below the \(replications) of this run, got \(replication)")
            throw ExitCode(64)
        }
    }

    /// What tune.json says of a search.
    private struct Search: Decodable {
        /// The point that was selected, if one was.
        let point: Int?
        /// How many replications each point had at least.
        let replications: UInt32

        private enum CodingKeys: String, CodingKey {
            case point
            case replications = "first_replications"
        }
    }

    /// What run.json says of a run.
    private struct Run: Decodable {
        struct RealTime: Decodable {}

        let replications: UInt32
        /// Nil for a simulated one.
        let realTime: RealTime?

        private enum CodingKeys: String, CodingKey {
            case replications
            case realTime = "real_time"
        }
    }

    /// What a file says; nil where there is none of the kind.
    private static func read<Value: Decodable>(_ kind: Value.Type, _ path: String) -> Value? {
        FileManager.default.contents(atPath: path).flatMap { try? JSONDecoder().decode(kind, from: $0) }
    }
}
