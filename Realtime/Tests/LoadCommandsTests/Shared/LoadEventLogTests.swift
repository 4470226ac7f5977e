import Foundation
import LiveActivityModel
import Quantities
import TestSupport
import Testing

@testable import LoadCommands

@Suite("The event log of a load")
struct LoadEventLogTests {
    @Test(
        "Rows are sorted and written apart from the thread that hands them over, and none is lost; payloads keep their size"
    )
    func apart() throws {
        let scratch = Scratch()
        let log = try LoadEventLog(path: scratch.path("log.ndjson"))
        let count = 1 << 17
        let rows = (0..<count)
            .map { number in
                var row = ServerEvent(.push, at: Instant(microseconds: Int64(count - number)), ride: 1)
                (row.push, row.payloadBytes) = (UInt32(number), 70_000)
                return row
            }
        log.consumer.suspend()
        log.taker(rows, .never)
        #expect(try scratch.contents(of: "").isEmpty, "rows wait for the consumer")
        log.consumer.resume()
        try log.finish(origin: 0)
        let lines = try scratch.text("log.ndjson").split(separator: "\n")
        #expect(lines.count == count && lines[0].hasPrefix("{\"at_us\":1,"))
        #expect(lines[0].contains("\"payload_bytes\":70000") && MemoryLayout<ServerEvent>.size <= 56)
    }
}
