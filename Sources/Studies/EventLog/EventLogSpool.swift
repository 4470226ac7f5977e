import Foundation
import InputFiles
public import LiveActivityModel
public import Quantities
import Synchronization
public import TextFormats
public import Traces

/// Collects the event log of a run's first replication, or of a program in real time, and writes it in order of time.
///
/// Groups of cells run on any thread. Each writes its rows, in order, to a file of its own beside the log; then all files are
/// merged. Rows are ordered by time and ride, so the log does not depend on threads, and memory does not grow with the run. A
/// process that is killed leaves these files, `LOG.part-NUMBER.PROCESS`, and no log.
public final class EventLogSpool: Sendable {
    /// The reason why a log cannot be written.
    public struct WriteError: Error, CustomStringConvertible {
        /// The log, with the system's reason.
        public let description: String
    }

    /// `true` if the rows of phones that report what they show are written.
    public let withScreens: Bool
    /// The path of the text.
    public let path: String
    /// The name of the log in errors.
    private let log: String
    private let parts = Mutex<[Int]>([])

    /// Creates the spool of a log that will be written to a path.
    ///
    /// - Parameter log: The name of the log in errors, if it is made of the text at the path; nil if it is that text.
    public init(path: String, log: String? = nil, withScreens: Bool) {
        (self.path, self.log) = (path, log ?? path)
        self.withScreens = withScreens
    }

    private func place(_ number: Int) -> String {
        "\(path).part-\(number).\(ProcessInfo.processInfo.processIdentifier)"
    }

    /// Returns the part that takes the rows of a group of cells, or of one thread; a number is used once.
    public func part(firstCell: Int) -> Part {
        parts.withLock { $0.append(firstCell) }
        return Part(place(firstCell), of: log)
    }

    /// Merges the rows into the log and removes the parts.
    ///
    /// The log is written beside its path and renamed, so that it is whole or not there.
    ///
    /// - Returns: The number of rows.
    /// - Throws: ``WriteError``.
    @discardableResult
    public func finish(_ writer: EventLogWriter) throws -> Int {
        defer { discard() }
        let temporary = "\(path).\(ProcessInfo.processInfo.processIdentifier)"
        let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw Self.error(log) }
        var isWritten = false
        defer {
            close(file)
            if !isWritten { unlink(temporary) }
        }
        var cursors: [Cursor] = []
        for number in parts.withLock({ $0.sorted() }) {
            if let cursor = try Cursor(place(number), of: log) { cursors.append(cursor) }
        }
        var text = EventLogText(capacity: Self.chunk + writer.longestRow)
        writer.writeHeader(to: &text)
        var rows = 0
        // The next row of each part, in order. Nearly every row is followed by one of another part.
        var heads = cursors.indices.map { (row: cursors[$0].event, part: $0) }
        heads.sort { ServerEvent.precedes($0.row, $1.row) }
        while let part = heads.first?.part {
            // The rows of one part up to the first row of any other are written in one go.
            let limit = heads.count > 1 ? heads[1].row : nil
            let next = try cursors[part]
                .write(before: limit, writer, to: &text) { text in
                    try Self.write(text.bytes, to: file, log)
                    text.removeAll()
                }
            guard let next else {
                rows += cursors[part].rows
                heads.removeFirst()
                continue
            }
            var place = 0
            while place + 1 < heads.count, ServerEvent.precedes(heads[place + 1].row, next) {
                heads[place] = heads[place + 1]
                place += 1
            }
            heads[place] = (next, part)
        }
        try Self.write(text.bytes, to: file, log)
        guard rename(temporary, path) == 0 else { throw Self.error(log) }
        isWritten = true
        return rows
    }

    /// Removes the parts of a run that will not be finished.
    public func discard() {
        for number in parts.withLock({ $0 }) { unlink(place(number)) }
        parts.withLock { $0 = [] }
    }

    deinit { discard() }

    /// The size of the pieces in which the log is written [bytes].
    private static let chunk = 1 << 20

    private static func error(_ log: String, _ problem: String = SystemFile.problem) -> WriteError {
        WriteError(description: "\(log): cannot be written: \(problem)")
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to file: Int32, _ log: String) throws {
        if let problem = SystemFile.write(bytes, to: file) { throw error(log, problem) }
    }

    /// The rows of a group of cells, which are written in order as soon as no earlier row can come.
    public final class Part {
        private let path: String
        private let log: String
        private var file: Int32 = -1
        private var waiting: [ServerEvent] = []
        private var limit = Part.least

        /// The number of rows that wait before some are written; each write sorts them.
        private static let least = 1 << 17

        init(_ path: String, of log: String) { (self.path, self.log) = (path, log) }

        deinit { if file >= 0 { close(file) } }

        /// Takes the rows of a group since the last call.
        ///
        /// - Throws: ``WriteError``.
        func take(from group: inout CellGroup) throws {
            let earlier = waiting.count
            if group.takeServerEvents(into: &waiting) {
                waiting.removeFirst(earlier)
                if file >= 0, ftruncate(file, 0) != 0 || lseek(file, 0, SEEK_SET) != 0 {
                    throw EventLogSpool.error(log)
                }
            }
            if waiting.count >= limit { try write(before: group.clock) }
        }

        /// Takes rows in any order.
        ///
        /// - Parameter clock: The instant before which no row is still to come.
        /// - Throws: ``WriteError``.
        public func take(_ rows: [ServerEvent], clock: Instant) throws {
            waiting.append(contentsOf: rows)
            if waiting.count >= limit { try write(before: clock) }
        }

        /// Writes the rows that are left.
        ///
        /// - Throws: ``WriteError``.
        public func finish() throws { try write(before: .never) }

        private func write(before clock: Instant) throws {
            if file < 0 {
                file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
                guard file >= 0 else { throw EventLogSpool.error(log) }
            }
            waiting.sort(by: ServerEvent.precedes)
            let count = waiting.firstIndex { $0.at >= clock } ?? waiting.count
            try waiting[..<count].withUnsafeBytes { try EventLogSpool.write($0, to: file, log) }
            waiting.removeFirst(count)
            limit = Part.least + 2 * waiting.count
        }
    }

    /// The place in a part, with the row there.
    private final class Cursor {
        private let file: Int32
        private let log: String
        private let buffer = UnsafeMutableBufferPointer<ServerEvent>.allocate(capacity: 1 << 13)
        /// The place in the file of what follows the buffer [bytes].
        private var offset = 0
        private var position = 0
        private var filled = 0

        var event: ServerEvent { buffer[position] }

        /// Opens a part; nil if it has no row.
        init?(_ path: String, of log: String) throws {
            self.log = log
            file = open(path, O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { throw EventLogSpool.error(log) }
            guard try fill() else { return nil }
        }

        deinit {
            close(file)
            buffer.deallocate()
        }

        /// The number of rows that were written.
        private(set) var rows = 0

        /// Writes a row, and all next rows before a row of another part.
        ///
        /// - Parameter empty: Called when the text is long enough to be written to the file.
        /// - Returns: The next row; nil if none is left.
        func write(
            before limit: ServerEvent?,
            _ writer: EventLogWriter,
            to text: inout EventLogText,
            empty: (inout EventLogText) throws -> Void
        ) throws -> ServerEvent? {
            repeat {
                writer.write(buffer[position], to: &text)
                rows += 1
                position += 1
                if text.count >= EventLogSpool.chunk { try empty(&text) }
                if position == filled, try !fill() { return nil }
            } while limit.map { ServerEvent.precedes(buffer[position], $0) } ?? true
            return buffer[position]
        }

        private func fill() throws -> Bool {
            guard
                let count = SystemFile.read(into: UnsafeMutableRawBufferPointer(buffer), from: file, at: offset)
            else { throw EventLogSpool.error(log) }
            offset += count
            (position, filled) = (0, count / MemoryLayout<ServerEvent>.stride)
            return filled > 0
        }
    }
}

extension EventLogSpool.WriteError: UserError {
    public var failure: FailureKind { .cannotWrite }
}
