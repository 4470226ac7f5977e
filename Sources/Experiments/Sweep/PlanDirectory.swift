internal import Foundation
import LiveActivityModel
import SimulationKernel
import TextFormats

/// A directory that holds a plan: the scenario with its data files, `plan.json`, and the results of tasks.
///
/// Anything that starts processes can do the tasks: they are numbered from 0, each is one call of `freshet run`, and doing
/// one twice does no harm.
public struct PlanDirectory: Hashable, Sendable {
    /// Where it is.
    public let path: String

    /// A directory, which need not exist.
    public init(path: String) {
        self.path = path
    }

    /// Why a plan cannot be written or read.
    public enum Failure: Error, Hashable, CustomStringConvertible {
        /// There is no plan.
        case missing(String)
        /// There is a plan, and it is not what it was, or of no use to this program.
        case invalid(String)
        /// Something else is in the way, or the system refuses.
        case notWritable(String)

        /// What is wrong, with the path.
        public var description: String {
            switch self {
            case .missing(let text), .invalid(let text), .notWritable(let text): text
            }
        }
    }

    /// Where the results of tasks are kept.
    public var store: TaskStore { TaskStore(path: "\(path)/tasks") }

    private static let scenarioName = "scenario.yaml"
    private var planFile: String { "\(path)/plan.json" }
    /// Larger plans are refused unread: a million tasks take some 100 MB [bytes].
    private static let largestPlan = 1 << 30

    // MARK: - Writing

    /// Writes a plan, its scenario and its data files; does nothing where the same plan is there.
    ///
    /// All is put together in a hidden directory beside, which then gets its name: a plan is whole or not there.
    ///
    /// - Throws: When another plan or other files are there, or the system refuses.
    public func write(_ plan: Plan, _ sweep: Sweep) throws(Failure) {
        let files = FileManager.default
        if files.fileExists(atPath: planFile) {
            // Responses and checks are no part of what tasks do, but of what merging makes of them.
            let other = try self.sweep()
            guard other.id == sweep.id, other.tasks == sweep.tasks else {
                throw .notWritable("\(path): holds another plan")
            }
            return
        }
        guard ((try? files.contentsOfDirectory(atPath: path)) ?? []).isEmpty else {
            throw .notWritable("\(path): holds other files and no plan")
        }
        let place = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        let parent = place.deletingLastPathComponent().path
        let draft = "\(parent)/.\(place.lastPathComponent).partial-\(getpid())"
        defer { try? files.removeItem(atPath: draft) }
        try attempt {
            try files.createDirectory(atPath: draft, withIntermediateDirectories: true)
            try PlanDirectory.copy(plan.file, to: "\(draft)/\(PlanDirectory.scenarioName)")
            for file in Set(sweep.neededFiles).sorted() {
                try copyNeeded(file, of: plan, to: draft)
            }
            var written = plan
            written.file = PlanDirectory.scenarioName
            let list = try PlanFile(plan: written, sweep: sweep, model: PlanDirectory.model(of: sweep))
            try Data(list.json.text.utf8).write(to: URL(fileURLWithPath: "\(draft)/plan.json"))
            // Takes the place of an empty directory, and of nothing else.
            guard rename(draft, place.path) == 0 else {
                throw Failure.notWritable("\(path): \(String(cString: strerror(errno)))")
            }
        }
    }

    /// Copies a file to where the scenario of the plan will look for it.
    ///
    /// That is as far below the plan as it is below the scenario file, or below the working directory. One that is elsewhere
    /// is named by its whole path, and stays.
    private func copyNeeded(_ file: String, of plan: Plan, to draft: String) throws {
        let directory = plan.file.lastIndex(of: "/").map { plan.file[...$0] } ?? ""
        let name = file.hasPrefix(directory) ? String(file.dropFirst(directory.count)) : file
        guard !name.hasPrefix("/") else { return }
        let steps = name.split(separator: "/")
        guard !steps.contains("..") else {
            throw Failure.notWritable("\(name): lies outside the scenario's directory; name it by its whole path")
        }
        let target = "\(draft)/\(name)"
        guard !FileManager.default.fileExists(atPath: target), !["plan.json", "tasks"].contains(steps.first) else {
            throw Failure.notWritable("\(name): a plan has a file of its own by that name; rename the data file")
        }
        let parent = URL(fileURLWithPath: target).deletingLastPathComponent().path
        try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
        try PlanDirectory.copy(file, to: target)
    }

    /// Copies what a file or an example holds; a symbolic link would point nowhere on another machine.
    private static func copy(_ source: String, to target: String) throws {
        if !FileManager.default.fileExists(atPath: source), let example = ExampleFile.bytes(of: source) {
            try Data(example).write(to: URL(fileURLWithPath: target))
            return
        }
        // A pipe or a device would be copied as what it is.
        do { _ = try InputFile(source) } catch { throw Failure.invalid("\(OneLine.text(source)): \(error)") }
        let source = URL(fileURLWithPath: source).resolvingSymlinksInPath().path
        try FileManager.default.copyItem(atPath: source, toPath: target)
    }

    private func attempt(_ work: () throws -> Void) throws(Failure) {
        do {
            try work()
        } catch let failure as Failure {
            throw failure
        } catch let error as ScenarioError {
            throw .invalid("\(error)")
        } catch {
            throw .notWritable("\(path): \(SystemWords.reason(of: error))")
        }
    }

    // MARK: - Reading

    /// How many tasks there are.
    ///
    /// - Throws: When there is no plan, or none that this program can read.
    public func taskCount() throws(Failure) -> Int {
        try readList().tasks.count
    }

    /// The whole sweep that was planned.
    ///
    /// - Throws: When there is no plan, it is not what was planned any more, or another version of the model planned it.
    public func sweep() throws(Failure) -> Sweep {
        let list = try readList()
        return try layOut(list, points: nil)
    }

    /// Some tasks of the plan, with as much of the sweep as they need.
    ///
    /// Only the design points of these tasks are laid out, so that doing all tasks one by one takes no time that grows
    /// with the square of their number.
    ///
    /// - Parameter numbers: The numbers of tasks of the plan.
    /// - Throws: As ``sweep()`` does.
    /// - Precondition: The plan has such tasks.
    public func tasks(_ numbers: [Int]) throws(Failure) -> (sweep: Sweep, tasks: [RunTask]) {
        let list = try readList()
        var points = Set(numbers.map { list.tasks[$0].point })
        // The model is known by the history of the first one.
        points.insert(list.tasks[0].point)
        let sweep = try layOut(list, points: points)
        let laidOut = list.tasks.indices.filter { points.contains(list.tasks[$0].point) }
        let tasks = Dictionary(zip(laidOut, sweep.tasks)) { first, _ in first }
        return (sweep, numbers.compactMap { tasks[$0] })
    }

    private func readList() throws(Failure) -> PlanFile {
        let bytes: [UInt8]
        do {
            bytes = try InputFile.bytes(of: planFile, limit: Self.largestPlan)
        } catch {
            guard error == .missing else { throw .invalid("\(planFile): \(error)") }
            guard !FileManager.default.fileExists(atPath: "\(path)/share.json") else {
                throw .invalid("\(path): is a share of a load, no plan; `freshet load merge` puts shares together")
            }
            throw .missing("\(path): there is no plan.json; freshet plan writes one")
        }
        guard let list = PlanFile(json: bytes), !list.tasks.isEmpty else {
            throw .invalid("\(planFile): is no plan of this version")
        }
        return list
    }

    private func layOut(_ list: PlanFile, points: Set<Int>?) throws(Failure) -> Sweep {
        var plan = list.plan
        plan.file = "\(path)/\(plan.file)"
        let sweep: Sweep
        let model: String
        do throws(ScenarioError) {
            sweep = try plan.sweep(points: points)
            model = try PlanDirectory.model(of: sweep)
        } catch {
            throw .invalid("\(error)")
        }
        let planned = points.map { points in list.tasks.filter { points.contains($0.point) } } ?? list.tasks
        guard sweep.tasks.map({ "\($0.id)" }) == planned.map(\.id) else {
            throw .invalid("\(path): the scenario or its data is not what was planned any more")
        }
        guard model == list.model else {
            throw .invalid("\(path): was planned by another version of freshet, whose results would be others")
        }
        return sweep
    }

    /// The hash of the beginning of the sweep's first history, which tells versions of the model apart.
    ///
    /// A version number would have to be kept by hand, and be forgotten. What is measured of a history is not seen here:
    /// ``TaskFile/measures`` differs with that.
    private static func model(of sweep: Sweep) throws(ScenarioError) -> String {
        let world = try sweep.world(of: sweep.points[0])
        var group = CellGroup(world: world, cells: 0..<1, replication: 0, speculation: .certain)
        // Turns enough for every mechanism of a busy cell, some milliseconds.
        for _ in 0..<16 {
            guard group.run(atMost: 1024) else { break }
        }
        var hash = group.firstFingerprint
        hash.combine(group.eventCount)
        return hash.value.hexadecimal
    }
}
