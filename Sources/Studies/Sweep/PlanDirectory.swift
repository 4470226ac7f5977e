internal import Foundation
import InputFiles
import LiveActivityModel
import ScenarioLanguage
import SimulationKernel
public import TextFormats

/// A directory that holds a plan: the scenario with its data files, `plan.json`, and the results of tasks.
///
/// Any scheduler can run the tasks. They are numbered from 0, each is one call of `freshet run`, and running one twice
/// does no harm.
public struct PlanDirectory: Hashable, Sendable {
    /// The path of the directory.
    public let path: String

    /// Creates a plan directory; it need not exist.
    public init(path: String) {
        self.path = path
    }

    /// The reason why a plan cannot be written or read.
    public enum Failure: Error, Hashable, CustomStringConvertible {
        /// There is no plan.
        case missing(String)
        /// The plan is not what was planned, or this program cannot use it.
        case invalid(String)
        /// Something else is in the way, or the system reports an error.
        case notWritable(String)

        /// The error, with the path.
        public var description: String {
            switch self {
            case .missing(let text), .invalid(let text), .notWritable(let text): text
            }
        }
    }

    /// The store of the tasks' results.
    public var store: TaskStore { TaskStore(path: "\(path)/tasks") }

    private static let scenarioName = "scenario.yaml"
    private var planFile: String { "\(path)/plan.json" }
    /// The largest size of a plan; larger ones are rejected unread.
    ///
    /// A million tasks take about 100 MB [bytes].
    private static let largestPlan = 1 << 30

    // MARK: - Writing

    /// Writes a plan, its scenario and its data files; does nothing if the same plan is there already.
    ///
    /// All files are written to a hidden directory beside it, which is then renamed. So a plan is complete or absent.
    ///
    /// - Throws: ``Failure`` if another plan or other files are there, or the system reports an error.
    public func write(_ plan: Plan, _ sweep: Sweep) throws(Failure) {
        let files = FileManager.default
        if files.fileExists(atPath: planFile) {
            // Responses and checks only matter for merging, not for tasks.
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
            // Replaces an empty directory only.
            guard rename(draft, place.path) == 0 else {
                throw Failure.notWritable("\(path): \(String(cString: strerror(errno)))")
            }
        }
    }

    /// Copies a file to the place where the scenario of the plan will look for it.
    ///
    /// The place is as far below the plan as the file is below the scenario file, or below the working directory. A
    /// file elsewhere is named by its absolute path, and stays there.
    private func copyNeeded(_ file: String, of plan: Plan, to draft: String) throws {
        let directory = plan.file.lastIndex(of: "/").map { plan.file[...$0] } ?? ""
        let name = file.hasPrefix(directory) ? String(file.dropFirst(directory.count)) : file
        guard !name.hasPrefix("/") else { return }
        let steps = name.split(separator: "/")
        guard !steps.contains("..") else {
            throw Failure.notWritable("\(name): is outside the scenario's directory; use its absolute path")
        }
        let target = "\(draft)/\(name)"
        guard !FileManager.default.fileExists(atPath: target), !["plan.json", "tasks"].contains(steps.first) else {
            throw Failure.notWritable("\(name): the plan itself has a file of this name; rename the data file")
        }
        let parent = URL(fileURLWithPath: target).deletingLastPathComponent().path
        try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
        try PlanDirectory.copy(file, to: target)
    }

    /// Copies the contents of a file or an example; a symbolic link would be broken on another machine.
    private static func copy(_ source: String, to target: String) throws {
        if !FileManager.default.fileExists(atPath: source), let example = ExampleFile.bytes(of: source) {
            try Data(example).write(to: URL(fileURLWithPath: target))
            return
        }
        // A pipe or a device would be copied as such.
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

    /// Returns the number of tasks.
    ///
    /// - Throws: ``Failure`` if there is no plan, or none that this program can read.
    public func taskCount() throws(Failure) -> Int {
        try readList().tasks.count
    }

    /// Returns the whole planned sweep.
    ///
    /// - Throws: ``Failure`` if there is no plan, if its inputs have changed, or if another version of the model
    ///   planned it.
    public func sweep() throws(Failure) -> Sweep {
        let list = try readList()
        return try layOut(list, points: nil)
    }

    /// Returns some tasks of the plan, with the parts of the sweep that they need.
    ///
    /// Only their design points are laid out, so that the total time of running all tasks one by one does
    /// not grow with the square of their number.
    ///
    /// - Parameter numbers: The numbers of tasks of the plan.
    /// - Throws: As for ``sweep()``.
    /// - Precondition: The plan has these tasks.
    public func tasks(_ numbers: [Int]) throws(Failure) -> (sweep: Sweep, tasks: [RunTask]) {
        let list = try readList()
        var points = Set(numbers.map { list.tasks[$0].point })
        // The history of the first point identifies the model.
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
                throw .invalid("\(path): is a share of a load, not a plan; `freshet load merge` merges shares")
            }
            throw .missing("\(path): there is no plan.json; freshet plan writes one")
        }
        guard let list = PlanFile(json: bytes), !list.tasks.isEmpty else {
            throw .invalid("\(planFile): is not a plan of this version")
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
            throw .invalid("\(path): the scenario or its data has changed since it was planned")
        }
        guard model == list.model else {
            throw .invalid("\(path): was planned by another version of freshet, whose results would differ")
        }
        return sweep
    }

    /// Returns the hash of the beginning of the sweep's first history, which identifies the version of the model.
    ///
    /// A version number would have to be maintained by hand, and would be forgotten. The hash does not cover the
    /// measurements of a history, which ``TaskFile/measures`` does.
    private static func model(of sweep: Sweep) throws(ScenarioError) -> String {
        let world = try sweep.world(of: sweep.points[0])
        var group = CellGroup(world: world, cells: 0..<1, replication: 0, speculation: .none)
        // The number of rounds is enough for every mechanism of a busy cell and takes a few milliseconds.
        for _ in 0..<16 {
            guard group.run(atMost: 1024) else { break }
        }
        var hash = group.firstFingerprint
        hash.combine(group.eventCount)
        return hash.value.hexadecimal
    }
}

extension PlanDirectory.Failure: UserError {
    public var failure: FailureKind {
        switch self {
        case .missing: .inputMissing
        case .invalid: .badData
        case .notWritable: .cannotWrite
        }
    }
}
