import Evaluation
import Foundation
import LiveActivityModel
import Quantities
import Results
import TestSupport
import Testing

@testable import Reporting
@testable import Studies

struct OpenMetricsExportTests {
    private let scratch = Scratch()

    private static let run =
        #"{"name": "a \"b\"", "run_id": "00ff", "seed": 7, "fingerprint": "ff", "replications": 2, "schema_version": 1}"#

    private static func directory(summary: String, histograms: String? = nil) throws -> Scratch {
        let directory = Scratch()
        try directory.write(run, to: "run.json")
        try directory.write("scope,metric,stat,unit,value,ci_low,ci_high,n\n" + summary, to: "summary.csv")
        if let histograms {
            try directory.write("metric,scope,bucket_low,bucket_high,weight,unit\n" + histograms, to: "histograms.csv")
        }
        return directory
    }

    /// The lines of a rejection; empty if nothing is rejected.
    private static func refused(_ directory: Scratch) -> [String] {
        do throws(ExportError) {
            _ = try OpenMetricsExport(directory: directory.path)
            return []
        } catch {
            return error.description.split(separator: "\n").map(String.init)
        }
    }

    @Test("Rows that no run writes are rejected: two kinds under one name, sums beyond 64 bits")
    func contradictions() throws {
        let kinds = try Self.directory(summary: "all,x_count,total,count,1,,,1\nall,x_count,ratio,count,1,,,1\n")
        #expect(Self.refused(kinds).count == 1)
        #expect(
            Self.refused(kinds).first?.contains("summary.csv:3: all,x_count,ratio must be a decimal number") == true
        )
        let own = try Self.directory(summary: "all,replications_count,total,count,1,,,1\n")
        #expect(Self.refused(own).count == 1)
        let most = Int64.max
        let sums = try Self.directory(
            summary: "all,x_us,mean,us,\(most).999999,,,1\n",
            histograms: "x_us,all,0,5,\(most),us\nx_us,all,5,9,1,us\nx_us,all,\(most),\(most),1,us\n"
        )
        #expect(Self.refused(sums).map { $0.suffix(70) }.count == 2)
        let large = try Self.directory(
            summary: "all,x_us,mean,us,\(most).999999,,,1\n",
            histograms: "x_us,all,0,5,\(most),us\n"
        )
        #expect(Self.refused(large) == [])
    }

    @Test("A run.json that is too large, is not a file, or has an impossible number of replications")
    func runDescriptions() throws {
        let directory = try Self.directory(summary: "")
        let file = directory.path + "/run.json"
        for count in ["0", "-1", "100001", "1000000000", "1.5"] {
            try directory.write(
                Self.run.replacing("\"replications\": 2", with: "\"replications\": \(count)"),
                to: "run.json"
            )
            #expect(Self.refused(directory).count == 1)
            #expect(
                Self.refused(directory)[0]
                    .hasSuffix("replications must be a whole number, got \"\(count)\"; allowed: 1 … 100000")
            )
        }
        try #require(truncate(file, 3 << 30) == 0)
        #expect(Self.refused(directory) == ["\(file):1:1: the file is too large; allowed: up to 1048576 bytes"])
        try FileManager.default.removeItem(atPath: file)
        try #require(mkfifo(file, 0o600) == 0)
        #expect(Self.refused(directory) == ["\(file): cannot be read: it is a named pipe"])
    }

    @Test("A summary of millions of rows is rejected before it fills the memory", .enabled(if: Loop.isFull))
    func largeSummary() throws {
        let directory = try Self.directory(summary: String(repeating: "all,a,p50,us,1,,,1\n", count: 800_000))
        let lines = Self.refused(directory)
        #expect(lines.count == 1)
        #expect(lines.first?.contains("the file is too large; allowed: 67108864 bytes in memory") == true, "\(lines)")
    }

    @Test
    func rowsOfEachKind() throws {
        let directory = try Self.directory(
            summary: """
                all,pushes_sent_count,total,count,12,10.5,13.5,16
                kind:retry,pushes_sent_count,total,count,3,,,1
                all,fresh_time_ratio,ratio,1,0.981200,,,1
                all,fresh_time_ratio,numerator,us,1500000,,,1
                all,recovery_time_us,p50,us,6030000,,,1
                all,recovery_time_us,p95,us,,,,0
                all,activities_live_at_end_count,total,count,4,,,1

                """
        )
        let labels = #"{scenario="a \"b\""}"#
        #expect(
            try OpenMetricsExport(directory: directory.path).text == """
                # TYPE freshet_run info
                # HELP freshet_run The run that these numbers describe.
                freshet_run_info{scenario="a \\"b\\"",run_id="00ff",seed="7",fingerprint="ff"} 1
                # TYPE freshet_replications gauge
                # HELP freshet_replications Number of replications; counts are sums over all of them.
                freshet_replications\(labels) 2
                # TYPE freshet_pushes_sent counter
                # HELP freshet_pushes_sent The total of pushes sent.
                freshet_pushes_sent_total\(labels) 12
                # TYPE freshet_pushes_sent_interval gauge
                # HELP freshet_pushes_sent_interval Bounds of the 95 % confidence interval of the total of pushes sent.
                freshet_pushes_sent_interval{scenario="a \\"b\\"",bound="lower"} 10.5
                freshet_pushes_sent_interval{scenario="a \\"b\\"",bound="upper"} 13.5
                # TYPE freshet_pushes_sent_by_kind counter
                # HELP freshet_pushes_sent_by_kind The total of pushes sent.
                freshet_pushes_sent_by_kind_total{scenario="a \\"b\\"",kind="retry"} 3
                # TYPE freshet_fresh_time_ratio gauge
                # UNIT freshet_fresh_time_ratio ratio
                # HELP freshet_fresh_time_ratio The value of fresh time.
                freshet_fresh_time_ratio\(labels) 0.981200
                # TYPE freshet_fresh_time_numerator_seconds gauge
                # UNIT freshet_fresh_time_numerator_seconds seconds
                # HELP freshet_fresh_time_numerator_seconds The numerator of fresh time.
                freshet_fresh_time_numerator_seconds\(labels) 1.5
                # TYPE freshet_recovery_time_quantile_seconds gauge
                # UNIT freshet_recovery_time_quantile_seconds seconds
                # HELP freshet_recovery_time_quantile_seconds Percentiles of recovery time.
                freshet_recovery_time_quantile_seconds{scenario="a \\"b\\"",quantile="0.5"} 6.03
                # TYPE freshet_activities_live_at_end gauge
                # HELP freshet_activities_live_at_end The total of activities live at end.
                freshet_activities_live_at_end\(labels) 4
                # EOF

                """
        )
    }

    @Test
    func histogramIsCumulativeAndSumsAreThoseOfTheMean() throws {
        let directory = try Self.directory(
            summary: "all,recovery_time_us,mean,us,1000000.500000,,,2\n",
            // One value below 1024 µs, two at the bound of 1536 µs, one from each side, and one beyond all bounds.
            histograms: """
                recovery_time_us,all,1000,1024,1,count
                recovery_time_us,all,1528,1536,1,count
                recovery_time_us,all,1536,1544,1,count
                recovery_time_us,all,274877906944,279172874240,1,count
                recovery_time_us,rank:1,0,8,9,count

                """
        )
        let lines = try OpenMetricsExport(directory: directory.path).text.split(separator: "\n").map(String.init)
        func value(_ label: String) -> String? {
            lines.first { $0.contains(label) }?.split(separator: " ").last.map(String.init)
        }
        #expect(value(#"le="0.001023""#) == "1")
        #expect(value(#"le="0.001535""#) == "2")
        #expect(value(#"le="0.002047""#) == "3")
        #expect(value(#"le="+Inf""#) == "4")
        #expect(value("recovery_time_seconds_count") == "4")
        #expect(value("recovery_time_seconds_sum") == "4.000002")
    }

    @Test
    func checksAreOneOrNought() throws {
        let directory = try Self.directory(summary: "")
        try directory.write(
            "name,limit,verdict\nfresh enough,1,holds\nfew,2,fails\nodd,3,undefined\n",
            to: "checks.csv"
        )
        let lines = try OpenMetricsExport(directory: directory.path).text.split(separator: "\n")
            .filter { $0.hasPrefix("freshet_check_holds{") }
        #expect(
            lines == [
                #"freshet_check_holds{scenario="a \"b\"",check="fresh enough"} 1"#,
                #"freshet_check_holds{scenario="a \"b\"",check="few"} 0"#,
                #"freshet_check_holds{scenario="a \"b\"",check="odd"} 0"#,
            ]
        )
    }

    @Test("A search has no metrics of its own, and missing results are reported")
    func searchHasNoMetricsOfItsOwn() throws {
        try scratch.write("{}", to: "tune.json")
        #expect(
            throws: ExportError.invalid([
                "\(scratch.path): holds a search, but metrics need a run; freshet run --point makes one"
            ])
        ) {
            try OpenMetricsExport(directory: scratch.path)
        }
    }

    @Test("A live run has the name of its command, and short times keep their buckets")
    func loads() throws {
        var results = LoadReport.apns(
            [
                SummaryRow("request_latency_us", "p999", .integer(2500)),
                SummaryRow("request_latency_us", "mean", .decimal(2.5)),
                SummaryRow("monitor_response_count", .integer(3), scope: "request:end;status:200"),
            ],
            settings: [("rate", "500/s")]
        )
        results.histograms = [.init(metric: "request_latency_us", buckets: [(2, 2, 1), (2.5, 3.5, 1)])]
        results.outcomes = [try Check(parsing: "request_latency_us.p999 < 1ms").outcome(in: results.rows)]
        try RunDirectory(path: scratch.path).write(RunFiles(results))
        let lines = try OpenMetricsExport(directory: scratch.path).text.split(separator: "\n").map(String.init)
        let load = #"load="load apns""#
        #expect(lines.contains { $0.hasPrefix("freshet_load_info{\(load),run_id=") })
        for line in [
            "freshet_request_latency_quantile_seconds{\(load),quantile=\"0.999\"} 0.0025",
            "freshet_monitor_response_by_request_by_status_total{\(load),request=\"end\",status=\"200\"} 3",
            "freshet_request_latency_seconds_bucket{\(load),le=\"0.000001\"} 0",
            "freshet_request_latency_seconds_bucket{\(load),le=\"0.000002\"} 1",
            "freshet_request_latency_seconds_bucket{\(load),le=\"0.000003\"} 2",
            "freshet_request_latency_seconds_count{\(load)} 2",
            "freshet_check_holds{\(load),check=\"request_latency_us.p999 < 1ms\"} 0",
        ] { #expect(lines.contains(line), "\(line)") }
        #expect(lines.last == "# EOF")
    }

    @Test("A load or a live scenario that ended early is marked")
    func endedEarly() async throws {
        let mark = EarlyEndMark(cause: .interrupted, ran: .seconds(1), planned: .seconds(3))
        var results = LoadReport.apns([])
        results.earlyEnd = mark
        var run = try await RunResult.running(.oneRide)
        run.realTime = .beside(speed: 10)
        run.realTime?.earlyEnd = mark
        for (files, name) in [(RunFiles(results), "load"), (RunFiles(run), "run")] {
            let directory = Scratch()
            try RunDirectory(path: directory.path).write(files)
            let text = try OpenMetricsExport(directory: directory.path).text
            let line = text.split(separator: "\n").first { $0.hasPrefix("freshet_\(name)_info{") }
            #expect(line?.contains("ended_early=\"true\"") == true, "\(line ?? "")")
        }
    }

    @Test("A load that lacks a share is marked")
    func someShares() throws {
        var results = LoadReport.apns([])
        results.merger = ShareMerger(of: 2, merged: [2], late: [], endedEarly: [], start: 1)
        try RunDirectory(path: scratch.path).write(RunFiles(results))
        let text = try OpenMetricsExport(directory: scratch.path).text
        #expect(text.contains("shares=\"incomplete\"} 1\n"), "\(text)")
    }

    @Test("A sweep has a sample of each response at each point, with the point's levels")
    func sweeps() async throws {
        let factors = """
            factors:
              vary: {content.ttl: [60s, 90s]}
              responses: [ride_stage_coverage_ratio, "displayed_fresh_time_ratio@0s..10m"]
            checks: [ride_stage_coverage_ratio > 1%]

            """
        let result = try await SmallSweep.analysis(factors).result
        try RunDirectory(path: scratch.path).write(RunFiles(result))
        let lines = try OpenMetricsExport(directory: scratch.path).text.split(separator: "\n").map(String.init)
        let points = ["0", "1"].map { $0 == "0" ? #"point="0",content_ttl="60s""# : #"point="1",content_ttl="90s""# }
        for point in points {
            #expect(
                lines.contains { $0.hasPrefix("freshet_ride_stage_coverage_ratio{scenario=\"small\",\(point)} 0.") }
            )
            let window = "freshet_displayed_fresh_time_by_window_ratio{scenario=\"small\",\(point),window=\"0s..10m\"}"
            #expect(lines.contains { $0.hasPrefix(window) }, "\(window)")
            #expect(lines.contains { $0.hasPrefix("freshet_check_holds{scenario=\"small\",\(point),check=") })
        }
        #expect(lines.contains { $0.hasPrefix("freshet_sweep_info{scenario=\"small\",sweep_id=") })
    }

    @Test
    func boundsAreAmongThoseOfTheResults() {
        // Otherwise a bucket that the bound splits would be counted on one side of it.
        let bounds = Set((0..<LogLinear.bucketCount).map { LogLinear.lowerBound(ofBucket: $0) })
        #expect(CumulativeHistograms.bounds.allSatisfy(bounds.contains))
        #expect(CumulativeHistograms.bounds == CumulativeHistograms.bounds.sorted())
    }

    @Test
    func everyWrongRowIsReported() throws {
        let directory = try Self.directory(
            summary: "all,a_count,total,count,many,,,1\nall,b_count,total,count,1,low,,1\n",
            histograms: "a_us,all,5,5,1,count\n"
        )
        #expect(throws: ExportError.self) { try OpenMetricsExport(directory: directory.path) }
        do throws(ExportError) {
            _ = try OpenMetricsExport(directory: directory.path)
        } catch {
            let lines = error.description.split(separator: "\n")
            #expect(lines.count == 3)
            #expect(lines[0].contains("summary.csv:2: all,a_count,total"))
            #expect(lines[1].contains("summary.csv:3: all,b_count,total"))
            #expect(lines[2].contains("histograms.csv:2:"))
        }
    }

    @Test
    func missingFilesAreNamed() {
        #expect(throws: ExportError.missing(path: "/nowhere/run.json")) { try OpenMetricsExport(directory: "/nowhere") }
    }
}
