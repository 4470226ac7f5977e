import ArgumentParser
import Dashboard
import Foundation
import FreshnessCore
import LiveActivityModel
import LoadGenerator
import Logging
import MonitorServer
import NIOCore
import NIOPosix
import NIOSSL
import Quantities
import Reporting
import ScenarioLanguage
import Servers
import Shell
import Studies
import Wire

/// `freshet monitor`: the Freshness Monitor as a service.
@main
struct MonitorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "freshet monitor",
        abstract: "Runs the Freshness Monitor as a service: accepts tokens and content, sends pushes.",
        discussion: """
            Example: freshet monitor --registry tokens.sqlite --apns https://localhost:8443 --ca ca.pem --key key.p8 \
            --key-id FRESHETKEY --team-id FRESHETTEA --topic com.example.rides.push-type.liveactivity \
            --bearer-token-file secret.txt --port 8080

            PUT /v1/instances/{id}/token publishes or rotates a token, and DELETE invalidates it. PUT …/content \
            announces content, POST …/end ends the ride. GET reads one instance, /v1/instances?class=severe a list, \
            /health and /metrics. /openapi.json describes all requests. Acknowledged changes survive a kill. Several \
            monitors can share the instances with --shard, each with its own registry. The scenario's section monitor \
            sets thresholds, attempts, ends, scans and the retry budget; its section sender sets connections, \
            streams, ranks, queue, limits and repeats. With --speed, all times except --lifetime are in the monitor's \
            own time, including those of requests and pushes; /health returns that time.
            """,
        version: Release.version
    )

    static func main() async {
        OpenFiles.checkOrExit()
        await mainOrExit()
    }

    @Option(help: "The SQLite file of tokens; created if missing.", completion: .file())
    var registry: String

    @Option(help: "The address of APNs or of a stand-in, in the form https://HOST:PORT.")
    var apns: String

    @OptionGroup var provider: ProviderOptions

    @Option(help: "The topic of all pushes, <bundle id>.push-type.liveactivity.")
    var topic: String

    @Option(help: "The certificate authority of --apns (PEM); default: the system's.", completion: .file())
    var ca: String?

    @Option(help: "A file with the secret that requests must present, 16 characters or more.", completion: .file())
    var bearerTokenFile: String

    @Option(help: "The port, 1 to 65535; 0 for any free port.")
    var port = 8080

    @Option(help: "The address to listen on.")
    var bind = "127.0.0.1"

    @Option(help: "The service's certificate chain (PEM).", completion: .file())
    var certificate: String?

    @Option(help: "The service's private key (PEM).", completion: .file())
    var privateKey: String?

    @Option(
        help: "The scenario whose sections monitor and sender apply; default: a scenario's defaults.",
        completion: .file(extensions: ["yaml", "yml"])
    )
    var scenario: String?

    @Option(name: .customLong("set"), help: "Overrides a value of the scenario, given as key.path=value; repeatable.")
    var settings: [String] = []

    @Option(help: "Number of connections to APNs; overrides the scenario's sender.connections.")
    var connections: Int?

    @Option(help: "The timeout of a request; overrides the scenario's sender.timeout.")
    var timeout: String?

    @Option(help: "The maximum size of a request's body in bytes.")
    var maxBody = 8192

    @Option(help: "The maximum number of requests per second of one client; default: no limit.")
    var rateLimit: Int?

    @Option(
        help: "This monitor's share of the instances, for example 3/8; requests about other instances get 421."
    )
    var shard: String?

    @Option(help: "The time after which a finished instance is deleted, including its name.")
    var forgetAfter = "24h"

    @Option(help: "The speed of the monitor's time relative to the wall clock, to try hours in minutes.")
    var speed = 1.0

    @Option(
        help: "Write the port and the process id to this file as JSON once the service is ready.",
        completion: .file()
    )
    var readyFile: String?

    @Option(help: "Stop automatically after this time, for example 90s, 10m or 1h.")
    var lifetime: String?

    @Option(
        help: """
            Also append tokens, pushes, answers and ends to this file, one event a row: NDJSON, or CSV if the name ends in .csv. Rides \
            are the numbers by which --shard assigns instances. The log has no token.
            """,
        completion: .file(extensions: ["ndjson", "csv"])
    )
    var eventLog: String?

    @OptionGroup var page: DashboardOptions
    @OptionGroup var parent: ParentOptions

    func validate() throws {
        guard (certificate == nil) == (privateKey == nil) else {
            throw ValidationError("--certificate and --private-key must be given together")
        }
        try LoadOptions.check(speed: speed, most: 1000)
        try limit("--port", port, to: 0...65535)
        try limit("--connections", connections ?? 1, to: 1...1000)
        try LoadOptions.check(topic: topic)
        _ = try timeoutSpan()
        try limit("--max-body", maxBody, to: 256...1_048_576)
        try limit("--rate-limit", rateLimit ?? 1, to: 1...1_000_000)
        _ = try takenShard()
        _ = try forgetSpan()
        _ = try LoadOptions.life(lifetime)
        try demand(
            !(eventLog?.hasSuffix(".parquet") ?? false),
            "--event-log must be NDJSON or CSV, to which rows can be appended, got \(eventLog ?? "")"
        )
        if let eventLog {
            try EventLogFile(eventLog)
                .check(
                    against: [
                        ("--registry", registry), ("--scenario", scenario), ("--bearer-token-file", bearerTokenFile),
                    ]
                )
        }
    }

    private func timeoutSpan() throws -> TimeSpan? {
        try timeout.map { try LoadOptions.span($0, named: "--timeout", in: .seconds(1) ... .minutes(10)) }
    }

    private func takenShard() throws -> LoadShare {
        try shard.map { try LoadOptions.loadShare($0, named: "--shard") } ?? .whole
    }

    private func forgetSpan() throws -> TimeSpan {
        try LoadOptions.span(forgetAfter, named: "--forget-after", in: .seconds(1) ... .hours(8760))
    }

    func run() async throws {
        parent.watch()
        let secret = try secret()
        let tls = try serverTLS()
        let clock = SystemClock(speed: speed)
        // A later time would be written, and then refused at the next start as a generation time.
        guard 0...ContentAnnouncement.latestInstant ~= clock.now.microseconds else {
            printError("the system's clock is wrong: it must be between the years 1970 and 2223")
            throw Failure.temporary
        }
        let (machine, sending) = try machine(at: clock.now)
        let registry = try opened()
        let group = MultiThreadedEventLoopGroup.singleton
        let transport = try await transport(sending, clock, group)
        var limits = MonitorLimits()
        limits.bodyBytes = maxBody
        limits.requestsPerSecond = rateLimit
        limits.shard = try takenShard()
        let logger = Logger(label: "monitor") { StreamLogHandler.standardError(label: $0) }
        let log = try eventLog.map { try MonitorEventLog(path: $0) }
        let monitor: Monitor
        do {
            monitor = try Monitor(
                machine: machine,
                registry: registry,
                transport: transport,
                clock: clock,
                shard: limits.shard,
                log: log?.taker
            )
        } catch {
            printError("\(error)")
            throw Failure.badData
        }
        let application = try MonitorApplication(
            monitor: monitor,
            clock: clock,
            secret: secret,
            limits: limits,
            host: bind,
            port: port,
            tls: tls,
            logger: logger
        )
        let scheme = tls == nil ? "http" : "https"
        let life = try LoadOptions.life(lifetime)
        let asked = [("apns", apns), ("topic", topic), ("scenario", self.scenario ?? ""), ("speed", "\(speed)")]
        let logging = log.map { log in Task { await log.run() } }
        try await Interruption.guarding(kept: "all acknowledged changes are in the registry") {
            try await page.showing("monitor", isService: true) { dashboard in
                let watching = dashboard.map { dashboard in
                    Task { await MonitorCourse.show(monitor, on: dashboard, settings: asked) }
                }
                do {
                    try await serve(application, for: life, scheme: scheme)
                } catch {
                    await Self.end(log, logging)
                    await Self.close(dashboard, watching)
                    throw error
                }
                await Self.end(log, logging)
                await Self.close(dashboard, watching)
            }
        }
    }

    /// Writes the last rows of the log, after those that its task writes.
    private static func end(_ log: MonitorEventLog?, _ task: Task<Void, Never>?) async {
        task?.cancel()
        await task?.value
        log?.flush()
    }

    /// Leaves the last snapshot on the open pages.
    private static func close(_ dashboard: Dashboard?, _ watching: Task<Void, Never>?) async {
        watching?.cancel()
        guard let dashboard, let last = dashboard.board.newest else { return }
        await dashboard.finish(RunFiles(last.snapshot.results), in: nil)
    }

    private func serve(_ application: MonitorApplication, for life: Duration?, scheme: String) async throws {
        let readyFile = readyFile
        do {
            try await application.run(lifetime: life) { port in
                printError("monitor: \(scheme)://localhost:\(port)")
                guard let readyFile else { return }
                do {
                    try ReadyFile(port: port, pid: ProcessInfo.processInfo.processIdentifier).write(to: readyFile)
                } catch {
                    // A process that waits for the file would wait forever. Nothing has been acknowledged yet.
                    Foundation.exit(Failure.cannotWrite.rawValue)
                }
            }
        } catch let error as CancellationError {
            throw error
        } catch let error as PortUnavailable {
            printError(error.description)
            throw Failure.temporary
        } catch {
            printError("the monitor cannot continue: \(error)")
            throw Failure.temporary
        }
    }

    // MARK: - Pieces

    /// The timeout of a push in wall-clock time, with a margin for the network's own milliseconds.
    private func wall(_ timeout: TimeSpan) -> TimeAmount {
        let own = timeout.microseconds
        return .microseconds(speed == 1 ? own : Int64(Double(own) / speed) + 20_000)
    }

    private func secret() throws -> String {
        let text = try secretOrExit(bearerTokenFile).trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.utf8.count >= 16, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            printError("\(bearerTokenFile): must have 16 or more characters without spaces, got \(text.utf8.count)")
            throw Failure.badData
        }
        return text
    }

    private func serverTLS() throws -> TLSConfiguration? {
        guard let certificate, let privateKey else { return nil }
        return try Self.tls(certificate: certificate, privateKey: privateKey)
    }

    /// Configures TLS 1.2 or later with the certificate and the key of two files.
    static func tls(certificate: String, privateKey: String) throws -> TLSConfiguration {
        let (chain, key) = (try textOrExit(certificate), try secretOrExit(privateKey))
        do {
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(chain.utf8)).map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem))
            )
            configuration.minimumTLSVersion = .tlsv12
            // Clients need no certificate. On a machine without a list of authorities, loading the list would fail.
            configuration.trustRoots = .certificates([])
            return configuration
        } catch {
            printError("cannot use --certificate \(certificate) and --private-key \(privateKey)")
            throw Failure.inputMissing
        }
    }

    /// Creates a state machine with the scenario's monitor and sender, or the default ones, and returns it with the
    /// settings of its connections.
    private func machine(at now: Instant) throws -> (MonitorStateMachine, Scenario.Sender) {
        let (timeout, forgetAfter) = (try timeoutSpan(), try forgetSpan())
        func adjusted(_ sender: Scenario.Sender) -> Scenario.Sender {
            var sender = sender
            if let connections { sender.connections = connections }
            if let timeout { sender.timeout = timeout }
            return sender
        }
        return try orExit {
            var loaded =
                try scenario.map { try ScenarioReader.read(file: $0, settings: settings) }
                ?? ScenarioReader.read(yaml: "name: monitor", named: "defaults", settings: settings)
            loaded.scenario.sender = adjusted(loaded.scenario.sender)
            let world = try ScenarioLoader.world(loaded)
            let preempt = loaded.scenario.sender.preempt
            guard preempt == .none else {
                let problem =
                    "must be none for the service, got \(preempt.rawValue): a request in flight keeps its stream"
                throw ScenarioError.invalid([loaded.diagnostic(at: "sender.preempt", problem)])
            }
            do throws(PolicyError) {
                return (try MonitorStateMachine(world, forgetAfter: forgetAfter, at: now), loaded.scenario.sender)
            } catch {
                // Of the values that a simulation accepts, only the recovery window can be too fine or too long for a
                // service.
                let window = loaded.scenario.monitor.recoveryWindow.microseconds
                let problem = "must be whole milliseconds up to 12 days for the service, got \(window) µs"
                throw ScenarioError.invalid([loaded.diagnostic(at: "monitor.recovery_window", problem)])
            }
        }
    }

    private func opened() throws -> Registry {
        do {
            return try Registry(path: registry)
        } catch {
            printError("\(error)")
            switch error {
            case .inUse: throw Failure.temporary
            case .notWritten: throw Failure.cannotWrite
            case .foreign, .laterSchema, .laterVersion, .damaged, .otherShard: throw Failure.badData
            case .unreadable, .closed:
                throw FileManager.default.fileExists(atPath: registry) ? Failure.badData : Failure.cannotWrite
            }
        }
    }

    private func transport(
        _ sending: Scenario.Sender,
        _ clock: any MonitorClock,
        _ group: any EventLoopGroup
    ) async throws -> APNsPushTransport {
        guard let endpoint = APNsEndpoint(url: apns, trust: try .checked(ca: ca)) else {
            throw ValidationError("--apns must be https://HOST:PORT, got \"\(apns)\"")
        }
        let provider = try provider.identity()
        let configuration = APNsPoolConfiguration(
            connections: sending.connections,
            streamsPerConnection: sending.streams,
            timeout: wall(sending.timeout)
        )
        do {
            return try await APNsPushTransport(
                endpoint: endpoint,
                provider: provider,
                topic: topic,
                configuration: configuration,
                clock: clock,
                group: group
            )
        } catch {
            printError("cannot prepare connections to \(endpoint): \(error)")
            throw Failure.inputMissing
        }
    }
}
