import ArgumentParser
import CommandShell
import Experiments
import Foundation
import LiveActivityModel

/// What a result directory is the record of, made ready to be run again.
struct RecordedHistory {
    let world: World
    let replications: UInt32
    /// The design point, in words; nil for a run.
    let point: String?

    /// - Parameter number: Which design point of a sweep; nil for a run.
    init(directory: String, point number: Int?) throws {
        let file = "\(directory)/scenario.resolved.yaml"
        if FileManager.default.fileExists(atPath: "\(directory)/sweep.json") {
            let sweep = try loadOrExit { () throws(ScenarioError) in try Sweep(file: file) }
            guard let number, let point = sweep.points.first(where: { $0.number == number }) else {
                printError(
                    "\(directory) holds \(sweep.points.count) design points: name one of them with --point, 0 to "
                        + "\(sweep.designSize - 1), as points.csv numbers them"
                        + (number.map { "; got \($0)" } ?? "")
                )
                throw ExitCode(64)
            }
            world = try loadOrExit { () throws(ScenarioError) in try sweep.world(of: point) }
            replications = UInt32(sweep.replications)
            self.point = "Design point \(number): \(point.settings(sweep.factors).joined(separator: ", "))"
            return
        }
        guard number == nil else {
            printError("\(directory) holds one run, without design points: --point is for the directories of sweeps")
            throw ExitCode(64)
        }
        world = try ScenarioLoader.loadOrExit(file: file, settings: [])
        let recorded = Self.recorded(directory)
        guard !recorded.isLive else {
            printError(
                "\(directory): a run in real time, which keeps no stories; `freshet run` with its scenario.resolved.yaml "
                    + "simulates one that has them"
            )
            throw Failure.badData
        }
        replications = recorded.replications
        point = nil
    }

    /// Refuses a replication that there is not.
    func require(replication: UInt32) throws {
        guard replication < replications else {
            printError("--replication must be below the \(replications) of this run, got \(replication)")
            throw ExitCode(64)
        }
    }

    /// How many replications run.json speaks of, and whether they were in real time; one simulated where there is none.
    private static func recorded(_ directory: String) -> (replications: UInt32, isLive: Bool) {
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
