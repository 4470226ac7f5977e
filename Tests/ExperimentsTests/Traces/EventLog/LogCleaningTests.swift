import Foundation
import InputFiles
import TestSupport
import Testing
import TextFormats

@testable import Traces

@Suite("States what is wrong with the times of event logs")
struct LogCleaningTests {
    private let scratch = Scratch()

    @Test(
        "Rows that come too late for their place are counted apart, and more of them than may be unusable are refused",
        arguments: [(late: 0, isRefused: false), (25, false), (27, true)]
    )
    func late(late: Int, isRefused: Bool) throws {
        var text = ""
        for second in Int64(0)..<500 {
            // Eight seconds of disorder are put right.
            text += EventLogReaderTests.row(1000 + (second % 2 == 0 ? second + 8 : second), "a\(second)")
            if second >= 200, second < 200 + Int64(late) {
                text += EventLogReaderTests.row(700 + second, "late\(second)")
            }
        }
        let (_, reader) = try EventLogReaderTests.events([scratch.write(text, to: "log.ndjson")])
        #expect(reader.cleaning.count(.late) == late && reader.cleaning.bad == 0)
        #expect(reader.cleaning.count(.backwards) > 200)
        do {
            try reader.check(mostBadRows: 0.05)
            #expect(!isRefused)
        } catch {
            #expect(isRefused)
            #expect("\(error)".contains("27 of 527 rows came more than 30 s after later rows"), "\(error)")
            #expect("\(error)".contains("sort the rows by time, and make sure that no part of the log is in it twice"))
        }
    }

    @Test("A log that is appended to itself is refused", arguments: [3600, 40 * 3600] as [Int64])
    func appended(seconds: Int64) throws {
        let text = (0..<500).map { EventLogReaderTests.row(Int64($0) * seconds / 500, "a\($0)") }.joined()
        let (_, reader) = try EventLogReaderTests.events([scratch.write(text + text, to: "log.ndjson")])
        #expect(throws: DataFileError.self) { try reader.check(mostBadRows: 0.05) }
    }

    private func file(_ name: String, _ seconds: [Int64]) throws -> String {
        try scratch.write(seconds.map { EventLogReaderTests.row($0, "\(name)\($0)") }.joined(), to: name)
    }

    @Test(
        "A file that begins late or ends early has a gap there, unless another goes on; few missing rows are none",
        arguments: [
            ([0..<3600, 0..<2200], 1, "1400s", ":2200 (its last row)"),
            ([0..<3600, 1000..<3600], 1, "1000s", ":1 (its first row)"),
            ([0..<3600, 1000..<2200], 2, "1400s", ":1 (its first row)"),
            ([0..<3600, 0..<3500], 0, "", ""),
            // An hour a file, of one host and of two; then the second hour of one is missing.
            ([0..<3600, 3600..<7200, 7200..<10800], 0, "", ""),
            ([0..<3600, 0..<3600, 3600..<7200, 3610..<7200], 0, "", ""),
            (
                [0..<3600, 0..<3600, 3600..<7200, 7200..<10800, 7200..<10800], 1, "3601s",
                ":3600 (its last row)"
            ),
            ([0..<3600], 0, "", ""),
        ] as [([Range<Int64>], Int, String, String)]
    )
    func fileEnds(parts: [Range<Int64>], count: Int, longest: String, place: String) throws {
        let files = try parts.enumerated().map { try file("\($0.offset).ndjson", Array($0.element)) }
        let (_, reader) = try LogCalibration.digest(files: files)
        #expect(reader.cleaning.count(.fileGap) == count)
        #expect(reader.cleaning.longestFileGap == (Int64(longest.dropLast()) ?? 0) * 1_000_000)
        let lines = reader.cleaning.lines.filter { $0.contains("of one file, in which it has no row at all") }
        #expect(lines.count == min(1, count) && lines.allSatisfy { $0.contains(place) }, "\(lines)")
    }

    @Test("A gap of one of several files is counted; one file alone has none")
    func fileGap() throws {
        let whole = try file("whole.ndjson", (0..<3600).map { $0 })
        let gap = try file("gap.ndjson", (0..<3600).filter { !(1000..<2200).contains($0) }.map { $0 })
        // Both files have the gap.
        let same = try file("same.ndjson", (0..<3600).filter { !(1000..<2200).contains($0) }.map { $0 })
        for (files, count) in [([whole, gap], 1), ([gap], 0), ([gap, same], 0)] {
            let (_, reader) = try LogCalibration.digest(files: files)
            #expect(reader.cleaning.count(.fileGap) == count)
            #expect(reader.cleaning.longestFileGap == (count > 0 ? 1_201_000_000 : 0))
            let line =
                "1 gap of one file, in which it has no row at all, the first in \(OneLine.text(gap)):1001; the longest is 20m1s."
            #expect(reader.cleaning.lines.contains(line) == (count > 0), "\(reader.cleaning.lines)")
        }
    }

    @Test(
        "A log in which most stale dates come before their content is refused at the mapping's place; a few are counted"
    )
    func swappedTimes() throws {
        let mapping = try LogMapping(
            file: scratch.write(
                "columns:\n  generated: {column: made, unit: us}\n  stale: {column: old, unit: us}\n",
                to: "map.yaml"
            )
        )
        for (swapped, isRefused) in [(1, false), (2, true)] {
            let pushes = (0..<3)
                .map { number in
                    let times = number < swapped ? "\"made\":90,\"old\":20" : "\"made\":20,\"old\":90"
                    return #"{"at_us":20,"event":"push","ride":"a","push":"\#(number)",\#(times)}"# + "\n"
                }
            let log = try scratch.write(EventLogReaderTests.row(0, "a") + pushes.joined(), to: "log.ndjson")
            let (_, reader) = try EventLogReaderTests.events([log], mapping)
            #expect(reader.cleaning.count(.staleFirst) == swapped)
            do {
                try reader.checkTimes(latency: nil)
                #expect(!isRefused)
            } catch {
                #expect(
                    "\(error)".contains("map.yaml:3:10: 2 of 3 pushes have a stale date before the time"),
                    "\(error)"
                )
            }
        }
    }

    @Test("Files with rows of apps alone, and a gap in one of them, are refused")
    func onlyApps() throws {
        let files = try [1, 2]
            .map { number in
                try scratch.write(
                    (Int64(0)..<3600).filter { number == 1 || !(1000..<2200).contains($0) }
                        .map { EventLogReaderTests.row($0, "a").replacing("ride_requested", with: "shown") }.joined(),
                    to: "\(number).ndjson"
                )
            }
        #expect(throws: DataFileError.self) { _ = try LogCalibration.of(files: files, name: "x") }
    }

    @Test(
        "A change of the zone's clock is stated, for local times without an offset with what it does to them",
        arguments: [
            (
                ["2026-11-01T00:30:00-04:00", "2026-11-01T03:30:00-05:00"],
                "set back by 1h on 2026-11-01 at 02:00; times of day"
            ),
            (
                ["2026-11-01T00:30:00", "2026-11-01T03:30:00"],
                "set back by 1h on 2026-11-01 at 02:00, and the log has local times"
            ),
            (
                ["2026-03-08T00:30:00", "2026-03-08T03:30:00"],
                "set forward by 1h on 2026-03-08 at 02:00, and the log has local times"
            ),
            (["2026-11-01T03:30:00-05:00", "2026-11-01T04:30:00-05:00"], nil),
        ]
    )
    func clockChange(times: [String], words: String?) throws {
        let mapping = try LogMapping(file: scratch.write("time_zone: America/New_York\n", to: "map.yaml"))
        let rows = times.map { #"{"at":"\#($0)","event":"ride_requested","ride":"\#($0)"}"# + "\n" }
        let log = try scratch.write(rows.joined(), to: "log.ndjson")
        let (digest, reader) = try LogCalibration.digest(files: [log], mapping: mapping)
        let lines = reader.cleaning.lines.filter { $0.contains("The clock of America/New_York is ") }
        #expect(lines.count == (words == nil ? 0 : 1) && lines.allSatisfy { $0.contains(words ?? "-") }, "\(lines)")
        #expect(reader.cleaning.lines.dropFirst().first?.hasPrefix("The clock") ?? false == (words != nil))
        let clock = try #require(reader.cleaning.clock)
        let hour: Int64 = 3_600_000_000
        if times[0].hasSuffix("-04:00") {
            // The axis goes on in summer time.
            #expect(
                digest.end - digest.begin == 4 * hour && CivilTime.timeOfDay(clock.local(digest.end)) == hour * 7 / 2
            )
        }
        let end = try #require(clock.utc(digest.end))
        #expect(
            CivilTime.timeOfDay(end)
                == (times[0].hasPrefix("2026-03") ? hour * 15 / 2 : hour * (times[1].contains("T03") ? 17 : 19) / 2)
        )
    }

    @Test(
        "Without a zone, times with an offset are UTC, and the zone of local times and of times since the start is unknown"
    )
    func noZone() throws {
        for (time, isKnown) in [
            ("\"2026-07-14T06:00:00+02:00\"", true), ("\"2026-07-14T06:00:00\"", false), ("7", false),
        ] {
            let key = time == "7" ? "at_us" : "at"
            let log = try scratch.write(#"{"\#(key)":\#(time),"event":"ride_requested","ride":"a"}"#, to: "log.ndjson")
            let (events, reader) = try EventLogReaderTests.events([log])
            #expect(reader.clock.utc(events[0].at) == (isKnown ? events[0].at : nil))
            #expect(reader.clock.local(events[0].at) == events[0].at)
        }
    }
}
