import CommandTestSupport
import Foundation
import LiveActivityModel
import Quantities
import Testing

@testable import MonitorCommands

@Suite("The event log of a monitor")
struct MonitorEventLogTests {
    private static let start: Int64 = 1_700_000_000_000_000

    private func push(_ second: Int64) -> ServerEvent {
        var event = ServerEvent(.push, at: Instant(microseconds: Self.start + second * 1_000_000), ride: .max - 7)
        (event.push, event.priority, event.payloadBytes) = (32, 5, 612)
        return event
    }

    private func text(_ scratch: Scratch, _ name: String) throws -> String {
        try String(contentsOfFile: scratch.path(name), encoding: .utf8)
    }

    @Test("Rows are appended, also after a restart and after half a row, and a file that was moved away is made again")
    func appends() throws {
        let scratch = try Scratch()
        let header =
            "at_us,event,ride,push,kind,priority,attempt,stage,generated_us,stale_us,status,reason,outcome,payload_bytes\n"
        func row(_ second: Int64) -> String {
            let ride = "18446744073709551608"
            return "\(Self.start + second * 1_000_000),push,\(ride),\(ride)-32,update,5,0,,,,,,,612\n"
        }
        let log = try MonitorEventLog(path: scratch.path("log.csv"))
        log.put([push(0)])
        #expect(try text(scratch, "log.csv") == header, "rows wait until they are written together")
        log.flush()
        log.put([push(1), push(2)])
        log.flush()
        #expect(try text(scratch, "log.csv") == header + row(0) + row(1) + row(2))
        _ = try scratch.file("log.csv", header + row(0) + "17000")
        let next = try MonitorEventLog(path: scratch.path("log.csv"))
        next.put([push(3)])
        next.flush()
        #expect(try text(scratch, "log.csv") == header + row(0) + "17000\n" + row(3))
        try FileManager.default.moveItem(atPath: scratch.path("log.csv"), toPath: scratch.path("old.csv"))
        next.put([push(4)])
        next.flush()
        #expect(try text(scratch, "log.csv") == header + row(4))
        #expect(try text(scratch, "old.csv").hasSuffix(row(3)))
    }

    @Test("A file that cannot be opened ends the command")
    func unwritable() throws {
        let error = #expect(throws: (any Error).self) { _ = try MonitorEventLog(path: "/proc/none/log.ndjson") }
        #expect("\(error.map { "\($0)" } ?? "")".hasPrefix("/proc/none/log.ndjson: cannot be written: "))
    }
}
