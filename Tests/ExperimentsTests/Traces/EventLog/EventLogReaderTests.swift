import Foundation
import InputFiles
import LiveActivityModel
import ScenarioLanguage
import SimulationKernel
import TestSupport
import Testing

@testable import Traces

@Suite("Reads event logs")
struct EventLogReaderTests {
    private let scratch = Scratch()

    static func events(_ files: [String], _ mapping: LogMapping = LogMapping()) throws -> (
        [LogEvent], EventLogReader
    ) {
        let reader = try EventLogReader(files: files, mapping: mapping)
        var events: [LogEvent] = []
        while let event = try reader.next() { events.append(event) }
        return (events, reader)
    }

    private static let rows = """
        {"at_us":1000,"event":"ride_requested","ride":"a"}
        {"at_us":2000,"event":"stage","ride":"a","stage":"matching"}
        {"at_us":3000,"event":"push","ride":"a","push":"p","kind":"retry","priority":5,"attempt":1,"generated_us":2500,"stale_us":9000}
        {"at_us":4000,"event":"answer","ride":"a","push":"p","status":429,"reason":"TooManyRequests"}
        {"at_us":5000,"event":"ride_ended","ride":"a","outcome":"cancelled"}

        """

    @Test("The format's own rows, as NDJSON and as CSV")
    func own() throws {
        let csv = """
            at_us,event,ride,push,kind,priority,attempt,stage,generated_us,stale_us,status,reason,outcome
            1000,ride_requested,a,,,,,,,,,,
            2000,stage,a,,,,,matching,,,,,
            3000,push,a,p,retry,5,1,,2500,9000,,,
            4000,answer,a,p,,,,,,,429,TooManyRequests,
            5000,ride_ended,a,,,,,,,,,,cancelled

            """
        let (events, reader) = try Self.events([scratch.write(Self.rows, to: "log.ndjson")])
        #expect(events.map(\.kind) == [.rideRequested, .stage, .push, .answer, .rideEnded])
        #expect(events.map(\.at) == [1000, 2000, 3000, 4000, 5000])
        #expect(Set(events.map(\.ride)).count == 1)
        #expect(events[2].pushKind == .retry && events[2].priority == 5 && events[2].attempt == 1)
        #expect(events[2].generatedAt == 2500 && events[2].staleDate == 9000)
        #expect(reader.cleaning.count(.noAttempt) == 0)
        let without = try Self.events([
            scratch.write(Self.rows.replacing(#""attempt":1,"#, with: ""), to: "without.ndjson")
        ])
        #expect(without.1.cleaning.count(.noAttempt) == 1 && without.1.cleaning.bad == 0)
        #expect(events[3].push == events[2].push && events[3].status == 429)
        #expect(reader.reasons[events[3].reason] == "TooManyRequests")
        #expect(events[4].isCancelled && reader.stages == ["matching"])
        #expect(reader.cleaning.bad == 0 && reader.cleaning.rows == 5)
        var others = try Self.events([scratch.write(csv, to: "log.csv")]).0
        for index in others.indices { others[index].line = events[index].line }
        #expect(others == events)
    }

    @Test("A mapping reads other names, words and units, and an answer in the row of its push")
    func mapped() throws {
        let mapping = try LogMapping(
            file: scratch.write(
                """
                columns:
                  at: {column: when, unit: ms}
                  ride: order
                  push: id
                  status: rc
                  reason: why
                  latency: took_s
                constants: {event: push}
                statuses: {GONE: 410}
                reasons: {DEAD: Unregistered}
                """,
                to: "map.yaml"
            )
        )
        let log = try scratch.write(
            "when;order;id;rc;why;took_s\n1000;x;1;OK;;0.25\n2000;x;2;GONE;DEAD;0.5\n",
            to: "sends.csv"
        )
        #expect(throws: Never.self) { _ = try Self.events([log], mapping) }
        // `OK` is no status: its row has a push, whose answer is not known.
        let (events, reader) = try Self.events([log], mapping)
        #expect(events.map(\.kind) == [.push, .push, .answer])
        #expect(events.map(\.at) == [1_000_000, 2_000_000, 2_500_000])
        #expect(events.last?.status == 410)
        #expect(reader.reasons[events.last?.reason ?? 0] == "Unregistered")
        #expect(reader.cleaning.count(.unknownStatus) == 1)
    }

    @Test("Several files are read together in the order of time, and late rows are put in their place")
    func merged() throws {
        func row(_ at: Int, _ ride: String) -> String {
            "{\"at_us\":\(at)000000,\"event\":\"ride_requested\",\"ride\":\"\(ride)\"}\n"
        }
        let one = try scratch.write(row(1, "a") + row(9, "b") + row(5, "c"), to: "one.ndjson")
        let two = try scratch.write(row(2, "d") + row(6, "e"), to: "two.ndjson")
        let (events, reader) = try Self.events([one, two])
        #expect(events.map { $0.at / 1_000_000 } == [1, 2, 5, 6, 9])
        #expect(reader.cleaning.count(.backwards) == 1)
        #expect(reader.cleaning.longestStepBack == 4_000_000)
    }

    static func row(_ at: Int64, _ ride: String) -> String {
        "{\"at_us\":\(at)000000,\"event\":\"ride_requested\",\"ride\":\"\(ride)\"}\n"
    }

    @Test("A row whose clock is ahead holds up neither its own file nor the others")
    func clockAhead() throws {
        var one = ""
        var two = ""
        for second in Int64(0)..<600 {
            one += Self.row(second, "a\(second)")
            if second == 100 { one += Self.row(500, "ahead") }
            two += Self.row(second, "b\(second)")
        }
        let (events, reader) = try Self.events([
            scratch.write(one, to: "one.ndjson"), scratch.write(two, to: "two.ndjson"),
        ])
        #expect(events.count == 1201)
        #expect(events.map(\.at) == events.map(\.at).sorted())
        #expect(reader.cleaning.count(.backwards) == 1)
    }

    @Test("Rows more than a day from all others are left out and counted, but a log may pause for days")
    func farTimes() throws {
        let (day, monday): (Int64, Int64) = (86_400, 1_784_000_000)
        var text = Self.row(0, "first")
        for second in Int64(0)..<100 {
            text += Self.row(monday + second, "a\(second)")
            if second == 50 { text += Self.row(monday + 900 * day, "later") + Self.row(7, "earlier") }
        }
        for second in Int64(0)..<100 { text += Self.row(monday + 3 * day + second, "b\(second)") }
        let (events, reader) = try Self.events([scratch.write(text, to: "log.ndjson")])
        #expect(events.count == 200)
        #expect(events.map(\.at) == events.map(\.at).sorted())
        #expect(reader.cleaning.count(.farTime) == 3 && reader.cleaning.bad == 3)
    }

    @Test("Unknown words for kinds and outcomes are counted with their meaning")
    func unknownWords() throws {
        let text = Self.rows.replacing("\"retry\"", with: "\"party\"").replacing("\"cancelled\"", with: "\"eaten\"")
        let (events, reader) = try Self.events([scratch.write(text, to: "log.ndjson")])
        #expect(events[2].pushKind == .update && !events[4].isCancelled)
        #expect(reader.cleaning.count(.unknownKind) == 1 && reader.cleaning.count(.unknownOutcome) == 1)
        #expect(reader.cleaning.bad == 0)
    }

    @Test(
        "A mapping that names a column that no file has is refused with its place",
        arguments: ["log.ndjson", "log.csv"]
    )
    func unknownColumn(name: String) throws {
        let mapping = try LogMapping(file: scratch.write("columns:\n  push: [nada, nix]\n", to: "map.yaml"))
        let log = try scratch.write(
            name.hasSuffix("csv") ? "at_us,event,ride\n1,ride_requested,a\n" : Self.rows,
            to: name
        )
        let (_, reader) = try Self.events([log], mapping)
        do {
            try reader.check(mostBadRows: 1)
            Issue.record("the log was read")
        } catch {
            #expect(
                "\(error)".contains("map.yaml:2:9: columns.push names \"nada\", \"nix\", which no row of the log has")
            )
        }
    }

    @Test("A log without an accepted push has no belief to compare")
    func unanswered() throws {
        let rows = [
            #"{"at_us":1,"event":"ride_requested","ride":"a"}"#, #"{"at_us":2,"event":"push","ride":"a","push":"p"}"#,
            #"{"at_us":3,"event":"answer","ride":"a","push":"p","status":200}"#,
        ]
        for count in 2...3 {
            let log = try scratch.write(rows.prefix(count).joined(separator: "\n") + "\n", to: "\(count).ndjson")
            let calibration = try LogCalibration.of(files: [log], name: "x")
            if count == 3 {
                try calibration.requireAnswers(of: log)
            } else {
                #expect(throws: DataFileError.self) { try calibration.requireAnswers(of: log) }
            }
        }
    }

    /// A table of one ride with a push a second, each with its answer and a cell of latency.
    private static func sends(_ latencies: [String]) -> String {
        let rows = latencies.enumerated()
            .map { "\($0.offset + 1)000,push,a,p\($0.offset),update,200,\($0.element)\n" }
        return "at_ms,event,ride,push,kind,status,latency_ms\n0,ride_requested,a,,,,\n" + rows.joined()
    }

    @Test(
        "An answer without a latency counts as an answer, and not as one after 0 s",
        arguments: [(30, 30, true), (60, 0, true), (10, 50, false), (0, 60, false)]
    )
    func noLatency(timed: Int, untimed: Int, isCalibrated: Bool) throws {
        let cells = [String](repeating: "250", count: timed) + (0..<untimed).map { $0 % 2 == 0 ? "" : "soon" }
        let log = try scratch.write(Self.sends(cells), to: "log.csv")
        let calibration = try LogCalibration.of(files: [log], name: "x")
        let digest = calibration.digest
        #expect(digest.latencies.elements.map(\.value) == [Int64](repeating: 250_000, count: timed))
        #expect(digest.acceptedCount == 60)
        #expect(digest.bins.reduce(0) { $0 + $1.timed } == timed)
        #expect(calibration.cleaning.count(.noLatency) == untimed && calibration.cleaning.bad == 0)
        #expect(calibration.incidents.incidents.isEmpty)
        #expect(calibration.yaml.contains("request_time: 250ms") == isCalibrated)
        #expect(!calibration.yaml.contains("request_time: 0"))
        let assumption = calibration.assumptions.first { $0.sentence.hasPrefix("request_time") }
        #expect(
            assumption.map { $0.sentence.contains("\(timed) of 60 accepted answers have a latency") }
                == (isCalibrated ? nil : true)
        )
    }

    @Test(
        "An answer without a status is unknown in a log without statuses, and no answer in a log with them",
        arguments: ["", ",status"]
    )
    func noStatus(column: String) throws {
        let end = column.isEmpty ? "\n" : ",\n"
        let rows = ["1,ride_requested,a,", "2,push,a,p", "3,answer,a,p"].map { $0 + end }
        let log = try scratch.write("at_ms,event,ride,push\(column)\n" + rows.joined(), to: "log.csv")
        let (events, reader) = try Self.events([log])
        #expect(events.map(\.kind) == [.rideRequested, .push] + (column.isEmpty ? [] : [.answer]))
        #expect(reader.cleaning.count(.unknownStatus) == (column.isEmpty ? 1 : 0))
        #expect(reader.cleaning.bad == reader.cleaning.count(.unknownStatus))
        let json = Self.rows.replacing(",\"status\":429", with: "")
        #expect(try Self.events([scratch.write(json, to: "log.ndjson")]).1.cleaning.count(.unknownStatus) == 1)
        let null = Self.rows.replacing("\"status\":429", with: "\"status\":null")
        #expect(try Self.events([scratch.write(null, to: "null.ndjson")]).0[3].status == 0)
    }

    @Test(
        "Events that wait come in the order of time, then of their kind, then in that of their rows",
        arguments: 1...20 as ClosedRange<UInt64>
    )
    func queue(seed: UInt64) {
        let random = RandomSource(seed: seed, replication: 0)
        var queue = LogEventQueue()
        var left: [LogEvent] = []
        for number in 0..<400 {
            let draws = random.draws(entity: UInt64(number), purpose: 0, index: 0)
            // Half of the seeds are nearly in order; the others are not.
            let at = Int64(number) + Int64(draws.first >> 32) % (seed % 2 == 0 ? 3 : 300)
            var event = LogEvent(draws.second % 2 == 0 ? .push : .answer, at: at, ride: 1)
            event.line = number
            queue.add(event)
            left.append(event)
            guard draws.second >> 8 % 3 == 0 else { continue }
            let first = left.indices.min {
                (left[$0].at, left[$0].kind.rawValue, left[$0].line) < (
                    left[$1].at, left[$1].kind.rawValue, left[$1].line
                )
            }
            guard let first else { continue }
            #expect(queue.first?.line == left[first].line)
            #expect(queue.popFirst(before: left[first].at) == nil)
            #expect(queue.popFirst(before: left[first].at + 1)?.line == left[first].line)
            left.remove(at: first)
        }
        left.sort { ($0.at, $0.kind.rawValue, $0.line) < ($1.at, $1.kind.rawValue, $1.line) }
        #expect(queue.count == left.count)
        #expect(left.allSatisfy { queue.popFirst()?.line == $0.line } && queue.popFirst() == nil)
    }

    @Test("With more answers to come than a file may have, those beyond are left out and counted")
    func lateAnswers() throws {
        // A push a millisecond, with a latency in the wrong unit.
        let rows = (1...EventLogReader.mostAnswers + 3).map { "\($0),push,a,p\($0),200,80000000\n" }
        let log = try scratch.write("at_ms,event,ride,push,status,latency_ms\n" + rows.joined(), to: "log.csv")
        let (events, reader) = try Self.events([log])
        #expect(events.count { $0.kind == .answer } == EventLogReader.mostAnswers)
        #expect(reader.cleaning.count(.lateAnswer) == 3 && reader.cleaning.bad == 0)
    }

    @Test("Empty files, logs without requests and logs without a usable row are refused")
    func refused() throws {
        let push = #"{"at_us":1,"event":"push","ride":"a","push":"p"}"# + "\n"
        for (text, reason) in [
            ("", "the log has no rows"), (push, "the log has no request of a ride"),
            ("{broken\n", "1 of 1 rows cannot be used"),
        ] {
            let log = try scratch.write(text, to: "log.ndjson")
            do {
                _ = try LogCalibration.of(files: [log], mostBadRows: 1, name: "again")
                Issue.record("the log was read")
            } catch {
                #expect("\(error)".contains(reason), "\(error)")
            }
        }
    }

    @Test("A log with nothing but requests of rides gives a scenario of assumptions that loads")
    func onlyRequests() throws {
        let log = try scratch.write((Int64(0)..<50).map { Self.row($0, "a\($0)") }.joined(), to: "log.ndjson")
        let calibration = try LogCalibration.of(files: [log], name: "again")
        #expect(throws: Never.self) { _ = try ScenarioReader.read(yaml: calibration.yaml, named: "again.yaml") }
        #expect(calibration.assumptions.contains { $0.sentence.contains("activities_enabled") })
    }

    @Test("Times with an offset are on the clock of the mapping")
    func zones() throws {
        let mapping = try LogMapping(file: scratch.write("time_zone: Europe/Berlin\n", to: "map.yaml"))
        let log = try scratch.write(
            #"{"at":"2026-07-14T06:00:00Z","event":"ride_requested","ride":"a"}"#,
            to: "log.ndjson"
        )
        let (events, _) = try Self.events([log], mapping)
        #expect(CivilTime.timeOfDay(events[0].at) == 8 * 3_600_000_000)
    }

    @Test("A mapping that gives one column to two fields is refused with both")
    func sharedColumn() throws {
        let file = try scratch.write(
            "columns:\n  ride: uid\n  push: [apns, uid]\n  at: {column: t, unit: ms}\n",
            to: "map.yaml"
        )
        do {
            _ = try LogMapping(file: file)
            Issue.record("the mapping was read")
        } catch {
            #expect(
                "\(error)"
                    .contains(
                        "map.yaml:3:9: columns.push names \"uid\", which is the column of columns.ride; a column is one field"
                    ),
                "\(error)"
            )
        }
    }

    @Test(
        "A compressed file is refused with its format",
        arguments: zip(
            [[0x1F, 0x8B, 8], [0x28, 0xB5, 0x2F, 0xFD], [0x50, 0x4B, 3, 4]] as [[UInt8]],
            ["gzip", "Zstandard", "ZIP"]
        )
    )
    func compressed(bytes: [UInt8], format: String) throws {
        let log = try scratch.write("", to: "log.csv.gz")
        try Data(bytes).write(to: URL(fileURLWithPath: log))
        do {
            _ = try EventLogReader(files: [log])
            Issue.record("the log was read")
        } catch {
            #expect("\(error)".contains("log.csv.gz: is compressed with \(format), must be"), "\(error)")
        }
    }

    @Test("A repeated row of a push with its answer counts once")
    func repeatedWithAnswer() throws {
        let rows = Self.sends(["250", "250"]).split(separator: "\n")
        let log = try scratch.write((rows + rows.dropFirst(2)).joined(separator: "\n") + "\n", to: "log.csv")
        let calibration = try LogCalibration.of(files: [log], name: "x")
        #expect(calibration.cleaning.count(.duplicate) == 2)
        #expect(calibration.digest.bins.reduce(0) { $0 + $1.pushes } == 2 && calibration.digest.acceptedCount == 2)
    }

    @Test("A scenario of samples says so", arguments: [(20_000, false), (20_001, true)])
    func samples(count: Int, isSample: Bool) throws {
        let log = try scratch.write(Self.sends([String](repeating: "250", count: count)), to: "log.csv")
        let calibration = try LogCalibration.of(files: [log], name: "x")
        #expect(calibration.yaml.contains("n = 20000, a uniform sample of 20001") == isSample)
    }

    @Test("Broken rows, unknown events and missing times are counted, with the first place, and too many are refused")
    func broken() throws {
        let bad = """
            {"at_us": broken
            {"at_us":1,"event":"party","ride":"a"}
            {"event":"stage","ride":"a","stage":"s"}
            {"at_us":1,"event":"stage","stage":"s"}

            """
        let log = try scratch.write(Self.rows + bad, to: "log.ndjson")
        let (events, reader) = try Self.events([log])
        #expect(events.count == 5)
        for finding in [LogCleaning.Finding.broken, .unknownEvent, .noTime, .noRide] {
            #expect(reader.cleaning.count(finding) == 1)
        }
        #expect(reader.cleaning.lines.contains { $0.contains("log.ndjson:6 (is not a JSON object)") })
        #expect(throws: Never.self) { try reader.check(mostBadRows: 0.5) }
        #expect(throws: DataFileError.self) { try reader.check(mostBadRows: 0.1) }
    }

    @Test("Half a row at the end of a file is one broken row")
    func half() throws {
        let (events, reader) = try Self.events([scratch.write(Self.rows + #"{"at_us":60"#, to: "log.ndjson")])
        #expect(events.count == 5 && reader.cleaning.count(.broken) == 1)
    }

    @Test("A table without the columns that an event needs is refused with all of them")
    func columns() throws {
        let log = try scratch.write("color,size\nred,1\n", to: "log.csv")
        do {
            _ = try EventLogReader(files: [log])
            Issue.record("the log was read")
        } catch {
            for name in ["at", "event", "ride"] { #expect("\(error)".contains("no column for \(name)")) }
        }
    }

    @Test("All problems of a mapping are reported with their places")
    func mappingProblems() throws {
        let file = try scratch.write(
            "colums: {}\ncolumns: {when: x, at: {unit: ms}}\nevents: {a: b}\ntime_zone: Mars\nstatuses: {x: 1000}\n",
            to: "map.yaml"
        )
        do {
            _ = try LogMapping(file: file)
            Issue.record("the mapping was read")
        } catch {
            let text = "\(error)"
            for part in [
                "map.yaml:1:1", "columns", "when is not a field", "columns.at must have a column", "events.a",
                "time_zone", "100 … 599",
            ] {
                #expect(text.contains(part), "\(part) in \(text)")
            }
        }
    }
}
