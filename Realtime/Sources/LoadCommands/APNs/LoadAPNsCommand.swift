import ArgumentParser
import Dashboard
import Foundation
import FreshnessCore
import LoadGenerator
import NIOCore
import Quantities
import Reporting
import Results
import ScenarioLanguage
import ServiceLoad
import Shell

/// `freshet load apns`, which loads an APNs endpoint.
struct LoadAPNsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apns",
        abstract: "Sends pushes to an APNs endpoint on schedule and measures its answers.",
        discussion: """
            Example: freshet load apns --ready-file apns.json --rate 5000/s --duration 30s
            Example: freshet load apns --ready-file apns.json --replay tuesday.ndjson --speed 10

            Each push is due at its own instant, whether earlier pushes are answered or not (open loop), and its latency \
            counts from that instant, so a stall of the server delays every push that was due in it. --max-rate \
            keeps all streams busy instead (closed loop), to measure the highest rate of the endpoint.
            """
    )

    @OptionGroup var target: LoadAPNsTarget
    @OptionGroup(title: "Replay of a log") var replay: ReplayOptions

    @Option(help: "Pushes per second, minute or hour, for example 20000/s, 30/m or 90/h (default: 1000/s).")
    var rate: String?

    @Option(help: "A rising rate, such as 10s:1000/s..20000/s; it stays at the end value for the rest of --duration.")
    var ramp: String?

    @Option(
        help: "The rate at instants, with straight lines between, for example '0s 1000/s, 30s 20000/s, 60s 20000/s'."
    )
    var profile: String?

    @Option(
        help:
            "The arrival process: even, or poisson, random as with many independent users; the instants follow from the seed."
    )
    var arrivals = ArrivalProcess.even

    @Option(help: "The time for which pushes are sent (default: 10s; with --replay: to the log's last push).")
    var duration: String?

    @Option(help: "The warm-up, which is not measured.")
    var warmUp = "0s"

    @Option(help: "The number of connections.")
    var connections = 4

    @Option(help: "The number of threads.")
    var threads = 1

    @Option(help: "The maximum number of streams per connection; the endpoint may allow fewer.")
    var streams = 1000

    @Option(help: "The number of made-up device tokens, used in rotation (default: 100000).")
    var tokens: Int?

    @Option(
        help: "A file of device tokens to use instead, one per line in hexadecimal digits; they are never printed.",
        completion: .file()
    )
    var tokensFile: String?

    @Option(help: "apns-topic.")
    var topic = "com.example.rides.push-type.liveactivity"

    @Option(help: "apns-priority: 10, 5 or 1.")
    var priority = 10

    @Option(help: "The length of payloads [bytes].")
    var payloadBytes = 500

    @Option(
        help: """
            A JSON document to send instead. Each push gets its own timestamp; stale-date and dismissal-date keep their \
            distance from it. All three are in seconds.
            """,
        completion: .file(extensions: ["json"])
    )
    var payload: String?

    @Option(
        help:
            "The timeout of the wait for a stream, and then of the wait for the answer; for a Netmera call, of both together."
    )
    var timeout = "10s"

    @Option(help: "The maximum number of retries of a push that is rejected with 429 or 5xx or not answered.")
    var retries = 0

    @Option(help: "The pause before the second retry, doubled after each; the first retry is immediate.")
    var retryPause = "1s"

    @Option(
        help: """
            A token bucket for all retries, such as 'per_push=0.1,capacity=100'. It fills by per_second and per_push \
            and keeps reserve, as a scenario's sender.retry_budget does.
            """
    )
    var retryBudget: String?

    @Flag(
        name: [.customLong("max-rate"), .customLong("closed-loop")],
        help: "Keep all streams busy instead of keeping a rate."
    )
    var maxRate = false

    @Flag(
        help: "Search for the highest rate at which all thresholds hold; without thresholds: p99 < 100ms, errors < 1 %."
    )
    var findLimit = false

    @Option(
        help:
            "Send only one share of the load, for example 3/8, the third of eight; `freshet load merge` merges all shares."
    )
    var share: String?

    @Option(
        help:
            "The start of the load, for example 2026-05-01T12:00:00Z, or in seconds since 1970; the same for all shares."
    )
    var startAt: String?

    @Option(help: "With --protocol netmera: the number of activities at any time (default: 1000).")
    var groups: Int?

    @Flag(help: "With --protocol netmera: only update the groups ride-0, ride-1…, which must exist.")
    var updatesOnly = false

    @Flag(help: "With --protocol netmera: begin with a sendBulkNotification; a real service sends it to ALL USERS.")
    var startAll = false

    @Option(
        help: """
            Also write the pushes that were sent and their answers to this file, one event a row: NDJSON, or CSV or Parquet if the \
            name ends in .csv or .parquet. No token is in it.
            """,
        completion: .file(extensions: ["ndjson", "csv", "parquet"])
    )
    var eventLog: String?

    @Option(help: "The random seed, 0 to 2^64 - 1.", transform: wholeNumber)
    var seed: UInt64 = 2026
    @OptionGroup var result: LoadResultOptions
    @OptionGroup var abort: AbortOptions
    @OptionGroup var page: LiveViewOptions

    /// The time after which a replay sends no more pushes; nil: it sends all.
    func replayLimit() throws -> TimeSpan? {
        try duration.map { try LoadOptions.spanAboveZero($0, named: "--duration") }
    }

    func start() throws -> Int64? { try startAt.map { try LoadOptions.instant($0, named: "--start-at") } }

    private func shareOfLoad() throws -> LoadShare {
        try share.map { try LoadOptions.loadShare($0, named: "--share") } ?? .whole
    }

    func run() async throws {
        let target = try target.resolved()
        let endpoint = try target.url()
        // Names of metrics are checked before the load.
        let kinds = target.protocol == .apns ? [] : NetmeraOperations.Kind.allCases.map(\.rawValue)
        // Trials of a search begin at different times, and only all shares together are the load.
        let faults = findLimit || share != nil ? [] : try self.target.faults()
        var nothing = LoadAPNsOutcome.nothing(sent: kinds).meeting(faults)
        nothing.isReplay = replay.isGiven
        try result.judged(by: nothing.rows + nothing.absentRows(asked: result.threshold))
        try result.prepare()
        let written = try eventLog.map { try LoadEventLog(path: $0) }
        let log = try replay.read(seed: seed, within: try replayLimit(), showsProgress: !result.quiet)
        if let log { try checkWarmUp(log.pushes.plan.duration) }
        let load: any Load =
            try target.protocol == .apns ? pushes(to: endpoint, target, log, written) : calls(to: target)
        let began = ContinuousClock.now
        let ready = target
        try await Interruption.endingEarly(kept: "nothing was written") { end in
            try await page.showing("load apns") { dashboard in
                let limits = try result.thresholds()
                let report = try abort.reporting(dashboard, endingWith: end) { progress, schedule in
                    var report = results(of: LoadAPNsOutcome(progress, of: schedule).meeting(faults), ready, log)
                    report.results.judge(limits)
                    return report
                }
                @Sendable func run(_ schedule: LoadSchedule) async throws -> LoadAPNsOutcome {
                    var load = load
                    load.schedule = schedule
                    load.schedule.faults = faults
                    let session = LoadSession(load: load, showsProgress: !result.quiet, report: report)
                    return LoadAPNsOutcome(try await session.run(endingWith: end), of: schedule).meeting(faults)
                }
                let outcome =
                    findLimit
                    ? try await LoadAPNsOutcome.atLimit(of: load.schedule, thresholds: limits, trial: run)
                    : try await run(load.schedule)
                end.workIsOver()
                // Before the results, whose thresholds may end the command.
                let isLogWritten = written?.finishOrReport(origin: outcome.beganAt) ?? true
                try await conclude(outcome, ready, log, began: began, end, on: dashboard)
                if !isLogWritten { throw Failure.cannotWrite }
            }
        }
    }

    /// The results in the form of the result files.
    private func results(of outcome: LoadAPNsOutcome, _ target: LoadAPNsTarget, _ log: ReplayedLog?) -> LoadReport {
        var outcome = outcome
        if let log { outcome.remarks += log.notes(usualBytes: payloadBytes, lateness: outcome.lateness) }
        let settings = asked(target) + (log?.settings ?? [])
        var results = LoadReport(load: "load apns", seed: seed, settings: settings, rows: outcome.rows)
        results.absentRows = outcome.absentRows(asked: result.threshold)
        outcome.describe(&results)
        return results
    }

    /// Judges, writes and shows the results.
    private func conclude(
        _ outcome: LoadAPNsOutcome,
        _ target: LoadAPNsTarget,
        _ log: ReplayedLog?,
        began: ContinuousClock.Instant,
        _ end: EarlyEnd,
        on dashboard: Dashboard?
    ) async throws {
        // A load without any answer has measured nothing and fails, with or without thresholds.
        if let silence = outcome.silence { printError("\(target.endpoint ?? ""): \(silence)") }
        var results = results(of: outcome, target, log)
        if share != nil, let start = try start() {
            let share = try shareOfLoad()
            results.share =
                LoadAPNsShare(
                    outcome,
                    of: share,
                    start: start,
                    seed: seed,
                    settings: results.settings,
                    replay: log?.ofShare(usualBytes: payloadBytes)
                )
                .text
            results.notes.append(
                "This is share \(share.number) of \(share.count), not the load: `freshet load merge` puts all shares together."
            )
        }
        try await result.conclude(
            results,
            events: outcome.tally.requests,
            jobs: threads,
            began: began,
            end,
            on: dashboard
        )
        if let reason = log?.pushes.failure {
            printError(
                "the temporary file of the replay could not be read, so a part of the log was not sent: \(reason)"
            )
            throw Failure.temporary
        }
        // The merger judges the answers of all shares together.
        if outcome.silence != nil, share == nil { throw Failure.checkFailed }
    }

    /// The load on an APNs endpoint.
    private func pushes(
        to endpoint: APNsEndpoint,
        _ target: LoadAPNsTarget,
        _ log: ReplayedLog?,
        _ written: LoadEventLog?
    ) throws -> EndpointLoad {
        // The tokens of a replay follow from its rides.
        var pushes = PushLoad(try schedule(log), tokens: log == nil ? tokens ?? Self.usualTokens : 1)
        if let tokensFile { pushes.ownTokens = try TokensFile.readOrExit(tokensFile) }
        pushes.topic = topic
        pushes.priority = priority
        pushes.payload = try payload.map { .document(try documentOrExit($0)) } ?? .update(byteCount: payloadBytes)
        if let warning = pushes.leadWarning { printError("warning: \(warning)") }
        pushes.isLogged = written != nil
        return EndpointLoad(
            pushes: pushes,
            endpoint: endpoint,
            provider: try target.provider.identity(),
            configuration: APNsPoolConfiguration(
                connections: connections,
                lanes: threads,
                streamsPerConnection: streams,
                timeout: .microseconds(try LoadOptions.span(timeout, named: "--timeout").microseconds)
            ),
            showsProgress: !result.quiet,
            start: try start(),
            log: written?.taker
        )
    }

    /// The load on a service that accepts Netmera's REST calls.
    private func calls(to target: LoadAPNsTarget) throws -> NetmeraLoad {
        var load = NetmeraLoad(
            endpoint: target.endpoint ?? "",
            key: target.netmeraKey ?? "",
            schedule: try schedule(nil),
            operations: NetmeraOperations(groups: groups ?? Self.usualGroups, isTurningOver: !updatesOnly, seed: seed)
        )
        load.registers = !updatesOnly
        load.startsAll = startAll
        load.priority = UInt8(priority)
        load.contentBytes = payloadBytes
        load.authority = target.ca
        load.connections = connections
        load.timeout = try LoadOptions.span(timeout, named: "--timeout")
        return load
    }

    private func schedule(_ log: ReplayedLog?) throws -> LoadSchedule {
        var schedule: LoadSchedule
        if let log {
            schedule = LoadSchedule(.replay(log.pushes))
        } else {
            let plan = try plan()
            schedule = LoadSchedule(
                maxRate ? .closed(concurrency: connections * streams, duration: plan.duration) : .open(plan, arrivals)
            )
        }
        schedule.warmUp = try LoadOptions.span(warmUp, named: "--warm-up")
        schedule.retries = try retryPolicy()
        schedule.retryBudget = try retryBudgetInUse()
        schedule.seed = seed
        schedule.share = try shareOfLoad()
        return schedule
    }

    private func documentOrExit(_ path: String) throws -> PayloadDocument {
        let text = try textOrExit(path)
        do throws(PayloadDocument.Malformed) {
            return try PayloadDocument(text, now: WallClock.seconds)
        } catch {
            printError("\(path):\(error.line):\(error.column): \(error.problem)")
            throw Failure.badData
        }
    }

    private static let usualTokens = 100_000
    private static let usualGroups = 1000
    private static let usualRate = "1000/s"
    private static let usualDuration = "10s"

    /// `true` if pushes are sent at one rate.
    private var isSteady: Bool { ramp == nil && profile == nil && !maxRate && !replay.isGiven }

    func plan() throws -> RatePlan {
        try LoadOptions.plan(
            profile: profile,
            ramp: ramp,
            rate: rate ?? Self.usualRate,
            over: try LoadOptions.spanAboveZero(duration ?? Self.usualDuration, named: "--duration")
        )
    }

    func retryPolicy() throws -> RetryPolicy? {
        guard retries > 0 else { return nil }
        let pause = try LoadOptions.span(retryPause, named: "--retry-pause")
        do {
            return try RetryPolicy(
                maxAttempts: retries,
                base: pause,
                factorThousandths: 2000,
                cap: max(pause, .seconds(60)),
                jitter: .full
            )
        } catch {
            throw ValidationError("--retry-pause: \(error)")
        }
    }

    func retryBudgetInUse() throws -> RetryBudget? {
        try retryBudget.map { try LoadOptions.retryBudget($0, named: "--retry-budget") }
    }

    /// The settings as the report lists them, without keys.
    private func asked(_ target: LoadAPNsTarget) -> [(name: String, value: String)] {
        [
            ("endpoint", target.endpoint ?? ""), ("rate", isSteady ? rate ?? Self.usualRate : ""), ("ramp", ramp ?? ""),
            ("profile", profile ?? ""),
            ("arrivals", replay.isGiven ? "" : arrivals.rawValue),
            ("duration", profile == nil ? duration ?? (replay.isGiven ? "" : Self.usualDuration) : ""),
            ("warm_up", warmUp),
            ("connections", "\(connections)"), ("threads", "\(threads)"),
            ("streams", "\(streams)"),
            ("tokens", tokensFile == nil && !replay.isGiven ? "\(tokens ?? Self.usualTokens)" : ""),
            ("priority", replay.isGiven ? "" : "\(priority)"),
            ("payload_bytes", payload == nil ? "\(payloadBytes)" : ""), ("payload", payload ?? ""),
            ("timeout", timeout), ("retries", "\(retries)"), ("retry_pause", retryPause),
            ("retry_budget", retryBudget ?? ""), ("max_rate", "\(maxRate)"), ("find_limit", "\(findLimit)"),
            ("protocol", target.protocol.rawValue), ("groups", "\(groups ?? Self.usualGroups)"),
            ("updates_only", "\(updatesOnly)"), ("start_all", "\(startAll)"),
            ("provider_token", "\(target.provider.key != nil)"),
        ]
            + [("tokens_file", tokensFile), ("share", share), ("start_at", startAt)]
            .compactMap { name, value in value.map { (name, $0) } }
    }
}
