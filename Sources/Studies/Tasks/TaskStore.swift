internal import Foundation
import InputFiles
import LiveActivityModel
public import TextFormats

/// A directory of task results, each in a file named by a hash of its inputs.
///
/// A file is written beside its place and renamed, so it is complete or missing, and its own hash is checked before
/// use. Several processes on several machines may share a store, because they can only write the same bytes.
public struct TaskStore: Hashable, Sendable {
    /// The path of the directory.
    public let path: String

    /// Creates a store in a directory, which need not exist.
    public init(path: String) {
        self.path = path
    }

    /// Creates the store of results that are not complete: a hidden directory beside theirs, removed at the end.
    public init(beside results: String) {
        let place = URL(fileURLWithPath: results)
        self.init(path: place.deletingLastPathComponent().path + "/.\(place.lastPathComponent).tasks")
    }

    /// The number of results; 0 if the directory does not exist.
    public var count: Int {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).count { $0.hasSuffix(TaskStore.suffix) }
    }

    /// The reason why a result could not be stored.
    public struct WriteError: Error, CustomStringConvertible {
        /// The system's message, with the path.
        public let description: String
    }

    /// Creates the directory, and removes files that killed processes left incomplete.
    ///
    /// Incomplete files of processes on other machines stay until their task has a result, because those processes may
    /// still run.
    public func prepare() throws(WriteError) {
        // A plan may come from elsewhere, so its results must not follow a link.
        var status = stat()
        guard lstat(path, &status) != 0 || status.st_mode & S_IFMT != S_IFLNK else {
            throw WriteError(description: "\(path): is a symbolic link, must be a directory")
        }
        try writing { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        let results = Set(names.filter { $0.hasSuffix(TaskStore.suffix) })
        for name in names {
            guard let mark = name.range(of: TaskStore.partialMark) else { continue }
            let isOver =
                results.contains(String(name[..<mark.lowerBound]))
                || TaskStore.isOfDeadProcess(owner: name[mark.upperBound...])
            if isOver { try? FileManager.default.removeItem(atPath: "\(path)/\(name)") }
        }
    }

    /// Removes all results if they come from another program, which may have another model.
    ///
    /// - Parameter program: A hash of the running program; empty if unknown.
    public func keepOnly(resultsOf program: String) throws(WriteError) {
        let mark = "\(path)/program"
        let maker = (try? InputFile.bytes(of: mark, limit: 1 << 10)).map { String(decoding: $0, as: UTF8.self) }
        guard maker != program else { return }
        try writing {
            for name in try FileManager.default.contentsOfDirectory(atPath: path) where name.hasSuffix(TaskStore.suffix)
            {
                try FileManager.default.removeItem(atPath: "\(path)/\(name)")
            }
            try Data(program.utf8).write(to: URL(fileURLWithPath: mark), options: .atomic)
        }
    }

    /// Returns true if a complete result of the task exists.
    func holds(_ task: RunTask) -> Bool {
        contents(of: task).map { TaskFile.isWhole($0, of: task) } ?? false
    }

    /// Returns the result of a task; nil if it is missing or incomplete.
    func result(of task: RunTask, in world: World) -> TaskResult? {
        contents(of: task).flatMap { TaskFile.result($0, of: task, in: world) }
    }

    private func contents(of task: RunTask) -> Data? {
        (try? InputFile.bytes(of: file(task), limit: Self.largestResult)).map { Data($0) }
    }

    /// Stores a result.
    func keep(_ result: TaskResult, of task: RunTask) throws(WriteError) {
        let partial = file(task) + TaskStore.partialMark + TaskStore.owner
        let data = TaskFile.data(result, of: task)
        do throws(WriteError) {
            try writing { try data.write(to: URL(fileURLWithPath: partial)) }
            guard rename(partial, file(task)) == 0 else {
                throw WriteError(description: "\(file(task)): \(String(cString: strerror(errno)))")
            }
        } catch {
            unlink(partial)
            // Another process may have been first and have cleaned up.
            guard !holds(task) else { return }
            throw error
        }
    }

    /// Removes everything.
    public func remove() throws(WriteError) {
        guard FileManager.default.fileExists(atPath: path) else { return }
        try writing { try FileManager.default.removeItem(atPath: path) }
    }

    private static let suffix = ".task"
    /// The maximum size of a task's result [bytes].
    private static let largestResult = 1 << 32
    private static let partialMark = ".partial-"

    /// The owner of temporary files; machines that share a store may use the same process ids.
    private static let owner = "\(host)-\(getpid())"

    private static let host: String = {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "unnamed" }
        let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self).replacing("/", with: "_")
    }()

    private static func isOfDeadProcess(owner: Substring) -> Bool {
        guard let dash = owner.lastIndex(of: "-"), owner[..<dash] == host,
            let process = pid_t(owner[owner.index(after: dash)...]), process > 0
        else { return false }
        return kill(process, 0) != 0 && errno == ESRCH
    }

    private func file(_ task: RunTask) -> String { "\(path)/\(task.id)\(TaskStore.suffix)" }

    private func writing(_ work: () throws -> Void) throws(WriteError) {
        do {
            try work()
        } catch let error as WriteError {
            throw error
        } catch {
            throw WriteError(description: "\(path): \(SystemWords.reason(of: error))")
        }
    }
}

extension TaskStore.WriteError: UserError {
    public var failure: FailureKind { .cannotWrite }
}
