internal import Foundation
import LiveActivityModel

/// What was planned: a scenario file with what was said beside it.
public struct Plan: Hashable, Sendable, Codable {
    /// Grows when older programs could not read a plan any more.
    static let formatVersion = 1

    var format = Plan.formatVersion
    /// The scenario file; in a plan directory, its name there.
    public var file: String
    /// `key.path=value`, in place of the file's values.
    public var settings: [String]
    /// How many replications each design point has; nil for what the file says.
    public var replications: Int?
    /// What must hold of the design points.
    public var only: [String]

    /// A plan to be written.
    public init(file: String, settings: [String], replications: Int?, only: [String]) {
        self.file = file
        self.settings = settings
        self.replications = replications
        self.only = only
    }

    /// The sweep that was planned.
    ///
    /// - Throws: As ``Sweep/init(file:settings:replications:only:)`` does.
    public func sweep() throws(ScenarioError) -> Sweep {
        try Sweep(
            file: file,
            settings: settings,
            replications: replications,
            only: only.compactMap { Condition(parsing: $0) }
        )
    }
}

/// A directory that holds a plan: the scenario with its data files, `plan.json`, and the results of tasks.
///
/// Whatever starts processes can do the tasks: they are numbered from 0, each is one call of `freshet run`, and doing one
/// twice does no harm.
public struct PlanDirectory: Hashable, Sendable {
    /// Where it is.
    public let path: String

    /// A directory, which need not exist.
    public init(path: String) {
        self.path = path
    }

    /// Why a plan cannot be written or read.
    public struct Failure: Error, CustomStringConvertible {
        /// What is wrong, with the path.
        public let description: String
    }

    /// Where the results of tasks are kept.
    public var store: TaskStore { TaskStore(path: "\(path)/tasks") }

    /// Whether a plan is there.
    public var exists: Bool { FileManager.default.fileExists(atPath: planFile) }

    private var planFile: String { "\(path)/plan.json" }

    /// Writes a plan, its scenario and its data files.
    ///
    /// - Throws: When another plan or other files are there, or the system refuses.
    public func write(_ plan: Plan, _ sweep: Sweep) throws(Failure) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        if exists {
            let other = try sweepOfPlan()
            guard other.id == sweep.id, other.tasks == sweep.tasks else {
                throw Failure(description: "\(path): holds another plan")
            }
            return
        }
        guard names.isEmpty else { throw Failure(description: "\(path): holds other files and no plan") }
        var written = plan
        written.file = "scenario.yaml"
        try attempt {
            let files = FileManager.default
            try files.createDirectory(atPath: path, withIntermediateDirectories: true)
            try files.copyItem(atPath: plan.file, toPath: "\(path)/\(written.file)")
            let directory = URL(fileURLWithPath: plan.file).deletingLastPathComponent().path
            for name in Set(sweep.dataFiles.map(\.file) + sweep.extendedFiles).sorted() where !name.hasPrefix("/") {
                guard !name.split(separator: "/").contains("..") else {
                    throw Failure(
                        description: "\(name): lies outside the scenario's directory; name it by its whole path"
                    )
                }
                let source = ["\(directory)/\(name)", name].first { files.fileExists(atPath: $0) } ?? name
                let target = "\(path)/\(name)"
                let parent = URL(fileURLWithPath: target).deletingLastPathComponent().path
                try files.createDirectory(atPath: parent, withIntermediateDirectories: true)
                try files.copyItem(atPath: source, toPath: target)
            }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            let list = PlanFile(plan: written, sweep: sweep)
            // Last: a directory without it is no plan.
            try (encoder.encode(list) + Data("\n".utf8)).write(to: URL(fileURLWithPath: planFile), options: .atomic)
        }
    }

    /// The sweep that was planned.
    ///
    /// - Throws: When there is no plan, or it is not what was planned any more.
    public func sweepOfPlan() throws(Failure) -> Sweep {
        guard let data = FileManager.default.contents(atPath: planFile) else {
            throw Failure(description: "\(path): there is no plan.json; freshet plan writes one")
        }
        guard let list = try? JSONDecoder().decode(PlanFile.self, from: data),
            list.plan.format == Plan.formatVersion
        else { throw Failure(description: "\(planFile): is no plan of this version") }
        var plan = list.plan
        plan.file = "\(path)/\(plan.file)"
        let sweep: Sweep
        do {
            sweep = try plan.sweep()
        } catch {
            throw Failure(description: "\(error)")
        }
        guard sweep.tasks.map({ "\($0.id)" }) == list.tasks.map(\.id) else {
            throw Failure(description: "\(path): the scenario or its data is not what was planned any more")
        }
        return sweep
    }

    private func attempt(_ work: () throws -> Void) throws(Failure) {
        do {
            try work()
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(description: "\(path): \(error.localizedDescription)")
        }
    }
}

/// `plan.json`: the plan, and its tasks for whoever hands them out.
private struct PlanFile: Codable {
    struct Task: Codable {
        let task: Int
        let id: String
        let point: Int
        let replication: Int
        let firstCell: Int
        let cells: Int

        enum CodingKeys: String, CodingKey {
            case task, id, point, replication, cells
            case firstCell = "first_cell"
        }
    }

    let name: String
    let plan: Plan
    let tasks: [Task]

    init(plan: Plan, sweep: Sweep) {
        name = sweep.experiment.scenario.name
        self.plan = plan
        tasks = sweep.tasks.enumerated()
            .map { number, task in
                Task(
                    task: number,
                    id: "\(task.id)",
                    point: task.point,
                    replication: task.replication,
                    firstCell: task.cells.lowerBound,
                    cells: task.cells.count
                )
            }
    }
}
