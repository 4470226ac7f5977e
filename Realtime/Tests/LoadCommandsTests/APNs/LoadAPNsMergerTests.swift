import CommandTestSupport
import Foundation
import NIOCore
import Quantities
import Reporting
import Results
import ScenarioLanguage
import TestSupport
import Testing

@testable import Evaluation
@testable import LoadCommands
@testable import LoadGenerator

@Suite("Merged shares of a load")
struct LoadAPNsMergerTests {
    private let scratch = Scratch()

    private static let settings = [
        ("endpoint", "https://localhost:1"), ("rate", "50/s"), ("ramp", ""), ("profile", ""), ("duration", "2s"),
        ("warm_up", "500ms"), ("connections", "4"), ("threads", "2"),
    ]

    /// The outcome of a push by its number, so that all outcomes and different times occur.
    private static func record(_ number: Int, of plan: RatePlan, in tally: inout LoadTally) {
        let due = NIODeadline.uptimeNanoseconds(1_000_000_000) + .nanoseconds(plan.due(number))
        let outcomes: [APNsOutcome] = [
            .answered(APNsAnswer(status: 200)), .answered(APNsAnswer(status: 200)),
            .answered(APNsAnswer(status: 429, reason: "TooManyRequests")), .timedOut, .connectionLost, .notProcessed,
            .notSent,
        ]
        let completion = APNsCompletion(
            number: UInt64(number),
            outcome: outcomes[number % outcomes.count],
            due: due,
            sent: due + .microseconds(Int64(number)),
            done: due + .microseconds(Int64(number * number * 97 + 31))
        )
        tally.record(completion, dueAfter: plan.due(number), isRetry: number.isMultiple(of: 7), firstDue: due)
        tally.recordLateness(from: due, to: due + .microseconds(Int64(number)))
        if number.isMultiple(of: 10) { tally.givenUp += 1 }
        if number.isMultiple(of: 15) { tally.withheld += 1 }
        if number.isMultiple(of: 6) { tally.recordNotAccepted(from: due, to: completion.done) }
    }

    private static func outcome(_ share: LoadShare, endedEarly: Bool = false) throws -> LoadAPNsOutcome {
        let plan = try RatePlan.constant(perSecond: 50, for: .seconds(2))
        var tally = LoadTally()
        let ran = endedEarly ? TimeSpan.seconds(1) : plan.duration
        for number in stride(
            from: share.number - 1,
            to: plan.dueCount(at: ran.microseconds * 1000 - 1),
            by: share.count
        )
        where plan.due(number) >= 500_000_000 {
            record(number, of: plan, in: &tally)
        }
        var notes = APNsPoolNotes()
        notes.connections = 4
        return LoadAPNsOutcome(
            tally: tally,
            duration: ran,
            warmUp: .milliseconds(500),
            connections: notes,
            plan: plan,
            shares: share == .whole ? [] : [.init(share: share, ran: ran)],
            earlyEnd: endedEarly ? EarlyEndMark(cause: .interrupted, ran: ran, planned: plan.duration) : nil
        )
    }

    /// A share that was written to its file and read again.
    private func share(
        _ number: Int,
        of count: Int,
        start: Int64 = 1_700_000_000_000_000,
        seed: UInt64 = 3,
        changing changed: (name: String, value: String)? = nil,
        endedEarly: Bool = false
    ) throws -> LoadAPNsShare {
        let share = LoadShare(number, of: count)
        let settings =
            Self.settings.map { $0.0 == changed?.name ? ($0.0, changed?.value ?? "") : $0 }
            + [("share", share.text), ("start_at", "\(start)")]
        let outcome = try Self.outcome(share, endedEarly: endedEarly)
        let written = LoadAPNsShare(outcome, of: share, start: start, seed: seed, settings: settings)
        try scratch.write(written.text, to: LoadAPNsShare.fileName)
        let read = try LoadAPNsShare(directory: scratch.path)
        #expect(read.text == written.text)
        return read
    }

    private static func merger(_ shares: [LoadAPNsShare]) -> (merger: LoadAPNsMerger, problems: [String]) {
        var merger = LoadAPNsMerger()
        let problems = shares.enumerated().flatMap { merger.add($1, from: "/\($0 + 1)") }
        return (merger, problems)
    }

    @Test(
        "All shares together have the results of one generator: every row, second, bucket and chart",
        arguments: 1...5
    )
    func whole(_ count: Int) throws {
        let shares = try (1...count).map { try share($0, of: count) }
        // The order of shares has no effect.
        let (merger, problems) = Self.merger(shares.reversed())
        #expect(problems.isEmpty && merger.gaps.isEmpty)
        let (outcome, results, threads) = try merger.merged()
        let alone = try Self.outcome(.whole)
        var expected = LoadReport(load: "load apns", seed: 3, settings: results.settings, rows: alone.rows)
        alone.describe(&expected)
        #expect(outcome.tally.json == alone.tally.json)
        #expect(threads == 2 * count)
        let own = Set(["connections_made_count"])
        #expect(results.rows.filter { !own.contains($0.metric) } == expected.rows.filter { !own.contains($0.metric) })
        #expect(results.rows.first { own.contains($0.metric) }?.value == .integer(Int64(4 * count)))
        #expect(results.course == expected.course)
        #expect(results.settings.first { $0.name == "connections" }?.value == "\(4 * count)")
        #expect(!results.settings.contains { ["share", "start_at"].contains($0.name) })
        for (name, file) in files(expected) where !["report.md", "run.json", "summary.csv"].contains(name) {
            #expect(files(results)[name] == file, "\(name)")
        }
        #expect(results.merger?.isPart == false)
        let run = try #require(files(results)["run.json"])
        #expect(run.contains(#""is_part": false"#) && run.contains(#""merged_count": \#(count)"#), "\(run)")
    }

    private func files(_ results: LoadReport) -> [String: String] {
        Dictionary(uniqueKeysWithValues: RunFiles(results).files.map { ($0.path, $0.text) })
    }

    @Test("Shares of different loads are rejected, and each difference is named")
    func others() throws {
        let first = try share(1, of: 2)
        func problems(_ other: LoadAPNsShare) -> [String] { Self.merger([first, other]).problems }
        let cases: [(LoadAPNsShare, String)] = [
            (try share(2, of: 2, seed: 4), "--seed is 4, not 3"),
            (try share(2, of: 3), "the number of shares is 3, not 2"),
            (
                try share(2, of: 2, start: 5),
                "the beginning [µs since 1970] is 5, not 1700000000000000"
            ),
            (try share(2, of: 2, changing: ("rate", "60/s")), #"--rate is "60/s", not "50/s""#),
            (
                try share(2, of: 2, changing: ("endpoint", "https://h:2")),
                #"--endpoint is "https://h:2", not "https://localhost:1""#
            ),
            (try share(2, of: 2, changing: ("warm_up", "1s")), #"--warm-up is "1s", not "500ms""#),
        ]
        for (other, words) in cases {
            #expect(problems(other) == ["/2 is not of the same load as /1: \(words)"])
        }
        #expect(problems(first) == ["share 1/2 is there twice: /1, /2"])
        // The number of connections may differ between processes.
        #expect(problems(try share(2, of: 2, changing: ("connections", "9"))).isEmpty)
    }

    @Test("Shares that are missing or were ended early are named; if merged anyway, the results say so")
    func gaps() throws {
        let shares = [
            try share(1, of: 4), try share(3, of: 4, endedEarly: true),
        ]
        let (merger, problems) = Self.merger(shares)
        #expect(problems.isEmpty)
        #expect(
            merger.gaps == ["of 4 shares there are none with the numbers 2, 4", "share 3/4 was ended early: /2"]
        )
        let (outcome, results, _) = try merger.merged()
        // A quarter of 100 pushes, and a quarter of the first 50.
        #expect(outcome.dueCount(of: try #require(outcome.plan), at: 1_999_999_999) == 25 + 12)
        let mark = try #require(results.merger)
        #expect(mark.isPart && mark.missing == [2, 4] && mark.endedEarly == [3] && mark.merged == [1, 3])
        let report = try #require(files(results)["report.md"])
        #expect(
            report.contains(
                "✗ Merged from a part: 2 of 4 shares. All numbers here, including thresholds, cover only that part. Missing: 2, 4. "
                    + "Ended early: 3."
            )
        )
        #expect(files(results)["run.json"]?.contains(#""is_part": true"#) == true)
    }

    @Test("A share that sent late is named")
    func late() throws {
        var outcome = try Self.outcome(LoadShare(1, of: 1))
        let due = NIODeadline.uptimeNanoseconds(0)
        for _ in 0..<100 { outcome.tally.recordLateness(from: due, to: due + .seconds(1)) }
        let share = LoadAPNsShare(outcome, of: .whole, start: 1, seed: 1, settings: Self.settings)
        try scratch.write(share.text, to: LoadAPNsShare.fileName)
        let (merger, _) = Self.merger([try LoadAPNsShare(directory: scratch.path)])
        let results = try merger.merged().results
        #expect(results.merger?.late == [1] && results.lateness?.isTooLate == true)
        #expect(results.merger?.sentence.contains("Sent late") == true)
    }

    @Test("The shares of a replay have the plan of the whole log; wrong numbers of it are rejected")
    func replay() throws {
        let replay = LoadAPNsShare.Replay(
            counts: [30, 0, 70],
            step: .milliseconds(500),
            duration: .seconds(2),
            notes: ["a log"]
        )
        func written(_ number: Int, log: String) throws -> String {
            let share = LoadShare(number, of: 2)
            let settings = Self.settings + [("share", share.text), ("start_at", "1"), ("replay", log)]
            return LoadAPNsShare(
                try Self.outcome(share),
                of: share,
                start: 1,
                seed: 3,
                settings: settings,
                replay: replay
            )
            .text
        }
        func read(_ text: String) throws -> LoadAPNsShare {
            try scratch.write(text, to: LoadAPNsShare.fileName)
            return try LoadAPNsShare(directory: scratch.path)
        }
        // Each machine has its own copy of the log.
        let shares = try [read(written(1, log: "/a/log.csv")), read(written(2, log: "/b/log.csv"))]
        #expect(shares.allSatisfy { $0.replay == replay })
        let (merger, differences) = Self.merger(shares)
        #expect(differences.isEmpty)
        let (outcome, results, _) = try merger.merged()
        let plan = try #require(outcome.plan)
        #expect(plan.total == 100 && plan.dueCount(at: 499_999_999) == 30 && plan.dueCount(at: 999_999_999) == 30)
        #expect(results.notes.contains("a log") && results.rows.contains { $0.scope == "kind:log" })
        let text = try written(1, log: "log.csv")
        for (old, new) in [
            ("[30,0,70]", "[30,0,-70]"), ("[30,0,70]", "[30,0,\"70\"]"), ("[30,0,70]", "[30,0,70,1,1]"),
            ("\"step_us\":500000", "\"step_us\":0"), ("\"duration_us\":2000000", "\"duration_us\":-1"),
        ] {
            #expect(text.contains(old), "\(old)")
            let damaged = LoadAPNsShare.ReadError.damaged(scratch.path)
            #expect(throws: damaged, "\(new)") { _ = try read(text.replacing(old, with: new)) }
        }
    }

    @Test("A share's file that is truncated, changed or missing is rejected")
    func damaged() throws {
        let text = try share(1, of: 2).text
        let damaged = LoadAPNsShare.ReadError.damaged(scratch.path)
        let changes: [(String, String)] = [
            ("\"share\":\"1/2\"", "\"share\":\"3/2\""), ("\"accepted\":", "\"accepted\":1"),
            ("\"first_attempts\":", "\"first_attempts\":-"), ("\"latency_us\":[", "\"latency_us\":[1,"),
            ("\"latency_us\":[", "\"latency_us\":[18446744073709551615,1,"),
            ("\"latency_us\":[", "\"latency_us\":[7,999999999999999,"), ("\"ran_us\":", "\"ran_us\":-"),
        ]
        for (old, new) in changes {
            #expect(text.contains(old), "\(old)")
            try scratch.write(text.replacingOccurrences(of: old, with: new), to: LoadAPNsShare.fileName)
            #expect(throws: damaged, "\(new)") { try LoadAPNsShare(directory: scratch.path) }
        }
        for length in [0, 1, text.count / 2, text.count - 3] {
            try scratch.write(String(text.prefix(length)), to: LoadAPNsShare.fileName)
            #expect(throws: damaged) { try LoadAPNsShare(directory: scratch.path) }
        }
        #expect(throws: LoadAPNsShare.ReadError.missing("/nowhere")) { try LoadAPNsShare(directory: "/nowhere") }
    }
}
