import Evaluation
import Foundation
import LiveActivityModel
import ModelChecks
import Quantities
import ScenarioLanguage
import SimulationKernel
import TestSupport
import Testing

@testable import Studies
@testable import Traces

/// The closed loop: a run writes what a server can know, and the log gives its parameters back.
@Suite("Event logs of runs")
struct EventLogRunTests {
    private let scratch = Scratch()

    private static let town = """
        name: town
        seed: 5
        cells: 3
        clock: {duration: 2h, window: 15m, starts_at: "06:00"}
        rides:
          arrivals: {process: poisson, rates_per_hour: [400]}
          stages:
            - {name: matching, duration: {exponential: {mean: 1m}}}
            - {name: on_trip, duration: {gamma: {shape: 4, scale: 2m}}, refresh: {lognormal: {median: 30s, p95: 60s}}}
          cancellation: {share: 20%, after: {exponential: {mean: 1m}}, until_stage: matching}
        content: {ttl: 90s}
        devices:
          activities_enabled: 80%
          token: {never: 5%, delay: {exponential: {mean: 2s}}}
        apns:
          reasons: {TooManyRequests: 1%}
        sender: {request_time: {lognormal: {median: 100ms, p95: 300ms}}, timeout: 5s}
        faults:
          - {kind: apns_silent, at: 40m, duration: 5m, share: 60%}
          - {kind: apns_slow, at: 80m, duration: 6m, factor: 4}

        """

    /// The town, with rides of six stages.
    private static let longTown = town.replacing(
        "  cancellation",
        with: (1...4).map { "    - {name: stop_\($0), duration: {exponential: {mean: 1m}}, refresh: 25s}\n" }.joined()
            + "  cancellation"
    )

    /// Writes the log of a run and returns its text and the result's fingerprint.
    static func log(
        _ yaml: String,
        to path: String,
        jobs: Int,
        speculation: Speculation = .accelerated,
        withScreens: Bool = false
    ) async throws -> (Data, RunResult) {
        let world = try ScenarioLoader.world(ScenarioReader.read(yaml: yaml, named: "town.yaml"))
        let spool = EventLogSpool(path: path, withScreens: withScreens)
        let result = try await RunEngine(world: world, jobs: jobs, speculation: speculation, eventLog: spool)
            .run(progress: RunProgress())
        let writer = EventLogWriter(
            path.hasSuffix("csv") ? .csv : .ndjson,
            stages: world.scenario.rides.stages.map(\.name),
            origin: world.scenario.clock.start.timeOfDay.microseconds
        )
        #expect(try spool.finish(writer) > 1000)
        return (try Data(contentsOf: URL(fileURLWithPath: path)), result)
    }

    @Test("Threads and speculation change no byte of a log, a log changes nothing of the run, and no part stays behind")
    func deterministic() async throws {
        let (one, result) = try await Self.log(Self.town, to: scratch.path("one.ndjson"), jobs: 1)
        let (two, _) = try await Self.log(Self.town, to: scratch.path("two.ndjson"), jobs: 2)
        let (plain, _) = try await Self.log(Self.town, to: scratch.path("plain.ndjson"), jobs: 2, speculation: .none)
        #expect(one == two && one == plain)
        let world = try ScenarioLoader.world(ScenarioReader.read(yaml: Self.town, named: "town.yaml"))
        let bare = try await RunEngine(world: world, jobs: 2).run(progress: RunProgress())
        #expect(bare.fingerprint == result.fingerprint)
        #expect(bare.total == result.total)
        #expect(scratch.names == ["one.ndjson", "plain.ndjson", "two.ndjson"])
        #expect(!String(decoding: one, as: UTF8.self).contains("token\":"))
    }

    @Test("Pushes have the length of their payloads if the scenario has one", arguments: ["log.ndjson", "log.csv"])
    func payloads(name: String) async throws {
        let path = scratch.path(name)
        for bytes in [0, 700] {
            let town =
                bytes == 0
                ? Self.town : Self.town.replacing("{ttl: 90s}", with: "{ttl: 90s, payload: {bytes: \(bytes)}}")
            _ = try await Self.log(town, to: path, jobs: 2)
            let reader = try LogPushReader(files: [path])
            var sizes: Set<Int?> = []
            while let push = try reader.next() { if push.kind == .update { sizes.insert(push.payloadBytes) } }
            #expect(sizes == [bytes == 0 ? nil : bytes])
        }
    }

    @Test("A log gives the parameters and incidents of its run back", arguments: ["log.ndjson", "log.csv"])
    func closedLoop(name: String) async throws {
        let path = scratch.path(name)
        _ = try await Self.log(Self.town, to: path, jobs: 2)
        let calibration = try LogCalibration.of(files: [path], name: "again")
        func expect(_ key: String, _ truth: Double, within tolerance: Double) {
            guard let value = calibration.values.first(where: { $0.key == key }) else {
                Issue.record("no value of \(key)")
                return
            }
            #expect(abs(value.estimate - truth) <= tolerance * truth, "\(key): \(value.estimate)")
        }
        // Each tolerance is about three standard errors.
        expect("content.ttl", 90e6, within: 0.0001)
        expect("rides.arrivals.rates_per_hour.0", 400, within: 0.3)
        expect("rides.stages.matching.duration", 60e6 * 0.6931, within: 0.15)
        expect("rides.stages.on_trip.duration", 480e6 * 0.918, within: 0.1)
        expect("rides.stages.on_trip.refresh", 30e6, within: 0.04)
        expect("rides.cancellation.share", 0.2, within: 0.35)
        expect("devices.activities_enabled", 0.8, within: 0.06)
        expect("devices.token.never", 0.05, within: 0.6)
        expect("sender.request_time", 100e3, within: 0.05)
        expect("apns.reasons.TooManyRequests", 0.01, within: 0.3)
        let incidents = calibration.incidents.incidents
        #expect(incidents.map(\.kind) == [.apnsSilent, .apnsSlow])
        let origin = calibration.digest.origin
        for (incident, truth) in zip(incidents, [(2400.0, 2700.0), (4800, 5160)]) {
            #expect(abs(Double(incident.from - origin) / 1e6 - truth.0) <= 15)
            #expect(abs(Double(incident.until - origin) / 1e6 - truth.1) <= 15)
        }
        #expect(abs((incidents.first?.size ?? 0) - 0.6) < 0.1)
        #expect(abs((incidents.last?.size ?? 0) - 4) < 0.5)
        // The scenario can be run.
        let loaded = try ScenarioReader.read(yaml: calibration.yaml, named: "again.yaml")
        #expect(loaded.scenario.faults.count == 2)
        #expect(loaded.scenario.clock.start.timeOfDay == .hours(6))
    }

    private static let city = """
        name: city
        seed: 5
        cells: 3
        clock: {duration: 1h, window: 15m, starts_at: "06:00"}
        rides:
          arrivals: {process: poisson, rates_per_hour: [1500]}
          stages:
            - {name: matching, duration: {exponential: {mean: 1m}}}
            - {name: on_trip, duration: {gamma: {shape: 4, scale: 1m}}, refresh: {lognormal: {median: 30s, p95: 60s}}}
        content: {ttl: 60s}
        devices: {activities_enabled: 80%, token: {delay: {exponential: {mean: 2s}}, post_attempts: 100}}
        sender: {request_time: {lognormal: {median: 2s, p95: 4s}}, timeout: 20s}
        faults:

        """

    @Test(
        "Each kind of incident is found by what it leaves in a log",
        arguments: [
            "connection_lost", "devices_offline", "monitor_paused", "content_down", "sender_paused", "token_post_down",
        ]
    )
    func incident(kind: String) async throws {
        let path = scratch.path("log.csv")
        let length = kind == "connection_lost" ? "" : ", duration: 8m"
        _ = try await Self.log(Self.city + "  - {kind: \(kind), at: 30m\(length)}\n", to: path, jobs: 2)
        let calibration = try LogCalibration.of(files: [path], name: "again")
        let incidents = calibration.incidents.incidents
        #expect(incidents.map(\.kind.rawValue) == [kind])
        let incident = try #require(incidents.first)
        let origin = calibration.digest.origin
        #expect(abs(Double(incident.from - origin) / 1e6 - 1800) <= 15)
        if !length.isEmpty { #expect(abs(Double(incident.until - origin) / 1e6 - 2280) <= 15) }
        let loaded = try ScenarioReader.read(yaml: calibration.yaml, named: "again.yaml")
        #expect(loaded.scenario.faults.map(\.kind.rawValue) == [kind])
    }

    @Test("Attempts that time out together are no lost connection, if the log has no ids of requests")
    func withoutIDs() async throws {
        let path = scratch.path("log.ndjson")
        let yaml = try String(contentsOfFile: ShippedScenario("live-outage").path, encoding: .utf8)
        let (text, _) = try await Self.log(yaml, to: path, jobs: 2)
        try String(decoding: text, as: UTF8.self).replacing(/"push":"[^"]*",/, with: "")
            .write(toFile: path, atomically: true, encoding: .utf8)
        let calibration = try LogCalibration.of(files: [path], name: "again")
        #expect(calibration.digest.uncertainAnswers > 0)
        let kinds = calibration.incidents.incidents.map(\.kind)
        #expect(kinds.contains(.apnsSilent) && !kinds.contains(.connectionLost), "\(kinds)")
    }

    @Test("A run like any other has no incidents", arguments: [11, 12, 13])
    func quiet(seed: Int) async throws {
        let path = scratch.path("log.ndjson")
        let end = Self.town.firstRange(of: "faults:")?.lowerBound ?? Self.town.endIndex
        let yaml = Self.town[..<end].replacing("seed: 5", with: "seed: \(seed)")
        _ = try await Self.log(String(yaml), to: path, jobs: 2)
        let calibration = try LogCalibration.of(files: [path], name: "again")
        #expect(calibration.incidents.incidents.isEmpty)
    }

    @Test("The scenario that wrote a log reproduces its believed freshness; one with rarer refreshes does not")
    func backtest() async throws {
        let path = scratch.path("log.ndjson")
        _ = try await Self.log(Self.longTown, to: path, jobs: 2)
        let calibration = try LogCalibration.of(files: [path], name: "again", keepsRides: true)
        func fresh(_ change: (inout Scenario) -> Void = { _ in }) async throws -> Backtest.Comparison? {
            var scenario = try ScenarioReader.read(yaml: Self.longTown, named: "town.yaml").scenario
            change(&scenario)
            let backtest = try await Backtest.run(
                calibration.digest,
                stages: calibration.stages,
                scenario: scenario,
                replications: 6,
                jobs: 2
            )
            #expect(backtest.tracedRides == calibration.digest.rides.count && backtest.tracedRides > 500)
            return backtest.totals.first { $0.measure == .believedFresh }
        }
        let right = try await fresh()
        #expect(abs(right?.difference ?? 1) < 0.01)
        let wrong = try await fresh { $0.rides.stages[1].refresh = .constant(200e6) }
        #expect(wrong.map { !$0.isWithin } ?? false)
    }

    @Test(
        "A day without faults is believed fresh from the first token on; without stale dates of starts, on neither side"
    )
    func initialContent() async throws {
        let end = try #require(Self.town.firstRange(of: "faults:"))
        // Refreshes come long after the start, which has fresh content.
        let yaml = String(Self.town[..<end.lowerBound]).replacing("{exponential: {mean: 1m}}}\n", with: "30s}\n")
        for name in ["log.ndjson", "log.csv", "without.ndjson"] {
            let path = scratch.path(name)
            let (text, _) = try await Self.log(yaml, to: path, jobs: 2)
            let isStated = !name.hasPrefix("without")
            if !isStated {
                try String(decoding: text, as: UTF8.self).split(separator: "\n")
                    .map {
                        $0.contains("activity_started") ? String($0).replacing(/,"stale_us":\d+/, with: "") : String($0)
                    }
                    .joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
            }
            let calibration = try LogCalibration.of(files: [path], name: "again", keepsRides: true)
            let backtest = try await Backtest.run(
                calibration.digest,
                stages: calibration.stages,
                scenario: ScenarioReader.read(yaml: yaml, named: "town.yaml").scenario,
                replications: 4,
                jobs: 2
            )
            let fresh = try #require(backtest.believedFresh)
            #expect(backtest.countsInitialContent == isStated)
            #expect((fresh.log > 0.99) == isStated && (fresh.model > 0.99) == isStated, "\(name): \(fresh)")
            #expect(abs(fresh.difference) < 0.01, "\(name): \(fresh)")
        }
    }

    @Test("A backtest names the scenario's faults at whose time the log shows none, and the other way round")
    func faultsOfAnotherDay() async throws {
        let path = scratch.path("log.ndjson")
        _ = try await Self.log(Self.town, to: path, jobs: 2)
        let calibration = try LogCalibration.of(files: [path], name: "again", keepsRides: true)
        func unmatched(_ yaml: String) throws -> Backtest.Unmatched {
            let scenario = try ScenarioReader.read(yaml: yaml, named: "town.yaml").scenario
            let faults = Backtest.Disturbance.faults(of: scenario, in: calibration.digest)
            return Backtest.Unmatched(faults, calibration.digest)
        }
        let same = try unmatched(Self.town)
        #expect(same.faults.isEmpty && same.incidents.isEmpty && same.hasMatches)
        let shifted = try unmatched(Self.town.replacing("at: 40m", with: "at: 55m"))
        #expect(shifted.faults.map(\.kind) == [.apnsSilent] && shifted.incidents.map(\.kind) == [.apnsSilent])
        #expect(shifted.hasMatches)
        // Another kind at the same time is another fault.
        let other = try unmatched(
            Self.town.replacing("apns_silent, at: 40m", with: "token_post_down, at: 40m")
                .replacing(", share: 60%", with: "")
                .replacing("at: 80m", with: "at: 100m")
        )
        #expect(
            other.faults.map(\.kind) == [.tokenPostDown, .apnsSlow] && other.incidents.count == 2 && !other.hasMatches
        )
        let end = try #require(Self.town.firstRange(of: "faults:"))
        let none = try unmatched(String(Self.town[..<end.lowerBound]))
        #expect(none.faults.isEmpty && none.incidents.map(\.kind) == [.apnsSilent, .apnsSlow] && !none.hasMatches)
    }

    @Test("A backtest leaves out the beginning of a log only while many of its rides had begun before")
    func begunBefore() async throws {
        let path = scratch.path("log.ndjson")
        let (text, _) = try await Self.log(Self.town, to: path, jobs: 2)
        let rows = String(decoding: text, as: UTF8.self).split(separator: "\n")
        func backtest(_ rows: some Sequence<Substring>) async throws -> Backtest {
            try rows.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
            let calibration = try LogCalibration.of(files: [path], name: "again", keepsRides: true)
            #expect(calibration.cleaning.count(.beganBefore) > 0)
            return try await Backtest.run(
                calibration.digest,
                stages: calibration.stages,
                scenario: ScenarioReader.read(yaml: Self.town, named: "town.yaml").scenario,
                replications: 2,
                jobs: 2
            )
        }
        // One request is missing, a third of the log in.
        let missing = try #require(rows.indices.dropFirst(rows.count / 3).first { rows[$0].contains("ride_requested") })
        let one = try await backtest(rows[..<missing] + rows[(missing + 1)...])
        #expect(one.leftOut == 0)
        // The log begins with 50 rides in progress, of 9 minutes on average.
        let cut = try await backtest(rows[(rows.count / 3)...])
        #expect((2...6).contains(cut.leftOut) && cut.leftOut < cut.windows.count / 2, "\(cut.leftOut)")
        #expect(cut.span.lowerBound == cut.windows.first?.at)
    }

    @Test("A gap of a log is left out of its backtest, and its hours have no rate")
    func gap() async throws {
        let path = scratch.path("log.ndjson")
        let end = try #require(Self.town.firstRange(of: "faults:"))
        let yaml = String(Self.town[..<end.lowerBound])
        let (text, _) = try await Self.log(yaml, to: path, jobs: 2)
        // The log begins at 6:00; its rows from 6:50 to 7:35 are missing.
        let lost = (410 * 60_000_000)..<(455 * 60_000_000)
        let rows = String(decoding: text, as: UTF8.self).split(separator: "\n")
            .filter { row in
                row.firstMatch(of: /"at_us":(\d+)/).flatMap { Int($0.1) }.map { !lost.contains($0) } ?? false
            }
        try rows.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
        let calibration = try LogCalibration.of(files: [path], name: "again", keepsRides: true)
        #expect(calibration.cleaning.count(.gap) == 1)
        for interval in 1...8 {
            let isLost = (5...6).contains(interval)
            #expect(calibration.yaml.contains("# interval \(interval): no rate") == isLost)
            #expect(calibration.values.contains { $0.key == "rides.arrivals.rates_per_hour.\(interval - 1)" } != isLost)
        }
        #expect(calibration.yaml.contains("as a Poisson process (no more than chance)"))
        #expect(throws: Never.self) { _ = try ScenarioReader.read(yaml: calibration.yaml, named: "again.yaml") }
        let backtest = try await Backtest.run(
            calibration.digest,
            stages: calibration.stages,
            scenario: ScenarioReader.read(yaml: yaml, named: "town.yaml").scenario,
            replications: 6,
            jobs: 2
        )
        #expect(backtest.gaps.count == 1)
        // Nine windows of five minutes, and a few afterwards, in which rides that began in the gap are in progress.
        #expect((9...16).contains(backtest.leftOutInGaps), "\(backtest.leftOutInGaps)")
        #expect(backtest.windows.count + backtest.leftOutInGaps == 24)
        let minutes = backtest.windows.map { $0.at / 60_000_000 }
        #expect(!minutes.contains { (410..<455).contains($0) } && minutes.contains { $0 > 455 })
        let fresh = backtest.totals.first { $0.measure == .believedFresh }
        #expect(abs(fresh?.difference ?? 1) < 0.02, "\(String(describing: fresh))")
        for window in backtest.windows {
            let watched = window.comparisons.first { $0.measure == .believedFresh }
            #expect(abs(watched?.difference ?? 0) < 0.2, "\(window)")
        }
    }

    @Test("Rates at the ends of a log count the time in it, and the minutes after the last request are no gap")
    func ends() async throws {
        let path = scratch.path("log.ndjson")
        let yaml = Self.town.replacing("duration: 2h,", with: "duration: 46m, drain: 1h,")
            .replacing("rates_per_hour: [400]", with: "rates_per_hour: [2000]")
            .replacing("starts_at: \"06:00\"", with: "starts_at: \"06:03\"")
        let end = try #require(yaml.firstRange(of: "faults:"))
        _ = try await Self.log(String(yaml[..<end.lowerBound]), to: path, jobs: 2)
        let calibration = try LogCalibration.of(files: [path], name: "again")
        let rates = calibration.values.filter { $0.key.contains("rates_per_hour") }
        #expect(rates.count == 4)
        for rate in rates { #expect(abs(rate.estimate / 2000 - 1) < 0.25, "\(rate)") }
        #expect(calibration.yaml.contains("as a Poisson process (no more than chance)"))
    }

    @Test("Threads change nothing in a backtest")
    func backtestOnThreads() async throws {
        let path = scratch.path("log.ndjson")
        _ = try await Self.log(Self.town, to: path, jobs: 2)
        let calibration = try LogCalibration.of(files: [path], name: "again", keepsRides: true)
        var models: [[Double]] = []
        for jobs in [1, 3] {
            let backtest = try await Backtest.run(
                calibration.digest,
                stages: calibration.stages,
                scenario: ScenarioReader.read(yaml: Self.town, named: "town.yaml").scenario,
                replications: 3,
                jobs: jobs
            )
            models.append(backtest.windows.flatMap { $0.comparisons.map(\.model) })
        }
        #expect(models[0] == models[1])
    }

    @Test("Of the assumptions about a log without stale dates, the time to live comes first")
    func rank() async throws {
        let path = scratch.path("log.ndjson")
        let (text, _) = try await Self.log(Self.town, to: path, jobs: 2)
        try String(decoding: text, as: UTF8.self).replacing(/,"stale_us":\d+/, with: "")
            .write(toFile: path, atomically: true, encoding: .utf8)
        var calibration = try LogCalibration.of(files: [path], name: "again")
        #expect(!calibration.digest.hasStaleDates)
        let ranked = try await AssumptionEffects.rank(calibration, jobs: 2)
        #expect(ranked.count == calibration.assumptions.count)
        #expect(ranked.first?.sentence.hasPrefix("ttl: 2m") ?? false, "\(ranked.map(\.sentence))")
        calibration.rank(ranked)
        #expect(calibration.yaml.contains("# Not in the log, by the effect on the believed freshness:\n# - ttl: 2m"))
        _ = try ScenarioReader.read(yaml: calibration.yaml, named: "again.yaml")
    }

    @Test("An alternative that depends on load is not tried on a sample of the rides, and says so")
    func load() async throws {
        let path = scratch.path("log.ndjson")
        _ = try await Self.log(Self.city + "  - {kind: connection_lost, at: 30m}\n", to: path, jobs: 2)
        let calibration = try LogCalibration.of(files: [path], name: "again")
        #expect(calibration.digest.rides.count > 1000)
        for assumption in try await AssumptionEffects.rank(calibration, jobs: 2) {
            let untried = assumption.alternatives.filter(AssumptionEffects.dependsOnLoad)
            #expect(assumption.effect?.contains("depends on load") == !untried.isEmpty, "\(assumption)")
            for setting in untried { #expect(assumption.effect?.contains("\(setting): +") == false) }
        }
        #expect(calibration.assumptions.contains { $0.alternatives.contains { $0.hasPrefix("sender.streams=") } })
    }

    @Test("A log equal to every run is within each interval; with a difference of two steps it is not")
    func exact() throws {
        func bin(_ share: Int, _ log: Int) -> LogDigest.Bin {
            var bin = LogDigest.Bin()
            (bin.watched, bin.fresh, bin.accepted, bin.timed, bin.scaledLogLatency) = (3_000_000, share, 1, 1, log)
            (bin.waits, bin.wait, bin.pushes) = (3, 100_000, 1)
            return bin
        }
        let latency = Int(Foundation.log(200_000.0) * LogDigest.Bin.scale)
        let runs = [[LogDigest.Bin]](repeating: [bin(1_000_000, latency)], count: 3)
        for measure in Backtest.Measure.allCases {
            let same = try #require(Backtest.comparison(measure, runs[0], runs, [0]))
            #expect(same.isWithin && same.interval.lowerBound < same.interval.upperBound, "\(measure)")
        }
        let other = [bin(1_000_600, latency + Int(0.001 * LogDigest.Bin.scale))]
        for measure in [Backtest.Measure.believedFresh, .latency] {
            #expect(try !#require(Backtest.comparison(measure, other, runs, [0])).isWithin, "\(measure)")
        }
    }

    @Test("The schema beside the experiments is up to date")
    func schema() throws {
        let path = "\(ShippedScenario.directory)/event-log.schema.json"
        #expect(try String(contentsOfFile: path, encoding: .utf8) == EventLogSchema.json())
    }
}
