import Evaluation
internal import Foundation
import LiveActivityModel
import ScenarioLanguage
import SimulationKernel

/// The file of a task's result: a line with its type, numbers, and their hash.
///
/// Numbers are written by ``NumberWriter``; the file of a cell of `nyc-lyft-day` takes a few tens of kilobytes.
enum TaskFile {
    /// The format version, raised if files change or if a seed means something else; older files are then ignored.
    static let formatVersion = 8

    /// A hash of the names of all measures, in order; files with other measures are ignored.
    static let measures: UInt64 = {
        var hash = Fingerprint()
        let names =
            Counter.allCases.map { "\($0)" } + Total.allCases.map { "\($0)" } + Observation.allCases.map { "\($0)" }
            + Peak.allCases.map { "\($0)" } + SeriesColumn.allCases.map { "\($0)" }
            + SegmentColumn.allCases.map { "\($0) in a segment" }
        for byte in names.joined(separator: ",").utf8 { hash.combine(UInt64(byte)) }
        return hash.value
    }()

    private static let mark = Data("freshet task \(formatVersion) \(measures.hexadecimal)\n".utf8)

    /// Returns the file of a result.
    static func data(_ result: TaskResult, of task: RunTask) -> Data {
        var writer = NumberWriter()
        var head = [
            Int64(bitPattern: task.id.value), Int64(result.replication), Int64(result.cells.lowerBound),
            Int64(result.cells.upperBound), Int64(result.measurements.count),
        ]
        for index in head.indices { writer.transfer(&head[index]) }
        for fingerprint in result.fingerprints {
            var value = Int64(bitPattern: fingerprint.value)
            writer.transfer(&value)
        }
        for var part in result.measurements {
            part.transfer(through: &writer)
        }
        let body = Data(writer.bytes())
        return mark + body + bytes(of: hash(body))
    }

    /// Returns true if a file is complete and belongs to this task.
    static func isWhole(_ data: Data, of task: RunTask) -> Bool {
        reader(of: data, of: task) != nil
    }

    /// Returns a reader positioned after the head of a file; nil if the file is incomplete or of another task.
    private static func reader(of data: Data, of task: RunTask) -> NumberReader? {
        guard data.count >= mark.count + 8, data.starts(with: mark) else { return nil }
        let body = data.dropFirst(mark.count).dropLast(8)
        guard data.suffix(8).elementsEqual(bytes(of: hash(body))) else { return nil }
        var reader = NumberReader([UInt8](body))
        var head = [Int64](repeating: 0, count: 5)
        for index in head.indices { reader.transfer(&head[index]) }
        let expected = [
            Int64(bitPattern: task.id.value), Int64(task.replication), Int64(task.cells.lowerBound),
            Int64(task.cells.upperBound), Int64(task.keepsCells ? task.cells.count : 1),
        ]
        return head == expected ? reader : nil
    }

    /// Returns the result in a file; nil if the file is incomplete or of another task.
    static func result(_ data: Data, of task: RunTask, in world: World) -> TaskResult? {
        guard var reader = reader(of: data, of: task) else { return nil }
        let partCount = task.keepsCells ? task.cells.count : 1
        let fingerprints = task.cells.map { _ in
            var value: Int64 = 0
            reader.transfer(&value)
            return Fingerprint(value: UInt64(bitPattern: value))
        }
        let measurements = (0..<partCount)
            .map { _ in
                var part = Measurements(emptyFor: world)
                part.transfer(through: &reader)
                return part
            }
        guard reader.isAtEnd else { return nil }
        return TaskResult(
            replication: task.replication,
            cells: task.cells,
            fingerprints: fingerprints,
            measurements: measurements
        )
    }

    private static func hash(_ data: Data) -> UInt64 {
        var hash = Fingerprint()
        var word: UInt64 = 0
        data.withUnsafeBytes { bytes in
            for (index, byte) in bytes.enumerated() {
                word = word << 8 | UInt64(byte)
                if index % 8 == 7 { hash.combine(word) }
            }
        }
        hash.combine(word)
        hash.combine(UInt64(data.count))
        return hash.value
    }

    private static func bytes(of value: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
    }
}
