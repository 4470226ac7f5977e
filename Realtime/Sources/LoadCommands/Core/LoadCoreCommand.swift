import ArgumentParser
import Dashboard
import Experiments
import FreshnessCore
import LiveActivityModel
import LoadGenerator
import Quantities
import Reporting
import Shell

/// `freshet load core`, which loads the core alone in real time.
struct LoadCoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "core",
        abstract: "Load-tests the decision core (classes, retries, ends) in real time, without a network.",
        discussion: """
            Example: freshet load core --instances 1000000 --updates 2000000/s --duration 30s

            Live instances get updates at a rate, whether the core keeps up or not (open loop): each update's latency \
            counts from the instant at which it was due. All instances are scanned at each interval. Instances that have \
            lapsed are retried, given up and ended as by the Freshness Monitor. At any time, one in a hundred \
            receives no updates, so that there are decisions to make.

            Goals, on one processor core: 5,000,000 updates/s, and a scan of 1,000,000 instances in 1 ms or at half the speed of \
            memcpy.
            """
    )

    @Option(help: "The number of live instances.")
    var instances = 1_000_000

    @Option(help: "Updates per second, minute or hour, all threads together, for example 2000000/s.")
    var updates = "2000000/s"

    @Option(help: "Time between scans of all instances (default: the scenario's, or 1s).")
    var scanInterval: String?

    @Option(help: "The length of the load, ramp included.")
    var duration = "30s"

    @Option(
        help: """
            The time in which the rate rises from a tenth to the whole, which is not measured (default: 5s, or half of \
            --duration if that is shorter).
            """
    )
    var ramp: String?

    @Flag(
        help: """
            Search for the highest rate at which 99 % of the updates are applied within --bound and no scan is \
            missed.
            """
    )
    var findLimit = false

    @Option(help: "With --find-limit: how late an update may be (default: 10ms).")
    var bound: String?

    @Flag(help: "Report at the end how memory has grown, by a line through all seconds.")
    var soak = false

    @Option(help: "A scenario, for its monitor and the TTL of its content.", completion: .file(extensions: ["yaml"]))
    var scenario: String?

    @Option(help: "The speed of the policy's time relative to the wall clock.")
    var speed: Int64 = 1

    @Option(help: "The share of instances that receive no updates at a time, for example 1%.")
    var silent = "1%"

    @Option(help: "The number of threads; each has a part of the instances.")
    var jobs = 1

    @OptionGroup var draws: LoadSeedOption
    @OptionGroup var result: LoadResultOptions
    @OptionGroup var abort: AbortOptions
    @OptionGroup var page: LiveViewOptions

    /// The length of the ramp: by default long enough for the first scans, whose memory is cold.
    private func rampSpan() throws -> TimeSpan {
        if let ramp { return try LoadOptions.span(ramp, named: "--ramp") }
        let half = try LoadOptions.span(duration, named: "--duration").microseconds / 2
        return min(.seconds(5), TimeSpan(microseconds: half))
    }

    private static let usualBound = "10ms"

    private func boundSpan() throws -> TimeSpan {
        try LoadOptions.spanAboveZero(bound ?? Self.usualBound, named: "--bound")
    }

    func validate() throws {
        try limit("--instances", instances, to: 1...100_000_000)
        try limit("--jobs", jobs, to: 1...min(instances, 1024))
        try limit("--speed", Int(speed), to: 1...10_000)
        _ = try LoadOptions.rate(updates, named: "--updates")
        let total = try LoadOptions.span(duration, named: "--duration")
        let rising = try rampSpan()
        guard total > .zero, rising < total else {
            throw ValidationError("--duration must be longer than --ramp (\(ramp ?? "")), got \(duration)")
        }
        if let scanInterval {
            let interval = try LoadOptions.span(scanInterval, named: "--scan-interval")
            try demand(interval >= .milliseconds(1), "--scan-interval must be at least 1ms, got \(scanInterval)")
        }
        try demand(bound == nil || findLimit, "--bound needs --find-limit")
        try abort.check(thresholds: result.threshold, isSearch: findLimit)
        _ = try boundSpan()
        _ = try LoadOptions.share(silent, named: "--silent")
    }

    func run() async throws {
        let settings = try coreSettings()
        // Unknown names of metrics are reported before the load.
        try result.judged(by: LoadCoreOutcome(settings: settings).rows)
        try result.prepare()
        let began = ContinuousClock.now
        let ready = LoadCoreSession(
            settings: settings,
            shards: jobs,
            speed: speed,
            rate: try LoadOptions.rate(updates, named: "--updates"),
            duration: try LoadOptions.span(duration, named: "--duration"),
            ramp: try rampSpan(),
            bound: try boundSpan(),
            showsProgress: !result.quiet
        )
        let findLimit = findLimit
        try await Interruption.endingEarly(kept: "nothing was written") { end in
            try await page.showing("load core") { dashboard in
                let limits = try result.thresholds()
                var session = ready
                session.tell = try abort.telling(dashboard, endingWith: end) { outcome in
                    var results = self.results(of: outcome)
                    results.judge(limits)
                    return results
                }
                let outcome =
                    findLimit ? try await session.findLimit(endingWith: end) : try await session.run(endingWith: end)
                end.workIsOver()
                var results = self.results(of: outcome)
                if soak { results.notes.append(outcome.memoryNote) }
                let updates = outcome.tally.counts.updates
                try await result.conclude(results, events: updates, jobs: jobs, began: began, end, on: dashboard)
            }
        }
    }

    /// The results in the form of the result files.
    private func results(of outcome: LoadCoreOutcome) -> LoadResults {
        var results = LoadResults(
            name: "load core",
            seed: draws.seed,
            settings: asked(outcome.settings),
            rows: outcome.rows
        )
        outcome.describe(&results)
        return results
    }

    /// The core's settings, with the brisk policy or a scenario's.
    private func coreSettings() throws -> CoreSettings {
        var settings = try CoreSettings.brisk(instances: instances)
        if let scenario {
            let world = try orExit { try ScenarioLoader.load(file: scenario) }
            settings.policy = world.policy
            settings.ttl = world.scenario.content.ttl
            settings.scanInterval = world.scenario.monitor.scanInterval ?? settings.scanInterval
        }
        if let scanInterval {
            // The option is in wall-clock time, the core's setting in the policy's time.
            settings.scanInterval = try LoadOptions.span(scanInterval, named: "--scan-interval") * speed
        }
        settings.silentShare = Probability(try LoadOptions.share(silent, named: "--silent"))
        settings.seed = draws.seed
        return settings
    }

    /// The settings as the report lists them.
    private func asked(_ settings: CoreSettings) -> [(name: String, value: String)] {
        [
            ("instances", "\(instances)"), ("updates", updates), ("duration", duration), ("ramp", ramp ?? ""),
            ("scan_interval_us", "\(settings.scanInterval.microseconds / speed)"), ("silent", silent),
            ("speed", "\(speed)"), ("jobs", "\(jobs)"), ("scenario", scenario ?? ""),
            ("find_limit", "\(findLimit)"), ("bound", findLimit ? bound ?? Self.usualBound : ""),
        ]
    }
}
