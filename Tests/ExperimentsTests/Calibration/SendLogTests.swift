import Foundation
import FreshnessCore
import LiveActivityModel
import Quantities
import SimulationKernel
import Testing

@testable import Experiments

@Suite("Send log")
struct SendLogTests {
    static let sample = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures/send-log.csv").path

    /// The counts are those of `send-log.py`.
    @Test("Answers, period and latencies of the sample")
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
        "Columns are found by any of their usual names, times in any of their usual forms",
        arguments: [
            ("time,status,latency_ms\n2026-07-14T18:00:00,200,3\n", 1_784_052_000_000_000, 3000),
            ("Timestamp,Status-Code,Duration_S\n1784052000,200,0.5\n", 1_784_052_000_000_000, 500_000),
            ("ts,http_status,elapsed_us,other\n1784052000250,200,7,x\n", 1_784_052_000_250_000, 7),
            ("response time,code,sent at,took_min\n9,200,1784052000250000,2\n", 1_784_052_000_250_000, 120_000_000),
        ] as [(String, Int64, Int64)]
    )
    func names(text: String, time: Int64, latency: Int64) throws {
        let log = try SendLogReader.read(CSVReader(text), latency: text.contains("took_min") ? "took_min" : nil)
        #expect(log.period == time...time)
        #expect(log.latencies == [latency])
    }

    @Test(
        "All that is wrong is told at once, each with its place",
        arguments: [
            (
                "time,status,latency_ms\nyesterday,200,1\n1784052000,2000,1\n1784052000,200,fast\n1784052000,429,fast\n",
                [
                    "2:1: time must be a time, got \"yesterday\"; allowed: as 2026-07-14T18:00:00.250, with Z or without, "
                        + "or seconds, ms or us since 1970",
                    "3:12: status must be a status of HTTP, got \"2000\"; "
                        + "allowed: 100 … 599, or empty or timeout where no answer came",
                    "4:16: latency_ms must be a number where the status is 200, got \"fast\"; allowed: 0 … 315360000000 ms",
                ]
            ),
            (
                "when,status,latency_ms\n1,200,1\n",
                [
                    "1:1: the log has no column for the time; got \"when\", \"status\", \"latency_ms\"; allowed: time, "
                        + "timestamp, sent_at, send_time, request_time, date, datetime, ts, t"
                ]
            ),
            (
                "time,status,latency\n1784052000,200,1\n",
                ["1:13: the unit of latency is not in its name; say it with --unit us, ms, s or min"]
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

    @Test("A status alone stands for its most usual reason; dead tokens and what the model lacks are set apart")
    func refusals() throws {
        let rows = [
            "200,", "429,", "429,TooManyRequests", "410,Unregistered", "410,", "404,BadPath", "400,BadDeviceToken",
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
        #expect(refusals.unknown == [SendLog.Answer(status: 404, reason: "BadPath", count: 1)])
    }

    @Test("The printed sections are a scenario's, with the shares of the log")
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

    @Test("Shares keep the digits that count, however small")
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
}
