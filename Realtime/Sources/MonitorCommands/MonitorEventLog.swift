import Foundation
import InputFiles
import LiveActivityModel
import Reporting
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
        /// The file, once it has its header; -1 before.
        var file: Int32 = -1
        /// The file's numbers in the system.
        var (device, node): (UInt64, UInt64) = (0, 0)
        /// The number of bytes written so far.
        var count = 0
        /// `true` once a problem was reported, until something is written again.
        var isBroken = false
    }

    /// The system's `write`, or another in its place.
    typealias Write = @Sendable (Int32, UnsafeRawBufferPointer) -> Int

    private let path: String
    private let writer: EventLogWriter
    private let systemWrite: Write
    private let report: @Sendable (String) -> Void
    private let rows = Mutex<[ServerEvent]>([])
    private let output = Mutex(Output())

    private static let chunk = 1 << 16

    /// Opens a log for appending.
    ///
    /// - Parameter report: Called with a problem of a log that was opened.
    /// - Throws: `CommandError` if the file cannot be written, or is no log of this form.
    init(
        path: String,
        write: @escaping Write = { Foundation.write($0, $1.baseAddress, $1.count) },
        report: @escaping @Sendable (String) -> Void = { printError($0) }
    ) throws {
        (self.path, systemWrite, self.report) = (path, write, report)
        writer = EventLogWriter(EventLogFile(path).form, stages: [], origin: 0)
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

    /// Writes the rows since the last call, after those of all earlier calls.
    ///
    /// Rows that cannot be written are lost, because the monitor goes on; the problem is reported once.
    func flush() {
        output.withLock { output in
            // Within the lock, so that the rows of two calls keep their order.
            let taken = rows.withLock { rows in
                let taken = rows
                rows.removeAll(keepingCapacity: true)
                return taken
            }
            let earlier = output.count
            guard let problem = reopen(&output) ?? write(taken, to: &output) else {
                if output.count > earlier { output.isBroken = false }
                return
            }
            if !output.isBroken { report("\(path): cannot be written, so rows of the event log are lost: \(problem)") }
            output.isBroken = true
        }
    }

    /// Opens the file again if its path leads to another one, or to none; returns a problem in words.
    private func reopen(_ output: inout Output) -> String? {
        var status = stat()
        if output.file >= 0, stat(path, &status) == 0, UInt64(status.st_ino) == output.node,
            UInt64(status.st_dev) == output.device
        {
            return nil
        }
        return open(&output)
    }

    /// Opens the file and writes what must be before the next row; returns a problem in words, and then changes nothing.
    private func open(_ output: inout Output) -> String? {
        // Without O_NONBLOCK, a named pipe could wait for a reader.
        let file = Foundation.open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0o644)
        var status = stat()
        guard file >= 0, fstat(file, &status) == 0 else { return SystemFile.problem }
        var isReady = false
        defer { if !isReady { close(file) } }
        guard status.st_mode & S_IFMT == S_IFREG else { return "not a regular file" }
        if let problem = begin(file, length: Int(status.st_size), &output) { return problem }
        isReady = true
        if output.file >= 0 { close(output.file) }
        (output.file, output.device, output.node) = (file, UInt64(status.st_dev), UInt64(status.st_ino))
        return nil
    }

    /// Writes the header of a file without one, or ends the half row of a monitor that was killed.
    private func begin(_ file: Int32, length: Int, _ output: inout Output) -> String? {
        var text = EventLogText(capacity: Self.chunk + writer.longestRow)
        writer.writeHeader(to: &text)
        let header = Array(text.bytes)
        var known = [UInt8](repeating: 0, count: min(length, header.count))
        guard pread(file, &known, known.count, 0) == known.count else { return SystemFile.problem }
        guard known.elementsEqual(header.prefix(known.count)) else {
            return "its first line is not the header of an event log"
        }
        if known.count < header.count {
            // Empty, or half a header.
            guard ftruncate(file, 0) == 0 else { return SystemFile.problem }
            return header.withUnsafeBytes { append($0, to: file, &output) }
        }
        var last: UInt8 = 0
        guard length > 0, pread(file, &last, 1, off_t(length - 1)) != 1 || last != UInt8(ascii: "\n") else {
            return nil
        }
        return [UInt8(ascii: "\n")].withUnsafeBytes { append($0, to: file, &output) }
    }

    private func write(_ rows: [ServerEvent], to output: inout Output) -> String? {
        guard !rows.isEmpty else { return nil }
        var text = EventLogText(capacity: Self.chunk + writer.longestRow)
        for row in rows {
            writer.write(row, to: &text)
            guard text.count >= Self.chunk else { continue }
            if let problem = append(text.bytes, to: output.file, &output) { return problem }
            text.removeAll()
        }
        return append(text.bytes, to: output.file, &output)
    }

    /// Appends bytes, all or none; returns a problem in words.
    private func append(_ bytes: UnsafeRawBufferPointer, to file: Int32, _ output: inout Output) -> String? {
        var status = stat()
        guard fstat(file, &status) == 0 else { return SystemFile.problem }
        if let problem = SystemFile.write(bytes, to: file, by: systemWrite) {
            // The next row must not follow half a row.
            _ = ftruncate(file, status.st_size)
            return problem
        }
        output.count += bytes.count
        return nil
    }
}
