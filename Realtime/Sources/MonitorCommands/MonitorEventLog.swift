import Foundation
import LiveActivityModel
import Shell
import Synchronization
import Traces

/// The event log of a monitor, appended to a file while the monitor runs.
///
/// The monitor adds rows to a buffer; a task writes them once a second and at the end. A process that is killed therefore loses the
/// rows of its last second, and may leave half a row, which readers of logs count as broken. A file that has been moved
/// away is made again, so that logs can be rotated.
final class MonitorEventLog: Sendable {
    private struct Output {
        var file: Int32 = -1
        /// The file's number in its file system.
        var node: UInt64 = 0
        /// `true` once a problem was reported, until rows can be written again.
        var isBroken = false
    }

    private let path: String
    private let writer: EventLogWriter
    private let rows = Mutex<[ServerEvent]>([])
    private let output = Mutex(Output())

    private static let chunk = 1 << 16

    /// Opens a log for appending.
    ///
    /// - Throws: `CommandError` if the file cannot be written.
    init(path: String) throws {
        self.path = path
        writer = EventLogWriter(path.hasSuffix(".csv") ? .csv : .ndjson, stages: [], origin: 0)
        if let problem = output.withLock({ open(&$0) }) {
            throw CommandError("\(path): cannot be written: \(problem)", Failure.cannotWrite)
        }
    }

    deinit { output.withLock { if $0.file >= 0 { close($0.file) } } }

    /// Takes rows for a monitor.
    var taker: @Sendable ([ServerEvent]) -> Void { { [self] in put($0) } }

    /// Takes rows in the order of time, and returns at once.
    func put(_ more: [ServerEvent]) { rows.withLock { $0 += more } }

    /// Writes rows once a second until the task is cancelled.
    func run() async {
        while (try? await Task.sleep(for: .seconds(1))) != nil { flush() }
    }

    /// Writes the rows since the last call.
    ///
    /// Rows that cannot be written are lost, because the monitor goes on; the problem is reported once.
    func flush() {
        let taken = rows.withLock { rows in
            let taken = rows
            rows.removeAll(keepingCapacity: true)
            return taken
        }
        output.withLock { output in
            guard let problem = reopen(&output) ?? write(taken, to: &output) else {
                output.isBroken = false
                return
            }
            if !output.isBroken {
                printError("\(path): cannot be written, so rows of the event log are lost: \(problem)")
            }
            output.isBroken = true
        }
    }

    /// Opens the file again if its path leads to another one, or to none; returns a problem in words.
    private func reopen(_ output: inout Output) -> String? {
        var status = stat()
        if output.file >= 0, stat(path, &status) == 0, UInt64(status.st_ino) == output.node { return nil }
        return open(&output)
    }

    private func open(_ output: inout Output) -> String? {
        if output.file >= 0 { close(output.file) }
        output.file = Foundation.open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        var status = stat()
        guard output.file >= 0, fstat(output.file, &status) == 0 else { return String(cString: strerror(errno)) }
        output.node = UInt64(status.st_ino)
        guard status.st_size == 0 else {
            // A monitor that was killed may have left half a row.
            var last: UInt8 = 0
            let hasEnd = pread(output.file, &last, 1, status.st_size - 1) == 1 && last == UInt8(ascii: "\n")
            return hasEnd ? nil : [UInt8(ascii: "\n")].withUnsafeBytes { Self.write($0, to: output.file) }
        }
        var text = EventLogText(capacity: Self.chunk + writer.longestRow)
        writer.writeHeader(to: &text)
        return Self.write(text.bytes, to: output.file)
    }

    private func write(_ rows: [ServerEvent], to output: inout Output) -> String? {
        guard !rows.isEmpty else { return nil }
        var text = EventLogText(capacity: Self.chunk + writer.longestRow)
        for row in rows {
            writer.write(row, to: &text)
            guard text.count >= Self.chunk else { continue }
            if let problem = Self.write(text.bytes, to: output.file) { return problem }
            text.removeAll()
        }
        return Self.write(text.bytes, to: output.file)
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to file: Int32) -> String? {
        var rest = bytes
        while !rest.isEmpty {
            let count = Foundation.write(file, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return String(cString: strerror(errno)) }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        return nil
    }
}
