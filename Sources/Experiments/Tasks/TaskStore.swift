internal import Foundation
public import LiveActivityModel

/// A directory of task results, each in a file named by the hash of what made it.
///
/// A file is written beside its place and renamed, so it is whole or not there, whatever is killed when; and it is looked
/// through by its own hash before it is believed. Several processes, on several machines, may keep results in one store: they can only
/// write the same bytes.
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
    public func prepare() throws(WriteError) {
        try writing { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
        for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
            guard let dot = name.range(of: ".partial-"), let process = pid_t(name[dot.upperBound...]),
                kill(process, 0) != 0, errno == ESRCH
            else { continue }
            try? FileManager.default.removeItem(atPath: "\(path)/\(name)")
        }
    }

    /// Whether the result of a task is there, whole.
    public func holds(_ task: RunTask) -> Bool {
        FileManager.default.contents(atPath: file(task)).map { TaskFile.isWhole($0, of: task) } ?? false
    }

    /// The result of a task; nil where it is not there, or not whole.
    public func result(of task: RunTask, in world: World) -> TaskResult? {
        FileManager.default.contents(atPath: file(task)).flatMap { TaskFile.result($0, of: task, in: world) }
    }

    /// Keeps a result.
    public func keep(_ result: TaskResult, of task: RunTask) throws(WriteError) {
        let partial = "\(file(task)).partial-\(getpid())"
        try writing {
            try TaskFile.data(result, of: task).write(to: URL(fileURLWithPath: partial))
            guard rename(partial, file(task)) == 0 else {
                throw WriteError(description: "\(file(task)): \(String(cString: strerror(errno)))")
            }
        }
    }

    /// Forgets everything.
    public func remove() throws(WriteError) {
        guard FileManager.default.fileExists(atPath: path) else { return }
        try writing { try FileManager.default.removeItem(atPath: path) }
    }

    private func file(_ task: RunTask) -> String { "\(path)/\(task.id).task" }

    private func writing(_ work: () throws -> Void) throws(WriteError) {
        do {
            try work()
        } catch let error as WriteError {
            throw error
        } catch {
            throw WriteError(description: "\(path): \(error.localizedDescription)")
        }
    }
}
