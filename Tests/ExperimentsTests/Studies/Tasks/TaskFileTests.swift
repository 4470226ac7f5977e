import Foundation
import LiveActivityModel
import Quantities
import SimulationKernel
import TestSupport
import Testing

@testable import ScenarioLanguage
@testable import Studies

@Suite("Task files")
struct TaskFileTests {
    private static let run = RunID(.smallPoisson)

    private static func task(cells: Range<Int> = 2..<4, replication: Int = 1, keepsCells: Bool = true) -> RunTask {
        RunTask(run: run, point: 0, replication: replication, cells: cells, keepsCells: keepsCells)
    }

    /// Fills any value with numbers of all sizes, many of them zero.
    private struct Numbers: NumberTransfer {
        var stream: TestStream

        mutating func transfer(_ number: inout Int64) {
            switch stream.next(below: 8) {
            case 0...4: number = 0
            case 5: number = stream.number(-3...3)
            case 6: number = Int64(bitPattern: stream.next())
            default: number = stream.one(of: [.min, .max, -1, 1, 63, 64, -64, -65, 1 << 62])
            }
        }
    }

    /// Changes a single number, so that a file is short.
    private struct FirstNumber: NumberTransfer {
        var isDone = false

        mutating func transfer(_ number: inout Int64) {
            if !isDone { number = 77 }
            isDone = true
        }
    }

    private func result(of task: RunTask, in world: World, seed: UInt64) -> TaskResult {
        var numbers = Numbers(stream: TestStream(seed: seed))
        let parts = (0..<(task.keepsCells ? task.cells.count : 1))
            .map { _ in
                var part = Measurements(emptyFor: world)
                part.transfer(through: &numbers)
                return part
            }
        let fingerprints = task.cells.map { _ in Fingerprint(value: numbers.stream.next()) }
        return TaskResult(
            replication: task.replication,
            cells: task.cells,
            fingerprints: fingerprints,
            measurements: parts
        )
    }

    // The values are filled through `transfer`, so a field that `transfer` omits would be zero on both sides.
    // `MeasurementsTransferTests` shows field by field that it omits none.
    @Test("Measurements are read back unchanged", .enabled(if: Loop.isFull))
    func roundTrip() throws {
        let world = try ScenarioLoader.world(.smallPoisson)
        for seed in 0..<40 as Range<UInt64> {
            let task = Self.task(keepsCells: seed.isMultiple(of: 2))
            let result = result(of: task, in: world, seed: seed)
            let data = TaskFile.data(result, of: task)
            #expect(TaskFile.isWhole(data, of: task))
            #expect(TaskFile.result(data, of: task, in: world) == result, "seed \(seed)")
            #expect(TaskFile.data(result, of: task) == data)
        }
    }

    @Test("The result of finished cells is read back, and empty measurements need little space")
    func realResult() async throws {
        let world = try ScenarioLoader.world(.smallPoisson)
        let task = Self.task(replication: 0)
        let cells = try await RunEngine.run(task.cells, of: world, replication: 0, progress: RunProgress())
        let result = TaskResult(cells, keepsCells: true)
        #expect(TaskFile.result(TaskFile.data(result, of: task), of: task, in: world) == result)
        let nothing = TaskResult(
            replication: 0,
            cells: task.cells,
            fingerprints: result.fingerprints,
            measurements: [Measurements(emptyFor: world), Measurements(emptyFor: world)]
        )
        #expect(TaskFile.data(nothing, of: task).count < 340)
    }

    @Test("A file truncated anywhere is rejected")
    func truncated() throws {
        let (data, task, world) = try small()
        for count in 0..<data.count {
            #expect(!TaskFile.isWhole(data.prefix(count), of: task))
            #expect(TaskFile.result(data.prefix(count), of: task, in: world) == nil)
        }
        #expect(!TaskFile.isWhole(data + Data([0]), of: task))
    }

    @Test("A file with any single flipped bit is rejected")
    func flippedBits() throws {
        let (data, task, _) = try small()
        for bit in 0..<(data.count * 8) {
            var other = data
            other[bit / 8] ^= 1 << (bit % 8)
            #expect(!TaskFile.isWhole(other, of: task), "bit \(bit)")
        }
    }

    @Test("A file of another task or another version is rejected")
    func others() throws {
        let (data, _, world) = try small()
        let others = [
            Self.task(cells: 2..<5), Self.task(cells: 1..<3), Self.task(replication: 2), Self.task(keepsCells: false),
            RunTask(run: RunID(Scenario()), point: 0, replication: 1, cells: 2..<4, keepsCells: true),
        ]
        for other in others {
            #expect(!TaskFile.isWhole(data, of: other))
            #expect(TaskFile.result(data, of: other, in: world) == nil)
        }
        #expect(Set(others.map(\.id)).count == others.count)
        let (own, next) = ("task \(TaskFile.formatVersion)", "task \(TaskFile.formatVersion + 1)")
        let version = Data(String(decoding: data.prefix(15), as: UTF8.self).replacing(own, with: next).utf8)
        #expect(!TaskFile.isWhole(version + data.dropFirst(15), of: Self.task()))
        // The point is no part of a task, because points that resolve to one scenario share it.
        let sharing = RunTask(run: Self.run, point: 9, replication: 1, cells: 2..<4, keepsCells: true)
        #expect(TaskFile.isWhole(data, of: sharing))
    }

    @Test("A file with the numbers of another world is rejected")
    func otherWorld() throws {
        let (data, task, world) = try small()
        var scenario = Scenario.smallPoisson
        scenario.clock.window = .minutes(5)
        let other = try ScenarioLoader.world(scenario)
        #expect(TaskFile.result(data, of: task, in: world) != nil)
        #expect(TaskFile.result(data, of: task, in: other) == nil)
    }

    private func small() throws -> (Data, RunTask, World) {
        let world = try ScenarioLoader.world(.smallPoisson)
        let task = Self.task()
        var parts = [Measurements(emptyFor: world), Measurements(emptyFor: world)]
        var numbers = FirstNumber()
        parts[1].transfer(through: &numbers)
        let result = TaskResult(
            replication: 1,
            cells: task.cells,
            fingerprints: [Fingerprint(value: 3), Fingerprint(value: .max)],
            measurements: parts
        )
        return (TaskFile.data(result, of: task), task, world)
    }
}
