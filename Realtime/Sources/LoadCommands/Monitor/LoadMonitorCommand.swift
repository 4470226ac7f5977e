import ArgumentParser
import Dashboard
import Evaluation
import Foundation
import LoadGenerator
import Quantities
import Reporting
import Shell

/// `freshet load monitor`, which loads a Freshness Monitor with requests of apps, at a rate or from a scenario's rides.
struct LoadMonitorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "monitor",
        abstract: "Sends apps' requests to a monitor, from a scenario's rides or at a rate, and measures the answers.",
        discussion: """
            Examples: freshet load monitor live-outage --speed 10 --compare-with-simulation
                      freshet load monitor --monitor https://localhost:8080 --ca ca.pem --bearer-token-file secret.txt \
            --rate 500 --duration 30s

            With a scenario, its rides and phones run in real time. Tokens, content and ends go to a monitor. The monitor \
            pushes to a stand-in, which delivers the pushes to the scenario's phones. Both are started for the run, unless \
            --monitor and --ready-file name running ones. The monitor replaces the simulation's sender and monitor. \
            A monitor that is started for the run uses the scenario's sections sender and monitor, but no faults of them. \
            At --speed 10 all clocks run ten times as fast, so a running monitor must have been started with the same --speed. \
            Latencies are wall-clock times. While an answer takes 1 ms, content ages by --speed times 1 ms, so results \
            agree with a simulation only if answers are fast.

            With a rate, a token is published for each instance first. Then most requests announce content; some publish a \
            new token, withdraw it or read the instance. Latency counts from the instant at which a request was due, so a stall \
            of the monitor delays every request that was due in it.

            In a running monitor, the load names its instances load-SEED-TIME-NUMBER, with a scenario \
            load-RUN-TIME-RIDE.LIFE, so that it changes no other instance. At its end it withdraws their tokens.

            Exit code 99: a threshold does not hold, simulation and run differ, or more than --max-failures requests failed or \
            had no answer.
            """
    )

    @Argument(
        help: "The scenario whose rides send the requests; without one, requests are sent at --rate.",
        completion: .file(extensions: ["yaml", "yml"])
    )
    var scenario: String?

    @Option(
        help:
            "The monitor's address, in the form https://HOST:PORT; with a scenario one is started if this is not given."
    )
    var monitor: String?

    @Option(help: "A file with the secret of --monitor.", completion: .file())
    var bearerTokenFile: String?

    @Option(help: "A file (PEM) of certificate authorities to trust instead of the system's.", completion: .file())
    var ca: String?

    @Option(help: "The maximum number of connections to the monitor.")
    var connections = 64

    @OptionGroup(title: "With a scenario") var ride: LoadMonitorScenarioOptions
    @OptionGroup(title: "With a rate") var rate: LoadMonitorRateOptions

    @Option(
        help: "The random seed, 0 to 2^64 - 1; overrides the scenario. With a rate: 1.",
        transform: wholeNumber
    )
    var seed: UInt64?

    @Option(help: "The maximum number of failed requests.")
    var maxFailures = 0

    @OptionGroup var abort: AbortOptions

    @Option(help: "The directory for the results.", completion: .directory)
    var output: String?

    @Option(
        help: """
            Also write the event log of the monitor that is started for the run to this file: NDJSON, or CSV or Parquet if the name \
            ends in .csv or .parquet.
            """,
        completion: .file(extensions: ["ndjson", "csv", "parquet"])
    )
    var eventLog: String?

    @Flag(help: "Print no progress, and with a scenario no table.")
    var quiet = false

    @OptionGroup var page: LiveViewOptions
    @OptionGroup var rendering: PageOptions

    func validate() throws {
        if scenario == nil {
            guard let given = ride.given.first else { return try validateRate() }
            throw ValidationError("\(given) needs a scenario, got none")
        }
        if let given = rate.given.first {
            throw ValidationError("a scenario and \(given) are mutually exclusive: choose one")
        }
        guard (monitor == nil) == (bearerTokenFile == nil) else {
            throw ValidationError("--monitor and --bearer-token-file must be given together")
        }
        guard monitor == nil || ride.readyFile != nil else {
            throw ValidationError("--monitor needs --ready-file, written by the stand-in that it pushes to; got none")
        }
        try demand(monitor != nil || ca == nil, "--ca needs --monitor, got none")
        try validateShared()
    }

    private func validateRate() throws {
        guard monitor != nil, bearerTokenFile != nil else {
            throw ValidationError("a scenario, or --monitor with --bearer-token-file, says what is asked; got neither")
        }
        try demand(!rendering.isWanted || output != nil, "--report needs a directory for the results: --output")
        try validateShared()
    }

    private func validateShared() throws {
        try demand(
            eventLog == nil || scenario != nil && monitor == nil,
            "--event-log needs a scenario, and no --monitor: a running monitor writes a log of its own, by `freshet monitor "
                + "--event-log`"
        )
        if let eventLog { try EventLogFile(eventLog).check(against: [("the scenario", scenario)]) }
        try limit("--connections", connections, to: 1...65_536)
        try limit("--max-failures", maxFailures, to: 0...(.max))
        if let monitor, APNsEndpoint(url: monitor) == nil {
            throw ValidationError("--monitor must be https://HOST:PORT, got \"\(monitor)\"")
        }
    }

    func run() async throws {
        let running = try monitor.map { url in
            // The client itself would wait for a named pipe without an end.
            _ = try APNsEndpoint.Trust.checked(ca: ca)
            let secret = try secretOrExit(bearerTokenFile ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
            return LoadMonitorTarget(url: url, secret: secret, authority: ca)
        }
        // The log is written at the end, in the place of the log of the monitor's process.
        if let eventLog { try EventLogFile(eventLog).prepare() }
        if let scenario {
            try await LoadMonitorScenario(file: scenario, command: self, monitor: running).run()
        } else if let running {
            try await loadAtRate(running)
        }
    }
}

/// A running monitor.
struct LoadMonitorTarget: Sendable {
    let url: String
    /// The bearer token of requests.
    let secret: String
    /// A file (PEM) of certificate authorities to trust instead of the system's.
    let authority: String?
}

/// The options of a load at a rate.
struct LoadMonitorRateOptions: ParsableArguments {
    @Option(help: "Requests per second, minute or hour, for example 500/s, 30/m or 90/h (default: 200/s).")
    var rate: String?

    @Option(help: "A rising rate, such as 10s:100/s..2000/s; it stays at the end value.")
    var ramp: String?

    @Option(help: "The length of the load (default: 10s).")
    var duration: String?

    @Option(help: "The number of instances (default: 1000).")
    var instances: Int?

    func validate() throws {
        try demand(rate == nil || ramp == nil, "--rate and --ramp are mutually exclusive: choose one")
        guard try LoadOptions.rate(rate ?? Self.usualRate, named: "--rate") <= 1_000_000 else {
            throw ValidationError("--rate must be at most 1000000/s, got \(rate ?? "")")
        }
        _ = try span()
        if let instances, instances < 1 { throw ValidationError("--instances must be at least 1, got \(instances)") }
        if let ramp { _ = try LoadOptions.ramp(ramp, named: "--ramp") }
    }

    private static let usualRate = "200/s"
    static let usualDuration = "10s"

    /// The due times of requests.
    func plan(over span: TimeSpan) throws -> RatePlan {
        try LoadOptions.plan(ramp: ramp, rate: rate ?? Self.usualRate, over: span)
    }

    /// The length of the load.
    func span() throws -> TimeSpan {
        try LoadOptions.span(duration ?? Self.usualDuration, named: "--duration", in: .milliseconds(1) ... .hours(24))
    }

    /// The options that were given.
    fileprivate var given: [String] {
        [
            rate.map { _ in "--rate" }, ramp.map { _ in "--ramp" }, duration.map { _ in "--duration" },
            instances.map { _ in "--instances" },
        ]
        .compactMap { $0 }
    }
}

/// The options of a load by a scenario.
struct LoadMonitorScenarioOptions: ParsableArguments {
    @Option(help: "The speed of all clocks relative to the wall clock (default: 1).")
    var speed: Double?

    @Option(name: .customLong("set"), help: "Overrides a value of the scenario, given as key.path=value; repeatable.")
    var settings: [String] = []

    @Option(
        help: "The file that `freshet apns --ready-file` of a running stand-in has written; without it one is started.",
        completion: .file()
    )
    var readyFile: String?

    @Option(help: "The secret of the stand-in's --phone-secret.")
    var phoneSecret: String?

    @Flag(help: "Also simulate the scenario and compare the screens.")
    var compareWithSimulation = false

    @Option(help: "A pass/fail threshold, such as 'age_of_information_us.mean < 40s'; repeatable.")
    var threshold: [String] = []

    func validate() throws {
        try LoadOptions.check(speed: speed ?? 1, most: 1000)
        try demand(phoneSecret == nil || readyFile != nil, "--phone-secret needs --ready-file, got none")
        _ = try thresholds()
    }

    func thresholds() throws -> [Check] { try [Check](options: threshold) }

    /// The options that were given.
    fileprivate var given: [String] {
        [
            speed.map { _ in "--speed" }, settings.first.map { _ in "--set" }, readyFile.map { _ in "--ready-file" },
            compareWithSimulation ? "--compare-with-simulation" : nil,
        ]
        .compactMap { $0 }
    }
}
