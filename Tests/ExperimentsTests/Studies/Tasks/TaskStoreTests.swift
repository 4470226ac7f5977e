import Foundation
import LiveActivityModel
import SimulationKernel
import TestSupport
import Testing

@testable import ScenarioLanguage
@testable import Studies

@Suite("Task stores")
struct TaskStoreTests {
    private let directory = Scratch()
    private let store: TaskStore
    private let world: World
    private let task = RunTask(run: RunID(.smallPoisson), point: 0, replication: 0, cells: 0..<1, keepsCells: true)

    init() throws {
        store = TaskStore(path: directory.path("a/tasks"))
        world = try ScenarioLoader.world(.smallPoisson)
    }

    private var result: TaskResult {
        TaskResult(
            replication: 0,
            cells: 0..<1,
            fingerprints: [Fingerprint(value: 5)],
            measurements: [Measurements(emptyFor: world)]
        )
    }

    @Test("Stored results are found, and removed on request")
    func keeps() throws {
        #expect(!store.holds(task))
        try store.prepare()
        #expect(!store.holds(task))
        try store.keep(result, of: task)
        #expect(store.holds(task))
        #expect(store.result(of: task, in: world) == result)
        #expect(try directory.contents(of: "a/tasks").keys.sorted() == ["\(task.id).task"])
        // The same result again.
        try store.keep(result, of: task)
        try store.remove()
        #expect(!store.holds(task))
        try store.remove()
        #expect(try directory.contents(of: "a").isEmpty)
    }

    @Test("Results of another or an unknown program are discarded")
    func programs() throws {
        try store.prepare()
        try store.keep(result, of: task)
        try store.keepOnly(resultsOf: "one")
        #expect(!store.holds(task))
        try store.keep(result, of: task)
        try store.keepOnly(resultsOf: "one")
        #expect(store.holds(task))
        try store.keepOnly(resultsOf: "two")
        #expect(!store.holds(task))
    }

    @Test("An incomplete file counts as missing and is replaced")
    func damaged() throws {
        try store.prepare()
        try store.keep(result, of: task)
        let file = "\(store.path)/\(task.id).task"
        let whole = try #require(FileManager.default.contents(atPath: file))
        try whole.dropLast(3).write(to: URL(fileURLWithPath: file))
        #expect(!store.holds(task))
        #expect(store.result(of: task, in: world) == nil)
        try store.keep(result, of: task)
        #expect(FileManager.default.contents(atPath: file) == whole)
    }

    @Test("Files of killed processes are removed; files that may still be written stay")
    func leftovers() throws {
        try store.prepare()
        try store.keep(result, of: task)
        let host = try #require(TaskStoreTests.ownHost)
        // No process has an id this large: Linux ends at 2^22, macOS at 99998.
        let stays = [
            "other.task.partial-another-machine-1", "other.task.partial-\(host)-\(getpid())", "lock", "notes.txt",
        ]
        let goes = ["other.task.partial-\(host)-2000000000", "\(task.id).task.partial-another-machine-1"]
        for name in stays + goes { try directory.write("half", to: "a/tasks/\(name)") }
        try store.prepare()
        #expect(try directory.contents(of: "a/tasks").keys.sorted() == (stays + ["\(task.id).task"]).sorted())
    }

    private static var ownHost: String? {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, 255) == 0 else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    @Test("A store that cannot be written is reported with its path, and no files remain")
    func notWritable() throws {
        try directory.write("a file", to: "a")
        let prepared = #expect(throws: TaskStore.WriteError.self) { try store.prepare() }
        #expect(prepared?.description.hasPrefix(store.path) == true)
        let missing = TaskStore(path: directory.path("none"))
        #expect(throws: TaskStore.WriteError.self) { try missing.keep(result, of: task) }

        // An obstacle that cannot be replaced, at the place of the result.
        let occupied = TaskStore(path: directory.path("b"))
        try directory.write("", to: "b/\(task.id).task/in-the-way")
        let error = #expect(throws: TaskStore.WriteError.self) { try occupied.keep(result, of: task) }
        #expect(error?.description.contains("\(task.id).task: ") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: occupied.path) == ["\(task.id).task"])
    }

    @Test("Only one process at a time holds the lock of a path; a process that ends releases it")
    func lock() throws {
        let path = directory.path("lock")
        var first = StoreLock(path: path)
        #expect(first != nil)
        #expect(StoreLock(path: path) == nil)
        first = nil
        #expect(StoreLock(path: path) != nil)
        #expect(StoreLock(path: directory.path("none/lock")) == nil)
    }
}

extension RunTask {
    /// A task of a design point without levels.
    init(run: RunID, point: Int, replication: Int, cells: Range<Int>, keepsCells: Bool) {
        let point = DesignPoint(number: point, levels: [], run: run, cells: cells.count, events: 0)
        self.init(point, replication: replication, cells: cells, keepsCells: keepsCells)
    }
}
