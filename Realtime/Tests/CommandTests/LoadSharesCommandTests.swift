import CommandTestSupport
import Foundation
import TestSupport
import Testing
import TextFormats

/// One load by several processes, as by several machines, and its merger.
@Suite("freshet load apns --share and freshet load merge", .serialized)
struct LoadSharesCommandTests {
    private let scratch = Scratch()

    private static let plan = [
        "--rate", "211/s", "--arrivals", "poisson", "--duration", "3s", "--warm-up", "500ms", "--tokens", "50",
        "--seed", "9",
    ]

    /// Runs processes that start together at an instant [s since 1970].
    ///
    /// The instant is fixed before the first of them runs. If one of them reads it too late, all run again with twice
    /// the lead time.
    private func runTogether(_ count: Int, _ process: (_ number: Int, _ start: Int) -> Process) throws {
        var lead = try 2 + Programs.startUp(of: count)
        while true {
            let start = Int(Date.now.timeIntervalSince1970) + lead
            let running = try (0..<count)
                .map { number in
                    let process = process(number, start)
                    let errors = Pipe()
                    process.standardError = errors
                    try process.run()
                    return (process, errors)
                }
            let ends = running.map { process, errors in
                let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                process.waitUntilExit()
                return (status: process.terminationStatus, text: text)
            }
            if lead < 600, ends.contains(where: { $0.status == 64 && $0.text.contains(" ago") }) {
                lead *= 2
                continue
            }
            for end in ends { #expect(end.status == 0, "\(end.text)") }
            return
        }
    }

    /// Loads the endpoint with several shares at once; returns their directories.
    private func loadShares(
        _ count: Int,
        of total: Int,
        _ ready: String,
        _ plan: [String] = plan
    ) throws -> [String] {
        let directories = (1...count).map { scratch.path("share-\($0)") }
        try runTogether(count) { number, start in
            Command.process(
                """
                apns --ready-file \(ready) --share \(number + 1)/\(total) --start-at \(start) --connections 1 --quiet
                --output \(directories[number]) \(plan)
                """,
                program: "freshet-load"
            )
        }
        return directories
    }

    /// Returns the rows of a results file without its header.
    private func rows(_ file: String, of directory: String) throws -> [[String]] {
        try String(contentsOfFile: "\(directory)/\(file)", encoding: .utf8).split(separator: "\n").dropFirst()
            .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    }

    /// Returns the buckets of a metric with their counts.
    private func buckets(_ metric: String, of directory: String) throws -> [String: Int] {
        try Dictionary(
            rows("histograms.csv", of: directory).filter { $0[0] == metric }
                .map { ("\($0[2])-\($0[3])", try #require(Int($0[4]))) },
            uniquingKeysWith: +
        )
    }

    private func value(_ metric: String, _ scope: String, of directory: String) throws -> String? {
        let rows = try rows("summary.csv", of: directory)
        // scope, metric, stat, unit, value, …
        return rows.first { $0[1] == metric && $0[0] == scope }?[4]
    }

    @Test("Three processes send the pushes of one, and their counts, seconds and histograms add up")
    func threeProcesses() throws {
        try StandInProcess.run(in: scratch) { ready in
            let shares = try loadShares(3, of: 3, ready)
            let merged = scratch.path("merged")
            let merge = try Command.load(
                "merge --output \(merged) --quiet --threshold 'errors_ratio < 1%' \(shares.reversed())"
            )
            #expect(merge.status == 0, "\(merge.errors)")
            let alone = scratch.path("alone")
            let single = try Command.load(
                "apns --ready-file \(ready) --connections 3 --threads 3 --quiet --output \(alone) \(Self.plan)"
            )
            #expect(single.status == 0, "\(single.errors)")

            // The planned values are equal: pushes in total and by the second in which they were due.
            for name in ["pushes_sent_count", "apns_response_count", "requests_asked_per_second"] {
                #expect(try value(name, "all", of: merged) == value(name, "all", of: alone), "\(name)")
            }
            let seconds = try [merged, alone].map { try rows("timeseries.csv", of: $0).prefix(3).map { $0.prefix(5) } }
            #expect(seconds[0] == seconds[1])
            // The measurements add up.
            for metric in ["request_latency_us", "push_latency_us", "send_time_us", "send_wait_us"] {
                let parts = try shares.map { try buckets(metric, of: $0) }
                let sum = parts.reduce(into: [String: Int]()) { $0.merge($1, uniquingKeysWith: +) }
                #expect(try !sum.isEmpty && buckets(metric, of: merged) == sum, "\(metric)")
            }
            let run = try Array(#require(FileManager.default.contents(atPath: "\(merged)/run.json")))
            let json = try JSONMembers(run)
            let mark = try #require(json["shares"]?.members)
            #expect(mark["count"]?.number == 3 && mark["merged_count"]?.number == 3 && mark["is_part"] == .bool(false))
            // The settings are those of one generator, so the run ids are equal.
            let ids = try [merged, alone]
                .map { directory in
                    try JSONMembers(Array(#require(FileManager.default.contents(atPath: "\(directory)/run.json"))))[
                        "run_id"
                    ]
                }
            #expect(ids[0] == ids[1])
            #expect(!FileManager.default.fileExists(atPath: "\(merged)/share.json"))
        }
    }

    @Test("Two processes replay the pushes of a log as one does")
    func replay() throws {
        var rows = "at_us,event,ride,push,kind\n"
        for number in 0..<300 { rows += "\(number * number * 20),push,r\(number % 7),\(number),update\n" }
        let plan = ["--replay", try scratch.write(rows, to: "log.csv"), "--timeout", "5m"]
        try StandInProcess.run(in: scratch) { ready in
            let shares = try loadShares(2, of: 2, ready, plan)
            let merged = scratch.path("merged")
            let merge = try Command.load("merge --output \(merged) --quiet \(shares)")
            #expect(merge.status == 0, "\(merge.errors)")
            let alone = scratch.path("alone")
            let single = try Command.load(
                "apns --ready-file \(ready) --connections 2 --threads 2 --quiet --output \(alone) \(plan)"
            )
            #expect(single.status == 0, "\(single.errors)")
            #expect(try value("pushes_sent_count", "kind:log", of: merged) == "300")
            for name in ["pushes_sent_count", "apns_response_count", "requests_asked_per_second"] {
                #expect(try value(name, "all", of: merged) == value(name, "all", of: alone), "\(name)")
            }
            let seconds = try [merged, alone]
                .map { try self.rows("timeseries.csv", of: $0).prefix(2).map { $0.prefix(5) } }
            #expect(seconds[0] == seconds[1])
            let reports = try [merged, alone].map { try String(contentsOfFile: "\($0)/report.md", encoding: .utf8) }
            #expect(reports.allSatisfy { $0.contains("300 pushes: 300 updates; 0 other rows are left out.") })
        }
    }

    /// A command of docs/many-machines.md with a small plan, for the stand-in of a test.
    private func documented(_ first: String, until last: String) throws -> String {
        let page = Command.root.appending(path: "docs/many-machines.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let tail = try text[#require(text.range(of: first)).lowerBound...]
        let command = try String(tail[..<#require(tail.range(of: last)).upperBound])
        let (own, small) = (
            [
                "freshet load apns --endpoint \"$ENDPOINT\"", "--rate 400000/s --duration 60s", "))/8",
                "/$SLURM_NTASKS",
            ],
            ["freshet-load apns --ready-file \"$READY\"", "--rate 100/s --duration 2s", "))/2", "/2"]
        )
        return zip(own, small).reduce(command) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
    }

    @Test(
        "The commands for Slurm and Kubernetes make one load",
        arguments: [
            ("exec freshet load apns", "--output \"$LOAD/share-$((SLURM_PROCID + 1))\"", "SLURM_PROCID"),
            (
                "exec freshet load apns --endpoint \"$ENDPOINT\" --rate 400000/s --duration 60s --quiet \\\n                ",
                "--output \"$LOAD/share-$((JOB_COMPLETION_INDEX + 1))\"", "JOB_COMPLETION_INDEX"
            ),
        ]
    )
    func schedulers(first: String, last: String, index: String) throws {
        try StandInProcess.run(in: scratch) { ready in
            let command = try documented(first, until: last)
            try runTogether(2) { number, start in
                Command.process(
                    "-c \(command)",
                    program: "/bin/sh",
                    environment: [
                        index: "\(number)", "START": "\(start)", "READY": ready, "LOAD": scratch.path,
                        "PATH": "\(Command.directory.path):/usr/bin:/bin",
                    ]
                )
            }
            let merged = scratch.path("merged")
            let merge = try Command.load("merge --quiet --output \(merged) \(scratch)/share-1 \(scratch)/share-2")
            #expect(merge.status == 0, "\(merge.errors)")
            #expect(try value("pushes_sent_count", "all", of: merged) == "200")
        }
    }

    @Test("Missing shares end the merger with 65, directories without a share with 66; --incomplete marks the results")
    func incomplete() throws {
        try StandInProcess.run(in: scratch) { ready in
            let shares = try loadShares(2, of: 3, ready)
            func merge(_ arguments: [String]) throws -> Command.Outcome {
                try Command.load("merge --quiet --output \(scratch)/merged \(arguments)")
            }
            let refused = try merge(shares)
            #expect(refused.status == 65)
            #expect(refused.errors.contains("of 3 shares there are none with the numbers 3"), "\(refused.errors)")
            #expect(!FileManager.default.fileExists(atPath: scratch.path("merged")))
            let twice = try merge(shares + [shares[0]])
            #expect(twice.status == 65 && twice.errors.contains("share 1/3 is there twice"), "\(twice.errors)")
            let nowhere = try merge(shares + [scratch.path("nowhere")])
            #expect(nowhere.status == 66 && nowhere.errors.contains("there is no share.json"), "\(nowhere.errors)")
            let part = try merge(["--incomplete"] + shares)
            #expect(part.status == 0, "\(part.errors)")
            let report = try scratch.text("merged/report.md")
            #expect(report.contains("✗ Merged from a part: 2 of 3 shares."), "\(report.prefix(300))")
        }
    }

    @Test(
        "Wrong options of shares are rejected at once",
        arguments: [
            (["--share", "9/8", "--start-at", "4000000000"], "--start-at must be within the next hour"),
            (["--share", "9/8"], "--share must be K/N, such as 3/8"),
            (["--share", "1/8", "--output", "x"], "--share needs --start-at"),
            (["--start-at", "yesterday"], "--start-at must be an instant such as 2026-05-01T12:00:00Z"),
            (["--start-at", "2026-05-01T12:00:00Z"], "--start-at must be within the next hour"),
        ]
    )
    func refused(arguments: [String], message: String) throws {
        let outcome = try Command.load("apns --endpoint https://h \(arguments)")
        #expect(outcome.status == 64 && outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test(
        "Options that need all pushes in one process exclude shares",
        arguments: [
            ["--threshold", "errors_ratio < 1%"], ["--max-rate"], ["--find-limit"], ["--protocol", "netmera"],
            ["--retries", "2", "--retry-budget", "per_push=0.1"],
        ]
    )
    func alone(arguments: [String]) throws {
        let start = "\(Int(Date.now.timeIntervalSince1970) + 600)"
        let outcome = try Command.load(
            "apns --endpoint https://h --share 1/2 --start-at \(start) --output x \(arguments)"
        )
        #expect(outcome.status == 64 && outcome.errors.contains("--share"), "\(outcome.errors)")
    }
}
