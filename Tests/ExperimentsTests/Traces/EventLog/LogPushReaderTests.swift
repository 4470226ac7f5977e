import InputFiles
import LiveActivityModel
import TestSupport
import Testing

@testable import Traces

@Suite("Reads the pushes of event logs")
struct LogPushReaderTests {
    private let scratch = Scratch()

    private static func pushes(_ files: [String], _ mapping: LogMapping = LogMapping()) throws -> (
        [LogPush], LogPushReader
    ) {
        let reader = try LogPushReader(files: files, mapping: mapping)
        var pushes: [LogPush] = []
        while let push = try reader.next() { pushes.append(push) }
        return (pushes, reader)
    }

    private static let rows = """
        {"at_us":1000,"event":"ride_requested","ride":"a"}
        {"at_us":5000,"event":"push","ride":"a","push":"p","kind":"start","priority":10,"payload_bytes":900}
        {"at_us":5500,"event":"answer","ride":"a","push":"p","status":200}
        {"at_us":7001,"event":"push","ride":"b","push":"q","kind":"update","priority":5}
        {"at_us":7001,"event":"push","ride":"b","push":"q","kind":"update","priority":5}
        {"at_us":9000,"event":"push","ride":"a","push":"r","kind":"end"}
        {"at_us":9000,"event":"push","ride":"b","push":"s","kind":"retry","priority":5,"payload_bytes":0}
        not a row

        """

    @Test("Times from the first push, kinds, priorities and sizes; repeated rows once, other rows left out")
    func own() throws {
        let (pushes, reader) = try Self.pushes([scratch.write(Self.rows, to: "log.ndjson")])
        #expect(pushes.map(\.at) == [0, 2001, 4000, 4000])
        #expect(pushes.map(\.kind) == [.start, .update, .end, .retry])
        #expect(pushes.map(\.priority) == [10, 5, 10, 5])
        #expect(pushes.map(\.payloadBytes) == [900, nil, nil, nil])
        #expect(
            pushes[0].ride == pushes[2].ride && pushes[1].ride == pushes[3].ride && pushes[0].ride != pushes[1].ride
        )
        #expect(reader.origin == 5000 && reader.count == 4 && reader.withoutSize == 3)
        try reader.check(mostBadRows: 0.2)
        #expect(throws: DataFileError.self) { try reader.check(mostBadRows: 0.1) }
        #expect(
            reader.lines.dropFirst()
                .contains(
                    "4 pushes: 1 update, 1 attempt to recover, 1 end, 1 start; 2 other rows are left out."
                )
        )
        #expect(reader.lines.contains { $0.hasPrefix("1 row repeated") })
        #expect(!reader.lines.contains { $0.contains("whole seconds") })
    }

    @Test("Equal pushes have the same fingerprint in another form, and other pushes another")
    func fingerprint() throws {
        let csv = """
            at_us,event,ride,push,kind,priority,payload_bytes
            1005000,push,a,1,start,10,900
            1007001,push,b,2,update,5,
            1009000,push,a,3,end,,
            1009000,push,b,4,retry,5,
            """
        let first = try Self.pushes([scratch.write(Self.rows, to: "log.ndjson")]).1.fingerprint
        #expect(try Self.pushes([scratch.write(csv, to: "log.csv")]).1.fingerprint == first)
        let other = csv.replacing(",900", with: ",901")
        #expect(try Self.pushes([scratch.write(other, to: "other.csv")]).1.fingerprint != first)
    }

    @Test(
        "Several files and a mapping are read as by every reader of logs; a push with its answer in its row is one push"
    )
    func mapped() throws {
        let mapping = try LogMapping(
            file: scratch.write(
                "columns: {at: {column: when, unit: s}, ride: order, payload: len}\nconstants: {event: push, priority: 5}\n",
                to: "map.yaml"
            )
        )
        let one = try scratch.write("when,order,status,took_ms,len\n10,x,200,30,700\n12,y,200,20,800\n", to: "one.csv")
        let two = try scratch.write("when,order,status,took_ms,len\n11,z,410,30,\n", to: "two.csv")
        let (pushes, reader) = try Self.pushes([one, two], mapping)
        #expect(pushes.map(\.at) == [0, 1_000_000, 2_000_000])
        #expect(pushes.map(\.payloadBytes) == [700, nil, 800] && pushes.allSatisfy { $0.priority == 5 })
        #expect(reader.lines.contains { $0.contains("0 other rows are left out") })
        #expect(reader.lines.contains { $0.hasPrefix("The log has whole seconds") })
    }

    @Test(
        "A mapping may name columns of other rows than pushes, which a send log lacks; a column of pushes must be there"
    )
    func otherColumns() throws {
        let send = try scratch.write("when,ride,phase_of,apns\n10,x,,1\n12,y,,2\n", to: "send.csv")
        func mapping(_ columns: String) throws -> LogMapping {
            try LogMapping(
                file: scratch.write(
                    "columns: {at: {column: when, unit: s}, \(columns)}\nconstants: {event: push}\n",
                    to: "map.yaml"
                )
            )
        }
        for others in [
            "stage: phase", "outcome: how, stage: phase, stale: expires, generated: made, status: code, latency: took",
        ] {
            let (pushes, reader) = try Self.pushes([send], mapping("push: apns, \(others)"))
            #expect(pushes.count == 2)
            try reader.check(mostBadRows: 0)
        }
        for own in ["push: apns_id", "kind: message", "priority: urgency", "payload: length"] {
            let (_, reader) = try Self.pushes([send], mapping("stage: phase, \(own)"))
            let error = #expect(throws: DataFileError.self) { try reader.check(mostBadRows: 0) }
            let text = error?.description ?? ""
            #expect(text.contains("which no row of the log has") && !text.contains("columns.stage"), "\(text)")
        }
    }

    @Test("Rows out of order get their place; a row that is too late is sent with the push before, and is counted")
    func disorder() throws {
        var rows = "at_us,event,ride,push\n2000000,push,a,1\n1000000,push,a,2\n"
        for second in 3..<100 { rows += "\(second)000001,push,b,\(second)\n" }
        rows += "4000000,push,a,late\n"
        let (pushes, reader) = try Self.pushes([scratch.write(rows, to: "log.csv")])
        #expect(pushes.count == 100 && pushes.prefix(3).map(\.at) == [0, 1_000_000, 2_000_001])
        #expect(zip(pushes, pushes.dropFirst()).allSatisfy { $0.at <= $1.at })
        #expect(reader.lines.contains { $0.hasPrefix("1 push is in the log more than half a minute after later rows") })
    }

    @Test(
        "A slow clock in the first half minute does not begin the replay; a push before a pause, and one after another table, do"
    )
    func slowClock() throws {
        let header = "at_us,event,ride,push\n"
        func row(_ second: Int, _ push: String) -> String { "\(second)000000,push,a,\(push)\n" }
        var rows = header + row(20_000, "0") + row(10_000, "slow") + row(10_001, "slow too")
        for second in 1..<100 { rows += row(20_000 + second, "\(second)") }
        let (pushes, reader) = try Self.pushes([scratch.write(rows, to: "log.csv")])
        #expect(pushes.map(\.at) == [0, 0, 0] + (1..<100).map { $0 * 1_000_000 })
        #expect(reader.origin == 20_000_000_000 && reader.count == 102)
        #expect(reader.lines.contains { $0.hasPrefix("2 pushes are in the log more than half a minute after later") })
        // The limit counts from the first push with its place.
        let cut = try LogPushReader(files: [scratch.write(rows, to: "log.csv")], before: 50_000_000)
        while try cut.next() != nil {}
        #expect(cut.isCut && cut.count == 52)

        let pause = header + row(10_000, "alone") + (0..<50).map { row(20_000 + $0, "\($0)") }.joined()
        let (late, _) = try Self.pushes([scratch.write(pause, to: "pause.csv")])
        #expect(late.prefix(2).map(\.at) == [0, 10_000_000_000])
        // The rows of two tables, one after the other in a file.
        let tables = header + "80000000000,ride_ended,a,\n" + (0..<50).map { row($0 * 60, "\($0)") }.joined()
        #expect(
            try Self.pushes([scratch.write(tables, to: "tables.csv")]).0.map(\.at) == (0..<50).map { $0 * 60_000_000 }
        )
    }

    @Test("Other rows are counted up to the limit, without pushes and their answers that were read ahead")
    func others() throws {
        var rows = "at_us,event,ride,push,status,took_ms\n"
        for second in 1...99 {
            rows += "\(second)000000,stage,a,,,\n\(second)000001,push,a,\(second),200,5\n"
        }
        rows = rows.replacing("stage", with: "ride_requested")
        let reader = try LogPushReader(files: [scratch.write(rows, to: "log.csv")], before: 10_000_000)
        while try reader.next() != nil {}
        #expect(reader.isCut && reader.lines.contains("10 pushes: 10 updates; 10 other rows are left out."))
        #expect(reader.lines.contains { $0.hasPrefix("The replay ends before the log does") })
        let (_, whole) = try Self.pushes([scratch.write(rows + "100000000,ride_ended,a,,,\n", to: "log.csv")])
        #expect(whole.lines.contains("99 pushes: 99 updates; 100 other rows are left out."))
    }

    @Test("A priority that APNs does not have counts as 10, and is named with its first row")
    func priorities() throws {
        let rows =
            "at_us,event,ride,push,priority\n"
            + [1, 5, 10, 300, -1, 7].enumerated()
            .map { "\($0)000000,push,a,\($0),\($1)\n" }.joined() + "6000000,push,a,6,high\n7000000,push,a,7,\n"
        let file = try scratch.write(rows, to: "log.csv")
        let (pushes, reader) = try Self.pushes([file])
        #expect(pushes.map(\.priority) == [1, 5, 10, 10, 10, 10, 10, 10])
        let line = "4 rows with a priority other than 1, 5 and 10, which counts as 10, the first in \(file):5 (300)."
        #expect(reader.lines.contains(line), "\(reader.lines)")
    }

    @Test("A log without a push is refused")
    func nothing() throws {
        let log = try scratch.write("{\"at_us\":1000,\"event\":\"ride_requested\",\"ride\":\"a\"}\n", to: "log.ndjson")
        let (pushes, reader) = try Self.pushes([log])
        #expect(pushes.isEmpty)
        let error = #expect(throws: DataFileError.self) { try reader.check(mostBadRows: 1) }
        #expect(error?.description.contains("the log has no push (event push)") ?? false)
    }
}
