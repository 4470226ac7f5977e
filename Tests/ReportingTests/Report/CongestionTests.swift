import Evaluation
import LiveActivityModel
import Quantities
import SimulationKernel
import Testing

@testable import Reporting

@Suite("Congestion of senders")
struct CongestionTests {
    /// A ride of 100 s, one stream, and requests of 30 s, in windows of 10 s.
    ///
    /// An update at 10 s is sent at once, one at 12.5 s waits until 40 s, one at 45 s until 70 s.
    static func scenario() -> Scenario {
        var scenario = Scenario()
        scenario.clock.duration = .seconds(100)
        scenario.clock.drain = .seconds(100)
        scenario.clock.window = .seconds(10)
        scenario.clock.startsAt = .hours(12)
        scenario.rides.arrivals.process = .even
        scenario.rides.arrivals.count = 1
        scenario.rides.arrivals.spread = .seconds(1)
        scenario.rides.stages = [Scenario.Stage(name: "ride", duration: .constant(100e6))]
        scenario.devices.initialContentLimit = nil
        scenario.monitor.enabled = false
        scenario.content.updatesAt = [10, 12.5, 45].map { TimeSpan(microseconds: Int64($0 * 1e6)) }
        scenario.sender.connections = 1
        scenario.sender.streams = 1
        scenario.sender.requestTime = .constant(30e6)
        scenario.sender.timeout = .hours(1)
        return scenario
    }

    private func second(_ number: Int64) -> Instant { .start + .seconds(number) }

    @Test("A window counts if a push waits during half of it; the longest queue is in the first of equal windows")
    func windows() async throws {
        let result = try await RunResult.running(Self.scenario())
        let all = Congestion.all(in: result)
        #expect(all.map(\.from) == [second(10)] && all.map(\.until) == [second(70)])
        let one = try #require(all.first)
        #expect(one.bottleneck == .streams && one.mostQueued == 1 && !one.isOpen)
        #expect(one.longestFrom == second(10) && one.longestUntil == second(20))
        let sentence = try #require(Congestion.sentences(of: result).first)
        #expect(
            sentence.hasPrefix(
                "Sender streams: full from 12:00:10 to 12:01:10; the queue was longest from 12:00:10 to 12:00:20 (1 push) "
                    + "and empty again by 12:01:10."
            ),
            "\(sentence)"
        )
        let report = Report(result).blocks.markdown
        #expect(report.contains("\n## Capacity\n\n**\(sentence)"), "\(report)")
        #expect(
            Report(result).summaryTable.replacing("\n", with: " ")
                .contains(
                    " capacity: Sender streams full from 12:00:10 to 12:01:10, queue of up to 1 push, empty again by 12:01:10 "
                )
        )
        #expect(Chart.charts(result).map(\.name).suffix(2) == ["streams", "queue"])
    }

    @Test("The worst congestion comes first in sentences; the table is in order of time")
    func order() async throws {
        var scenario = Self.scenario()
        scenario.clock.duration = .seconds(300)
        scenario.rides.stages[0].duration = .constant(300e6)
        // One push waits for 20 s, later three wait for longer and longer.
        scenario.content.updatesAt = [0, 10, 100, 101, 102, 103].map { .seconds($0) }
        let result = try await RunResult.running(scenario)
        let all = Congestion.all(in: result)
        let clock = ClockTime(scenario)
        #expect(all.map(\.mostQueued) == [1, 3])
        #expect(Congestion.worstFirst(all) == [all[1], all[0]])
        #expect(Congestion.sentences(of: result)[0].contains(" (3 pushes) "))
        let line = try #require(Congestion.line(of: all, in: result))
        #expect(line.contains(", queue of up to 3 pushes, "), "\(line)")
        #expect(line.hasSuffix("; the worst of 2, see report.md"), "\(line)")
        let table = Congestion.table(of: all, in: result)
        #expect(table.rows.map { $0[2] } == ["1", "3"])
        #expect(Congestion.table(of: all, in: result, atMost: 1).rows.map { $0[2] } == ["3"])
        #expect(Report(result).blocks.markdown.contains("The sentences begin with the worst: "))
        // A brief begins with the first.
        let (first, worst) = (all[0].course(by: clock), all[1].course(by: clock))
        #expect(first.hasPrefix("full from 12:00:10 to ") && worst.contains(", queue of up to 3 pushes, "))
        #expect(
            Report(result).firstLimit == [
                "First limit reached: sender streams, \(first). The worst of 2: Sender streams \(worst).",
                "A window of 10 s counts as full if pushes waited during at least half of it.",
                "APNs itself has no limit in this scenario.",
            ],
            "\(Report(result).firstLimit)"
        )
        let twice = try await RunResult.running(scenario, replications: 2)
        #expect(
            Report(twice).firstLimit[0]
                .hasPrefix(
                    "First limit reached: sender streams, full in 2 of 2 replications, at the earliest from 12:00:10; at the latest, "
                ),
            "\(Report(twice).firstLimit)"
        )
        var live = result
        live.realTime = .beside(speed: 60)
        #expect(Report(live).firstLimit.isEmpty)
        let files = RunFiles(result).files
        #expect(
            files.first { $0.path == "run.json" }?.text.contains("\"capacity\": [\n    \"First limit reached: ") == true
        )
    }

    @Test("A paused sender and a rate limit are named; a run may end with a queue")
    func bottlenecks() async throws {
        var paused = Self.scenario()
        paused.sender.streams = 10
        paused.faults = [Scenario.Fault(kind: .senderPaused, at: .seconds(8), duration: .seconds(40))]
        let pause = try #require(Congestion.all(in: try await RunResult.running(paused)).first)
        #expect(pause.bottleneck == .pause && pause.from == second(10) && pause.until == second(50))
        // The queue drains three seconds into the next window.
        paused.faults[0].duration = .seconds(45)
        let drained = try #require(Congestion.all(in: try await RunResult.running(paused)).first)
        #expect(drained.until == second(50) && drained.emptyBy == second(60))
        var limited = Self.scenario()
        limited.sender.streams = 10
        limited.sender.rateLimit = Scenario.RateLimit()
        limited.sender.rateLimit?.perSecond = 0.01
        limited.sender.rateLimit?.burst = 1
        limited.clock.drain = .zero
        let limit = try #require(Congestion.all(in: try await RunResult.running(limited)).first)
        #expect(limit.bottleneck == .rateLimit && limit.isOpen)
    }

    @Test("A fault that holds requests back is named, because more connections do not end an outage")
    func faults() async throws {
        func scenario(_ kind: Scenario.Fault.Kind, at: Int64, for seconds: Int64 = 3) -> Scenario {
            var scenario = Self.scenario()
            scenario.faults = [Scenario.Fault(kind: kind, at: .seconds(at), duration: .seconds(seconds))]
            return scenario
        }
        // No request begins in these three seconds, so the queue is the same as without the fault.
        let result = try await RunResult.running(scenario(.apnsSlow, at: 20), replications: 1)
        let sentences = Congestion.sentences(of: result)
        #expect(
            sentences[0]
                .hasPrefix(
                    "Sender streams: full from 12:00:10 to 12:01:10, with a fault (APNs slow, 12:00:20 to 12:00:23); the queue"
                )
        )
        let advice = "A queue that begins with a fault is no proof of too few connections: a run without faults"
        #expect(!sentences.contains { $0.hasPrefix(advice) }, "the queue was there before the fault")
        let earlier = try await RunResult.running(scenario(.apnsSlow, at: 8), replications: 1)
        #expect(Congestion.sentences(of: earlier).contains { $0.hasPrefix(advice) })
        #expect(Report(earlier).firstLimit[1].hasPrefix(advice), "\(Report(earlier).firstLimit)")
        #expect(
            Report(result).summaryTable.replacing("\n", with: " ")
                .contains("full from 12:00:10 to 12:01:10 with a fault (APNs slow, 12:00:20 to 12:00:23)")
        )
        let table = Congestion.table(of: Congestion.all(in: result), in: result)
        #expect(table.rows[0].prefix(3) == ["Sender streams", "APNs slow", "12:00:10"])
        let both = try await RunResult.running(scenario(.apnsSlow, at: 20), replications: 2)
        #expect(
            Congestion.sentences(of: both)[0]
                .hasPrefix(
                    "Sender streams: full in 2 of 2 replications, in 2 of them with a fault (APNs slow, 12:00:20 to 12:00:23), at"
                )
        )
        // One in the window before counts, one afterwards or of posts of tokens does not.
        let other: [(Scenario.Fault.Kind, at: Int64, Bool)] = [
            (.apnsSlow, 2, true), (.apnsSlow, 80, false), (.devicesOffline, 20, true), (.tokenPostDown, 20, false),
        ]
        for (kind, at, isNamed) in other {
            let first = try #require(Congestion.all(in: try await RunResult.running(scenario(kind, at: at))).first)
            #expect(first.faults.isEmpty != isNamed, "\(kind) at \(at) s")
        }
    }

    @Test("A congestion that is there when measuring starts has no begin")
    func openAtBegin() async throws {
        var scenario = Self.scenario()
        scenario.clock.warmUp = .seconds(20)
        let result = try await RunResult.running(scenario)
        let start = "Sender streams: already full when measuring starts at 12:00:20, until 12:01:10; the queue was "
        #expect(Congestion.sentences(of: result)[0].hasPrefix(start), "\(Congestion.sentences(of: result))")
        #expect(
            Report(result).firstLimit[0]
                .hasPrefix(
                    "First limit reached: sender streams, already full when measuring starts at 12:00:20, until 12:01:10,"
                )
        )
        let twice = try await RunResult.running(scenario, replications: 2)
        #expect(
            Congestion.sentences(of: twice)[0]
                .hasPrefix(
                    "Sender streams: full in 2 of 2 replications, already when measuring starts at 12:00:20; at the latest"
                )
        )
    }

    @Test("Over several replications, separate episodes stay separate")
    func episodes() async throws {
        var scenario = Self.scenario()
        scenario.clock.duration = .seconds(300)
        scenario.rides.stages[0].duration = .constant(300e6)
        scenario.content.updatesAt = [0, 10, 100, 101, 102, 103].map { .seconds($0) }
        let result = try await RunResult.running(scenario, replications: 2)
        let all = Congestion.all(in: result)
        let episodes = Congestion.episodes(of: all)
        #expect(episodes.map { $0.map(\.replication) } == [[0, 1], [0, 1]])
        #expect(Congestion.worstEpisode(of: episodes) == episodes[1] && Congestion.worstEpisode(of: []) == nil)
        let clock = ClockTime(scenario)
        let (first, second) = (episodes[0][0], episodes[1][0])
        #expect(
            Congestion.sentences(of: result)[0]
                .hasPrefix(
                    "Sender streams: the worst of 2 times, full in 2 of 2 replications, at the earliest from \(clock.short(second.from)); "
                        + "at the latest, the queue was empty again by \(clock.short(second.emptyBy))"
                ),
            "\(Congestion.sentences(of: result))"
        )
        let limit = Report(result).firstLimit[0]
        #expect(
            limit.hasPrefix(
                "First limit reached: sender streams, full in 2 of 2 replications, at the earliest from \(clock.short(first.from)); at the "
                    + "latest, the queue was empty again by \(clock.short(first.emptyBy))"
            ),
            "\(limit)"
        )
        #expect(
            limit.contains(
                " The worst of 2: full in 2 of 2 replications, at the earliest from \(clock.short(second.from)); "
            )
        )
        #expect(!limit.contains("as before not"))
    }

    @Test(
        "A budget that withholds retries only while nothing arrives is no limit that was reached first",
        arguments: [(Scenario.Fault.Kind.apnsSilent, "APNs was silent"), (.apnsUnavailable, nil)]
            as [(Scenario.Fault.Kind, String?)]
    )
    func idleBudget(kind: Scenario.Fault.Kind, cause: String?) async throws {
        var scenario = Scenario.oneRide
        scenario.monitor.retry.budget = Scenario.Budget()
        scenario.monitor.retry.budget?.capacity = 1
        scenario.monitor.retry.budget?.perSecond = 0.001
        scenario.clock.startsAt = .hours(12)
        // The whole run is in the fault.
        scenario.faults = [Scenario.Fault(kind: kind, at: .zero, duration: .hours(24))]
        let report = Report(try await RunResult.running(scenario))
        let (limits, line) = (report.firstLimit, report.capacityLine([]))
        let withheld = try #require(limits.first { $0.contains("etry budget") })
        guard let cause else {
            #expect(limits[0].hasPrefix("First limit reached: the monitor's retry budget") && withheld == limits[0])
            #expect(!withheld.contains("sent then"))
            return
        }
        #expect(limits[0].hasPrefix("Pushes never waited: "), "\(limits)")
        #expect(withheld.hasPrefix("The monitor's retry budget withheld "))
        #expect(withheld.contains("; all of them while \(cause) (12:00 to "), "\(withheld)")
        #expect(withheld.hasSuffix("): sent then, none would have arrived."), "\(withheld)")
        #expect(line.contains(withheld))
    }

    @Test("Replications are counted, not averaged")
    func replications() async throws {
        let result = try await RunResult.running(Self.scenario(), replications: 2)
        #expect(Congestion.all(in: result).map(\.replication) == [0, 1])
        #expect(
            Congestion.sentences(of: result) == [
                "Sender streams: full in 2 of 2 replications, at the earliest from 12:00:10; at the latest, the queue was "
                    + "empty again by 12:01:10."
            ]
        )
        let table = Congestion.table(of: Congestion.all(in: result), in: result, atMost: 1)
        #expect(table.rows.map { $0[0] } == ["0"])
    }

    @Test("Without congestion, the report has the highest use, and charts only from half of the streams on")
    func none() async throws {
        var scenario = Self.scenario()
        scenario.sender.streams = 100
        let result = try await RunResult.running(scenario)
        let text = Report(result).blocks.markdown
        #expect(
            text.contains("**Nothing saturated: at most 2 of 100 streams were in use at a time (2.00 %).**"),
            "\(text)"
        )
        #expect(!Chart.charts(result).map(\.name).contains("streams"))
        // An outage makes the monitor retry, but it may not.
        var outage = Scenario.oneRide
        outage.monitor.retry.budget = Scenario.Budget()
        outage.monitor.retry.budget?.capacity = 1
        outage.monitor.retry.budget?.perSecond = 0.001
        let withheld = Report(try await RunResult.running(outage)).blocks.markdown
        #expect(withheld.contains("**Pushes never waited: at most "))
        #expect(withheld.contains("The monitor's retry budget withheld "), "\(withheld)")
        scenario.sender.streams = 1
        // It waits for 2 s of a window of 10 s.
        scenario.content.updatesAt = [.seconds(10), .seconds(38)]
        let full = try await RunResult.running(scenario)
        #expect(Report(full).blocks.markdown.contains("**No lasting queue: at most 1 of 1 stream was in use"))
        #expect(Chart.charts(full).map(\.name).contains("streams"))
        // All streams in use are no queue.
        scenario.sender.streams = 2
        scenario.content.updatesAt = [.seconds(10), .seconds(12)]
        let exact = Report(try await RunResult.running(scenario))
        let use = "Pushes never waited: at most 2 of 2 streams were in use at a time (100.00 %)."
        #expect(exact.firstLimit.first == use, "\(exact.firstLimit)")
        #expect(exact.shortCapacityLine == "capacity: at most 2 of 2 streams in use, pushes never waited")
    }
}
