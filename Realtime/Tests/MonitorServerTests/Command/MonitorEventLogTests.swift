import CommandTestSupport
import Foundation
import LiveActivityModel
import Quantities
import Synchronization
import TestSupport
import Testing

@testable import MonitorCommands

@Suite("The event log of a monitor")
struct MonitorEventLogTests {
    private let scratch = Scratch()

    private static let start: Int64 = 1_700_000_000_000_000

    private func push(_ second: Int64) -> ServerEvent {
        var event = ServerEvent(.push, at: Instant(microseconds: Self.start + second * 1_000_000), ride: .max - 7)
        (event.push, event.priority, event.payloadBytes) = (32, 5, 612)
        return event
    }

    @Test("Rows are appended, also after a restart and after half a row, and a file that was moved away is made again")
    func appends() throws {
        let header =
            "at_us,event,ride,push,kind,priority,attempt,stage,generated_us,stale_us,status,reason,outcome,payload_bytes\n"
        func row(_ second: Int64) -> String {
            let ride = "18446744073709551608"
            return "\(Self.start + second * 1_000_000),push,\(ride),\(ride)-32,update,5,0,,,,,,,612\n"
        }
        let log = try MonitorEventLog(path: scratch.path("log.csv"))
        log.put([push(0)])
        #expect(try scratch.text("log.csv") == header, "rows wait until they are written together")
        log.flush()
        log.put([push(1), push(2)])
        log.flush()
        #expect(try scratch.text("log.csv") == header + row(0) + row(1) + row(2))
        try scratch.write(header + row(0) + "17000", to: "log.csv")
        let next = try MonitorEventLog(path: scratch.path("log.csv"))
        next.put([push(3)])
        next.flush()
        #expect(try scratch.text("log.csv") == header + row(0) + "17000\n" + row(3))
        try FileManager.default.moveItem(atPath: scratch.path("log.csv"), toPath: scratch.path("old.csv"))
        next.put([push(4)])
        next.flush()
        #expect(try scratch.text("log.csv") == header + row(4))
        #expect(try scratch.text("old.csv").hasSuffix(row(3)))
    }

    /// The disk of a test: some bytes are left on it.
    private final class Disk: Sendable {
        let left = Mutex(Int.max)
        let problems = Mutex<[String]>([])

        func log(_ path: String) throws -> MonitorEventLog {
            try MonitorEventLog(
                path: path,
                write: { file, bytes in
                    let count = self.left.withLock { left in
                        let count = min(left, bytes.count)
                        left -= count
                        return count
                    }
                    guard count > 0 else {
                        errno = ENOSPC
                        return -1
                    }
                    return write(file, bytes.baseAddress, count)
                },
                report: { problem in self.problems.withLock { $0.append(problem) } }
            )
        }
    }

    @Test("A full disk loses whole rows, is reported once until rows are written again, and costs no header")
    func fullDisk() throws {
        let disk = Disk()
        let log = try disk.log(scratch.path("log.csv"))
        let header = try scratch.text("log.csv")
        log.put([push(0)])
        log.flush()
        let first = try scratch.text("log.csv")
        disk.left.withLock { $0 = 20 }
        for second in 1...3 {
            log.put([push(Int64(second))])
            log.flush()
            log.flush()
        }
        #expect(try scratch.text("log.csv") == first, "no half row is left")
        #expect(disk.problems.withLock { $0.count } == 1)
        disk.left.withLock { $0 = .max }
        log.put([push(4)])
        log.flush()
        let rows = try scratch.text("log.csv").split(separator: "\n")
        #expect(rows.count == 3 && rows[2].hasPrefix("\(Self.start + 4_000_000),push,"))
        // The file is moved away while the disk is full.
        try FileManager.default.moveItem(atPath: scratch.path("log.csv"), toPath: scratch.path("old.csv"))
        disk.left.withLock { $0 = 5 }
        log.put([push(5)])
        log.flush()
        #expect(try scratch.text("log.csv").isEmpty && disk.problems.withLock { $0.count } == 2)
        disk.left.withLock { $0 = .max }
        log.put([push(6)])
        log.flush()
        #expect(
            try scratch.text("log.csv") == header
                + scratch.text("old.csv").split(separator: "\n")[2]
                .replacing("\(Self.start + 4_000_000)", with: "\(Self.start + 6_000_000)") + "\n"
        )
    }

    @Test("A CSV with another first line and a named pipe are refused; an empty file and half a header get the header")
    func firstLine() throws {
        _ = try MonitorEventLog(path: scratch.path("new.csv"))
        let header = try scratch.text("new.csv")
        for (name, content) in [("empty.csv", ""), ("half.csv", String(header.prefix(9))), ("whole.csv", header)] {
            try scratch.write(content, to: name)
            _ = try MonitorEventLog(path: scratch.path(name))
            #expect(try scratch.text(name) == header)
        }
        try scratch.write("time,name\n1,a\n", to: "other.csv")
        try #require(mkfifo(scratch.path("pipe.csv"), 0o600) == 0)
        for (name, reason) in [("other.csv", "its first line is not the header"), ("pipe.csv", "not a regular file")] {
            let error = #expect(throws: (any Error).self) { _ = try MonitorEventLog(path: scratch.path(name)) }
            #expect("\(error.map { "\($0)" } ?? "")".contains("cannot be written: \(reason)"))
        }
        #expect(try scratch.text("other.csv") == "time,name\n1,a\n")
    }

    @Test("A file that cannot be opened ends the command")
    func unwritable() throws {
        let error = #expect(throws: (any Error).self) { _ = try MonitorEventLog(path: "/proc/none/log.ndjson") }
        #expect("\(error.map { "\($0)" } ?? "")".hasPrefix("/proc/none/log.ndjson: cannot be written: "))
    }
}
