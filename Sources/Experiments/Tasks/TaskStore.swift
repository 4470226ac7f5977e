internal import Foundation
public import LiveActivityModel

/// A directory of task results, each in a file named by the hash of what made it.
///
/// A file is written beside its place and renamed, so it is whole or not there, and its own hash is checked before it is
/// used. Several processes, on several machines, may keep results in one store: they can only write the same bytes.
public struct TaskStore: Hashable, Sendable {
    /// Where the files are.
    public let path: String

    /// A store in a directory, which need not exist.
    public init(path: String) {
        self.path = path
    }

    /// Why a result could not be kept.
    public struct WriteError: Error, CustomStringConvertible {
        /// What the system said, with the path.
        public let description: String
    }

    /// Makes the directory, and takes away what killed processes left half-written.
    ///
    /// What processes on other machines have begun stays until its task has a result: they may still run.
    public func prepare() throws(WriteError) {
        // A plan may come from others: its results must not go where a link leads.
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

    /// Forgets all results if another program made them, which may have had another model.
    ///
    /// - Parameter program: A hash of the program that is running; empty if it is not known.
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

    /// Whether the result of a task is there, whole.
    public func holds(_ task: RunTask) -> Bool {
        contents(of: task).map { TaskFile.isWhole($0, of: task) } ?? false
    }

    /// The result of a task; nil where it is not there, or not whole.
    public func result(of task: RunTask, in world: World) -> TaskResult? {
        contents(of: task).flatMap { TaskFile.result($0, of: task, in: world) }
    }

    private func contents(of task: RunTask) -> Data? {
        (try? InputFile.bytes(of: file(task), limit: Self.largestResult)).map { Data($0) }
    }

    /// Keeps a result.
    public func keep(_ result: TaskResult, of task: RunTask) throws(WriteError) {
        let partial = file(task) + TaskStore.partialMark + TaskStore.owner
        let data = TaskFile.data(result, of: task)
        do throws(WriteError) {
            try writing { try data.write(to: URL(fileURLWithPath: partial)) }
            guard rename(partial, file(task)) == 0 else {
                throw WriteError(description: "\(file(task)): \(String(cString: strerror(errno)))")
            }
        } catch {
            unlink(partial)
            // Another process may have come first, and have tidied up.
            guard !holds(task) else { return }
            throw error
        }
    }

    /// Forgets everything.
    public func remove() throws(WriteError) {
        guard FileManager.default.fileExists(atPath: path) else { return }
        try writing { try FileManager.default.removeItem(atPath: path) }
    }

    private static let suffix = ".task"
    /// No task has a larger result [bytes].
    private static let largestResult = 1 << 32
    private static let partialMark = ".partial-"

    /// Who writes: machines may share a store, and number their processes alike.
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
