import Foundation
import FreshnessCore
import LiveActivityModel
import Quantities
import SimulationKernel
import Testing

@testable import InputFiles
@testable import Traces

@Suite("Send log")
struct SendLogTests {
    static let sample = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .appending(path: "Fixtures/send-log.csv").path

    /// The counts come from `send-log.py`.
    @Test("Responses, period and latencies of the sample")
    func reads() throws {
        let log = try SendLogReader.read(path: Self.sample)
        #expect(log.count == 1000)
        #expect(log.latencies.count == 985)
        #expect(log.latencyColumn == "latency_ms")
        #expect(Set(log.answers.map(\.status)) == [200, 410, 429, 500, 503, nil])
        #expect([200, 410, 429, 500, 503, nil].map { log.count(status: $0) } == [985, 5, 4, 1, 3, 2])
        // 2026-07-14T18:00:00Z by `date -u +%s`.
        #expect(log.period == 1_784_052_000_000_000...1_784_052_249_750_000)
    }

    @Test(
        "Columns are recognized by any common name, times by any common format",
        arguments: [
            ("time,status,latency_ms\n2026-07-14T18:00:00,200,3\n", 1_784_052_000_000_000, 3000),
            ("Timestamp,Status-Code,Duration_S\n1784052000,200,0.5\n", 1_784_052_000_000_000, 500_000),
            ("ts,http_status,elapsed_us,other\n1784052000250,200,7,x\n", 1_784_052_000_250_000, 7),
            ("response time,code,sent at,took_min\n9,200,1784052000250000,2\n", 1_784_052_000_250_000, 120_000_000),
        ] as [(String, Int64, Int64)]
    )
    func names(text: String, time: Int64, latency: Int64) throws {
        var columns = SendLogColumns()
        columns.latency = text.contains("took_min") ? "took_min" : nil
        let log = try SendLogReader.read(CSVReader(text), columns)
        #expect(log.period == time...time)
        #expect(log.latencies == [latency])
    }

    @Test(
        "All errors are reported at once, each with its place",
        arguments: [
            (
                "time,status,latency_ms\nyesterday,200,1\n1784052000,2000,1\n1784052000,200,fast\n1784052000,429,fast\n",
                [
                    "2:1: time must be a time, got \"yesterday\"; allowed: \(Moment.allowed)",
                    "3:12: status must be an HTTP status, got \"2000\"; "
                        + "allowed: 100 … 599, or empty or timeout if there was no answer",
                    "4:16: latency_ms must be a number where the status is 200, got \"fast\"; allowed: 0 … 315360000000 ms",
                ]
            ),
            (
                "when,status,latency_ms\n1,200,1\n",
                [
                    "1:1: the log has no column for the time; got \"when\", \"status\", \"latency_ms\"; allowed: time, "
                        + "timestamp, sent_at, send_time, request_time, date, datetime, ts, t, sent, started_at, start_time, "
                        + "requested_at, created_at, logged_at, date_time, epoch, or any other with --time"
                ]
            ),
            (
                "time,status,latency\n1784052000,200,1\n",
                ["1:13: the unit of latency is not in its name; give it with --unit ns, us, ms, s or min"]
            ),
            ("time,status,latency_ms\n1784052000,410,1\n", ["1:6: the log has no request with status 200"]),
        ]
    )
    func refused(text: String, expected: [String]) {
        #expect(
            DataFileError.lines { () throws(DataFileError) in _ = try SendLogReader.read(CSVReader(text)) }
                == expected.map { "rides.csv:" + $0 }
        )
    }

    @Test(
        "A bare status counts as its usual reason, but not 400 and 403; dead tokens and unmodelled reasons are separate"
    )
    func refusals() throws {
        let rows = [
            "200,", "429,", "429,TooManyRequests", "410,Unregistered", "410,", "404,BadPath", "400,BadDeviceToken",
            "400,", "400,BadCollapseId", "403,", "403,InvalidProviderToken", "503,Overloaded", "410,TokenBurnt",
        ]
        let text = "time,status,reason,latency_ms\n" + rows.map { "1784052000,\($0),1\n" }.joined()
        let refusals = try SendLogReader.read(CSVReader(text)).refusals
        #expect(
            refusals.counts == [
                .init(reason: .badDeviceToken, count: 1, isGuessed: false),
                .init(reason: .tooManyRequests, count: 2, isGuessed: true),
            ]
        )
        #expect(refusals.deadTokens == 2)
        #expect(
            refusals.unknown
                == [
                    (400, ""), (400, "BadCollapseId"), (403, ""), (403, "InvalidProviderToken"), (404, "BadPath"),
                    (410, "TokenBurnt"), (503, "Overloaded"),
                ]
                .map { SendLog.Answer(status: $0.0, reason: $0.1, count: 1) }
        )
    }

    @Test("The printed sections are valid in a scenario and have the shares of the log")
    func yaml() throws {
        let log = try SendLogReader.read(path: Self.sample)
        let latency = Distribution.lognormal(median: 180_000, p95: 420_000)
        let text = log.yaml(latency: latency, to: .response)
        let scenario = try CalibrationTests.scenario(with: text)
        #expect(
            scenario.sender.requestTime
                == .mixture([
                    MixtureComponent(weight: 998, distribution: latency),
                    MixtureComponent(weight: 2, distribution: .constant(3_600_000_000)),
                ])
        )
        let shares: [(APNsReason, Double)] = [
            (.tooManyRequests, 0.004), (.internalServerError, 0.001), (.serviceUnavailable, 0.003),
        ]
        #expect(scenario.apns.reasons == shares.map { .init(reason: $0.0, share: Probability($0.1)) })

        let phone = try CalibrationTests.scenario(with: log.yaml(latency: latency, to: .phone))
        #expect(phone.apns.latency == latency)
        #expect(phone.apns.loss == Probability(0.002))
    }

    @Test("Apple's reasons keep their names; unmodelled ones are in no share")
    func applesReasons() throws {
        let names = APNsReasonName.reasonsByStatus.flatMap { entry in entry.names.map { (entry.status, $0) } }
        let rows = names.map { "1784052000,\($0.0),1,\($0.1)\n" }.joined()
        let text = "time,status,latency_ms,reason\n1784052000,200,1,\n" + rows
        let log = try SendLogReader.read(CSVReader(text))
        #expect(Set(log.answers.map(\.reason)) == Set(names.map(\.1) + [""]))
        let refusals = log.refusals
        #expect(refusals.counts.allSatisfy { $0.count == 1 && !$0.isGuessed })
        #expect(refusals.counts.count + refusals.unknown.count + refusals.deadTokens == names.count)
        let yaml = log.yaml(latency: .constant(1), to: .response)
        #expect(!yaml.contains("the log gives no reason"))
        #expect(
            yaml.contains("# 1 of 34 got 400 BadCollapseId, which the model does not have; not in the shares above")
        )
        #expect(try CalibrationTests.scenario(with: yaml).apns.reasons.count == refusals.counts.count)
    }

    @Test(
        "A reason is read from any column of the log that has one",
        arguments: [
            ("BadDeviceToken", "BadDeviceToken"), ("BAD_DEVICE_TOKEN", "BadDeviceToken"),
            ("bad-device-token", "BadDeviceToken"), ("Bad Device Token", "BadDeviceToken"),
            ("BadDeviceToken: the token is bad", "BadDeviceToken"), ("400 BadDeviceToken", "BadDeviceToken"),
            ("APNs error: TOO_MANY_REQUESTS (429)", "TooManyRequests"), ("reason=Shutdown", "Shutdown"),
            ("{\"reason\":\"Shutdown\"}", "Shutdown"), ("{'reason': 'Shutdown'}", "Shutdown"),
            ("{\\\"reason\\\":\\\"Unregistered\\\",\\\"timestamp\\\":1784052000000}", "Unregistered"),
            ("{ \"timestamp\": 5, \"Reason\" : \"expired_token\"", "ExpiredToken"),
            ("{\"reason\":\"BrandNew\"}", "BrandNew"), ("{\"reason\":\"\"}", ""),
            ("TooManyProviderTokenUpdates", "TooManyProviderTokenUpdates"),
            ("Connection shutdown by the peer", "Connection shutdown by the peer"),
            ("", ""), ("null", ""), ("410 Gone", ""), ("400 Bad Request", ""),
            ("429 Too Many Requests", "TooManyRequests"), ("map[reason:Shutdown]", "Shutdown"),
            ("map[reason:BrandNew timestamp:1784052000000]", "BrandNew"), ("map[]", ""),
            ("&{Reason:Unregistered Timestamp:5}", "Unregistered"),
            ("Error { code: 503, reason: \"Shutdown\" }", "Shutdown"),
            ("Error { code: 503, reason: Some(Shutdown) }", "Shutdown"), ("Error { code: 503, reason: None }", ""),
            ("Some(BadDeviceToken)", "BadDeviceToken"), ("Some(\"BrandNew\")", "BrandNew"), ("None", ""),
            ("ErrorReason::BadDeviceToken", "BadDeviceToken"), ("\\N", ""), ("-", ""),
            ("reason: the peer went away", "reason: the peer went away"),
        ]
    )
    func reasons(text: String, reason: String) {
        #expect(APNsReasonName.reason(statedBy: text) == reason)
    }

    @Test(
        "A status is read from any column of the log that has one",
        arguments: [("200 OK", 200), ("200.0", 200), ("HTTP/2 410 Gone", 410), (" 429 ", 429), ("timeout", nil)]
            as [(
                String, Int?
            )]
    )
    func statuses(text: String, status: Int?) throws {
        let log = try SendLogReader.read(CSVReader("time,status,latency_ms\n1784052000,200,1\n1784052000,\(text),1\n"))
        #expect(log.count(status: status) == (status == 200 ? 2 : 1))
    }

    @Test("Several measures in one file are rejected unless one is selected")
    func measures() throws {
        let text = """
            metric_name,timestamp,metric_value,status
            http_reqs,1784052000,1,200
            http_req_duration,1784052000,89,200
            http_req_blocked,1784052000,0.002,200

            """
        var columns = SendLogColumns()
        (columns.latency, columns.unit) = ("metric_value", .milliseconds)
        #expect(
            DataFileError.lines { () throws(DataFileError) in _ = try SendLogReader.read(CSVReader(text), columns) }
                == [
                    "rides.csv:1:1: metric_name has rows of several measures; choose one with --where metric_name=VALUE; "
                        + "the values are \"http_reqs\", \"http_req_duration\", \"http_req_blocked\""
                ]
        )
        columns.filters = [DataColumn.Filter(column: "metric_name", value: "http_req_duration")]
        let log = try SendLogReader.read(CSVReader(text), columns)
        #expect(log.latencies == [89_000])
        #expect(log.filtered == 2)
        columns.filters = [DataColumn.Filter(column: "metric_name", value: "none")]
        #expect(
            DataFileError.lines { () throws(DataFileError) in _ = try SendLogReader.read(CSVReader(text), columns) }
                == [
                    "rides.csv:1:36: no row has metric_name=none; the values of metric_name are \"http_reqs\", "
                        + "\"http_req_duration\", \"http_req_blocked\""
                ]
        )
    }

    @Test("The first of several reason columns with a value counts")
    func reasonColumns() throws {
        let text =
            "time,status,latency_ms,error,body\n1784052000,200,1,,\n1784052000,503,1,,\"{\"\"reason\"\":\"\"Shutdown\"\"}\"\n"
        #expect(try SendLogReader.read(CSVReader(text)).answers.map(\.reason) == ["", "Shutdown"])
    }

    @Test("A log without a header, in nanoseconds, with numbered columns")
    func vegeta() throws {
        let text = "1784052000188999936,200,89000777,300\n1784052001416000000,410,80000777,300\n"
        var columns = SendLogColumns()
        #expect(
            DataFileError.lines { () throws(DataFileError) in _ = try SendLogReader.read(CSVReader(text), columns) }
                == [
                    "rides.csv:1:1: the first line looks like data, not a header; name the columns by number, for example --no-header "
                        + "--time 1 --status 2 --column 3 --unit ms"
                ]
        )
        (columns.time, columns.status, columns.latency, columns.unit) = ("1", "2", "3", .nanoseconds)
        for hasHeader in [true, false] {
            columns.format.hasHeader = hasHeader
            let log = try SendLogReader.read(CSVReader(text, columns.format), columns)
            #expect(log.count == 2)
            #expect(log.latencies == [89_001])
            #expect(log.period == 1_784_052_000_188_999...1_784_052_001_416_000)
        }
    }

    @Test("A mixture of times with and without a zone is rejected")
    func zones() {
        let text = "time,status,latency_ms\n2026-07-14T18:00:00,200,1\n2026-07-14T18:00:01Z,200,1\n"
        #expect(
            DataFileError.lines { () throws(DataFileError) in _ = try SendLogReader.read(CSVReader(text)) } == [
                "rides.csv:3:1: time has a zone, \"2026-07-14T18:00:01Z\", but time of line 2 has no zone, "
                    + "\"2026-07-14T18:00:00\"; all times of a file must have one, or none"
            ]
        )
    }

    @Test("A German spreadsheet: semicolons and decimal commas")
    func semicolons() throws {
        let text = "sentAt;Status Code;latencyMs;reason\n14.07.2026 18:00:00;200;1.089,5;\n"
        #expect(try SendLogReader.read(CSVReader(text)).latencies == [1_089_500])
    }

    @Test("Shares keep their significant digits, however small they are")
    func smallShares() throws {
        var log = SendLog()
        log.count = 3_000_000
        log.answers = [
            .init(status: 200, reason: "", count: 2_999_999), .init(status: 429, reason: "TooManyRequests", count: 1),
        ]
        let text = log.yaml(latency: .constant(1), to: .response)
        #expect(text.contains("TooManyRequests: 0.00003333% # 1 of 3000000"))
        #expect(try CalibrationTests.scenario(with: text).apns.reasons.first?.share == Probability(0.00003333e-2))
    }

    @Test("A 403 without a reason is counted under its own name, not under a reason that stops the sender")
    func forbidden() throws {
        let text = "time,status,latency_ms\n1784052000,200,1\n1784052000,403,1\n"
        let log = try SendLogReader.read(CSVReader(text))
        #expect(log.refusals.counts == [])
        #expect(log.refusals.unknown.map(\.name) == ["403 without a reason"])
        let yaml = log.yaml(latency: .constant(1), to: .response)
        #expect(
            yaml.contains("reasons: {}\n  # 1 of 2 got 403 without a reason, which may have several reasons")
        )
    }

    @Test(
        "Load generators write seconds since the start",
        arguments: [
            "response-time,DNS+dialup,DNS,Request-write,Response-delay,Response-read,status-code,offset\n"
                + "0.0891,0.01,0.005,0.0001,0.08,0.001,200,0.0012\n0.0712,0,0,0.0001,0.07,0.001,200,1.5012\n",
            "request-start,DNS,DNS+dialup,Response-delay,request-duration,bytes,status\n"
                + "0.0012,0.005,0.01,0.08,0.0891,120,200\n1.5012,0,0,0.07,0.0712,120,200\n",
        ]
    )
    func sinceStart(text: String) throws {
        let log = try SendLogReader.read(CSVReader(text))
        #expect(log.latencies == [89_100, 71_200])
        #expect(log.period == 1200...1_501_200)
    }

    @Test("Small numbers in another time column are rejected, with advice")
    func smallTimes() {
        let lines = DataFileError.lines { () throws(DataFileError) in
            _ = try SendLogReader.read(CSVReader("time,status,latency_ms\n0.25,200,1\n"))
        }
        #expect(lines.count == 1)
        #expect(
            lines.first?
                .hasSuffix(
                    ", or seconds since the beginning in a column named offset; without --send-log, --column fits the latencies alone"
                ) ?? false
        )
    }

    @Test("Cells with units need no unit in the column's name")
    func unitsOfCells() throws {
        let text = "time,status,latency\n1784052000,200,114.681ms\n1784052000,200,1.5s\n1784052000,200,980µs\n"
        #expect(try SendLogReader.read(CSVReader(text)).latencies == [114_681, 1_500_000, 980])
        let header = "time,status,latency_in_ms\n1784052000,200,7\n"
        #expect(try SendLogReader.read(CSVReader(header)).latencies == [7000])
    }

    @Test(
        "A latency with several possible columns is rejected, or the choice is reported",
        arguments: [
            (
                "latency_ms,latency_ms",
                [
                    "rides.csv:1:24: the log has several columns for the latency: \"latency_ms\", \"latency_ms\", fields 3, 4; "
                        + "choose one with --column, by name or number"
                ]
            ),
            (
                "latency_ms,latency_s",
                [
                    "rides.csv:1:24: the log has several columns for the latency: \"latency_ms\", \"latency_s\", fields 3, 4; "
                        + "choose one with --column, by name or number"
                ]
            ),
            ("latency_ms,duration_ms", []),
        ]
    )
    func doubled(columns: String, problems: [String]) throws {
        let text = "time,status,\(columns)\n1784052000,200,3,4\n"
        #expect(
            DataFileError.lines { () throws(DataFileError) in _ = try SendLogReader.read(CSVReader(text)) } == problems
        )
        guard problems.isEmpty else { return }
        let log = try SendLogReader.read(CSVReader(text))
        #expect(log.latencies == [3000])
        #expect(
            log.remarks == [
                "The latency is that of column \"latency_ms\"; \"duration_ms\" could also be meant. Choose the column with --column."
            ]
        )
        var named = SendLogColumns()
        named.latency = "duration_ms"
        #expect(try SendLogReader.read(CSVReader(text), named).remarks == [])
    }

    @Test("Dates of a log with the day first are recognized from the whole file")
    func dates() throws {
        func read(_ days: String...) throws -> SendLog {
            try SendLogReader.read(CSVReader("time,status,latency_ms\n" + days.map { "\($0) 10:00,200,1\n" }.joined()))
        }
        let log = try read("01/07/2026", "14/07/2026")
        let period = try #require(log.period)
        #expect(period.upperBound - period.lowerBound == 13 * CivilTime.day)
        #expect(log.remarks == [])
        #expect(try read("01/07/2026", "02/07/2026").remarks.first?.contains("Set the order with --dates") ?? false)
    }
}
