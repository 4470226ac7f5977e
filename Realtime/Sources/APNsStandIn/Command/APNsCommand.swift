import ArgumentParser
import Foundation
import LiveActivityModel
import LoadGenerator
import NIOCore
import Quantities
import Servers
import Shell
import Studies
import Wire

/// `freshet apns`: a stand-in for APNs.
@main
struct APNsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "freshet apns",
        abstract: "Runs a stand-in for APNs and the phones: HTTP/2, TLS, provider tokens, every error response.",
        discussion: """
            Example: freshet apns apns-outage --port 8443 --write-ca ca.pem --write-key key.p8

            A provider trusts ca.pem and signs its tokens with key.p8, as key FRESHETKEY of team FRESHETTEA. Without a \
            scenario every valid request is accepted and delivered at once; with one, its sections apns and faults set \
            the outcome of each. Metrics and health are at http://127.0.0.1:<metrics port>/metrics and /health.
            """,
        version: Release.version
    )

    static func main() async {
        OpenFiles.checkOrExit()
        await mainOrExit()
    }

    @Argument(
        help: "The scenario whose sections apns and faults apply.",
        completion: .file(extensions: ["yaml", "yml"])
    )
    var scenario: String?

    @Option(name: .customLong("set"), help: "Overrides a value of the scenario, given as key.path=value; repeatable.")
    var settings: [String] = []

    @Option(help: "The random seed, 0 to 2^64 - 1; overrides the scenario.", transform: wholeNumber)
    var seed: UInt64?

    @Option(help: "The speed of the scenario's time relative to the wall clock.")
    var speed = 1.0

    @Option(help: "The port, 1 to 65535; 0 for any free port.")
    var port = 8443

    @Option(help: "The address to listen on; use an address other than this machine's own only in closed networks.")
    var bind = "127.0.0.1"

    @Option(help: "The port of /metrics and /health; 0 for any free port.")
    var metricsPort = 0

    @Option(help: "The port of a gateway that accepts Netmera's REST calls, without TLS; 0 for any free port.")
    var netmeraPort: Int?

    @Option(help: "The required value of X-netmera-api-key on that port; default: any.")
    var netmeraKey: String?

    @Option(help: "The number of threads that serve connections, 1 to 64.")
    var threads = 1

    @Option(help: "The server's certificate chain (PEM); default: a throw-away certificate.", completion: .file())
    var certificate: String?

    @Option(help: "The server's private key (PEM).", completion: .file())
    var key: String?

    @Option(help: "Write the throw-away authority's certificate to this file.", completion: .file())
    var writeCa: String?

    @Option(
        help: ArgumentHelp(
            "A provider's key, in the form kid=…,team=…,file=…; repeatable.",
            discussion: """
                A restricted key adds, as Apple's keys do, environment=development or environment=production, and \
                topic=com.example.rides for each of its apps.
                """
        )
    )
    var providerKey: [String] = []

    @Option(help: "Write a throw-away provider key (.p8) to this file.", completion: .file())
    var writeKey: String?

    @Flag(help: "Accept any signature of a provider token.")
    var noSignatureCheck = false

    @Option(help: "A bundle id that may receive pushes; default: all; repeatable.")
    var bundle: [String] = []

    @Flag(help: "Respond as the development environment, with apns-unique-id.")
    var development = false

    @Option(help: "The number of streams per connection once the provider is authenticated.")
    var streams: UInt32 = 1000

    @Flag(help: "Allow only one stream after a rejection, until the next success.")
    var shrinkStreams = false

    @Option(help: "Close a connection after more errors of the provider than this; BadDeviceToken counts twice.")
    var maxErrors: Int?

    @Option(help: "Close a connection after the provider has reset more streams than this in 30 s.")
    var maxResets = 100_000

    @Option(
        name: .customLong("goaway-after"),
        help: "Send GOAWAY after this many requests on a connection, and close it once they are answered."
    )
    var goAwayAfter: Int?

    @Option(
        name: .customLong("goaway-every"),
        help: "Send GOAWAY when a connection is this old, for example 30s, and close it once its requests are answered."
    )
    var goAwayEvery: String?

    @Flag(help: "Do not play the scenario's connection_lost, because the provider plays it.")
    var keepConnections = false

    @Option(help: "The maximum number of connections; further ones wait.")
    var maxConnections = 4096

    @Option(help: "Close a connection after this time without a request, in whole seconds.")
    var idleTimeout = "1h"

    @Flag(help: "Do not play the phones: delivered pushes are only counted.")
    var noScreens = false

    @Option(
        help: """
            Append each request to this file as one JSON object per line, with its device token and payload.
            """,
        completion: .file()
    )
    var requestLog: String?

    @Option(
        help:
            "The number of newest requests to keep for /requests at the metrics port, with device token and payload."
    )
    var keepRequests = 0

    @Option(help: "The secret that a phone link must present.")
    var phoneSecret: String?

    @Option(
        help: """
            Write ports and files to this file as JSON once the stand-in is ready. Without --write-ca and --write-key, \
            certificate and key are written beside it.
            """,
        completion: .file()
    )
    var readyFile: String?

    @Option(help: "Stop automatically after this time, for example 90s, 10m or 1h.")
    var lifetime: String?

    @OptionGroup var parent: ParentOptions

    func validate() throws {
        try demand((certificate == nil) == (key == nil), "--certificate and --key must be given together")
        guard certificate == nil || writeCa == nil else {
            throw ValidationError("--write-ca writes the throw-away certificate; it cannot be used with --certificate")
        }
        guard providerKey.isEmpty || writeKey == nil else {
            throw ValidationError("--write-key writes the throw-away key; it cannot be used with --provider-key")
        }
        try demand(scenario != nil || settings.isEmpty && seed == nil, "--set and --seed need a scenario")
        try limit("--port", port, to: 0...65535)
        try limit("--metrics-port", metricsPort, to: 0...65535)
        try limit("--netmera-port", netmeraPort ?? 0, to: 0...65535)
        try demand(netmeraPort != nil || netmeraKey == nil, "--netmera-key needs --netmera-port")
        try limit("--threads", threads, to: 1...64)
        try LoadOptions.check(speed: speed, most: 1_000_000)
        try limit("--streams", Int(streams), to: 1...1_000_000)
        guard maxConnections >= 1, maxResets >= 1, maxErrors ?? 1 >= 1 else {
            throw ValidationError("--max-connections, --max-resets and --max-errors must be at least 1")
        }
        try limit("--goaway-after", goAwayAfter ?? 1, to: 1...1_000_000_000)
        try limit("--keep-requests", keepRequests, to: 0...RequestLog.Configuration.mostKept)
        try demand(scenario != nil || !keepConnections, "--keep-connections needs a scenario")
        _ = try goAwaySpan()
        _ = try idleSeconds()
        _ = try LoadOptions.life(lifetime)
    }

    private func goAwaySpan() throws -> TimeAmount? {
        try goAwayEvery.map { text in
            let span = try LoadOptions.span(text, named: "--goaway-every", in: .milliseconds(100) ... .longest)
            return .microseconds(span.microseconds)
        }
    }

    private func idleSeconds() throws -> Int64 {
        let span = try LoadOptions.span(idleTimeout, named: "--idle-timeout", in: .seconds(1) ... .longest)
        guard span.microseconds.isMultiple(of: 1_000_000) else {
            throw ValidationError("--idle-timeout must be in whole seconds, such as 90s, got \(idleTimeout)")
        }
        return span.microseconds / 1_000_000
    }

    func run() async throws {
        let life = try LoadOptions.life(lifetime)
        parent.watch()
        let (configuration, keyPEM) = try configuration()
        let files = ProviderFiles(
            ca: file(configuration.identity.authorityPEM, "--write-ca", writeCa, beside: "ca.pem", mode: 0o644),
            key: file(keyPEM, "--write-key", writeKey, beside: "key.p8", mode: 0o600)
        )
        try files.checkPlaces(against: readyFile)
        do {
            try await Interruption.guarding(kept: "the stand-in has closed its connections with GOAWAY") {
                try await serve(configuration, files, life: life)
            }
        } catch let error as StandInError {
            throw failure(error)
        } catch let error as PortUnavailable {
            throw failure(.port(error.description))
        }
    }

    private func failure(_ error: StandInError) -> ExitCode {
        printError("\(error)")
        return switch error {
        case .option: .validationFailure
        case .unreadable: Failure.inputMissing
        case .malformed, .scenario: Failure.badData
        case .unwritable: Failure.cannotWrite
        case .port: Failure.temporary
        }
    }

    private func serve(_ configuration: StandInConfiguration, _ files: ProviderFiles, life: Duration?) async throws {
        let standIn = try await StandIn.start(configuration)
        do {
            // Written only now: a stand-in that cannot listen must not overwrite the files of one that can.
            try files.write()
            try announce(standIn, configuration, files)
            // Thirty years: effectively forever.
            try await Task.sleep(for: life ?? .seconds(1_000_000_000))
        } catch {
            await standIn.stop()
            throw error
        }
        await standIn.stop()
    }

    private func configuration() throws -> (StandInConfiguration, keyPEM: String?) {
        var configuration: StandInConfiguration
        var keyPEM: String?
        do {
            if let certificate, let key {
                configuration = StandInConfiguration(
                    identity: try ServerIdentity.files(certificate: certificate, key: key)
                )
            } else {
                configuration = StandInConfiguration(identity: try ServerIdentity.throwAway())
            }
            configuration.providerKeys = try providerKey.map { try ProviderKey(description: $0) }
        } catch let error as StandInError {
            throw failure(error)
        }
        if providerKey.isEmpty {
            let made = try ProviderKey.throwAway()
            configuration.providerKeys = [made.key]
            keyPEM = made.pem
        }
        if let scenario {
            let settings = settings.withSeed(seed)
            let world = try orExit { try ScenarioLoader.load(file: scenario, settings: settings) }
            let host = FaultHost.standIn(losesConnections: !keepConnections)
            if let warning = host.warning(about: world.scenario) { printError("\(scenario): \(warning)") }
            configuration.apns = APNsRules(world: world)
            configuration.faults = world.scenario.faults.filter { host.plays($0.kind) }
            configuration.phones = PhoneStation.Rules(world.scenario.devices, channel: world.scenario.groups?.channel)
        }
        configuration.host = bind
        configuration.port = port
        configuration.metricsPort = metricsPort
        configuration.threads = threads
        configuration.checksSignatures = !noSignatureCheck
        configuration.bundleIDs = bundle
        configuration.isDevelopment = development
        configuration.speed = speed
        configuration.playsPhones = !noScreens
        configuration.streams = streams
        configuration.shrinksStreams = shrinkStreams
        configuration.mostErrors = maxErrors
        configuration.mostResets = maxResets
        configuration.goAwayAfter = goAwayAfter
        configuration.goAwayEvery = try goAwaySpan()
        configuration.losesConnections = !keepConnections
        configuration.log = RequestLog.Configuration(file: requestLog, kept: keepRequests)
        configuration.mostConnections = maxConnections
        configuration.idleSeconds = try idleSeconds()
        configuration.phoneSecret = phoneSecret
        configuration.netmera = netmeraPort.map { NetmeraConfiguration(port: $0, key: netmeraKey) }
        if let bundle = bundle.first { configuration.netmera?.topic = "\(bundle).push-type.liveactivity" }
        return (configuration, keyPEM)
    }

    /// Returns a file for providers: at the requested path, or beside the ready file; `nil` for neither.
    private func file(
        _ text: String?,
        _ option: String,
        _ asked: String?,
        beside suffix: String,
        mode: Int
    ) -> ProviderFiles.File? {
        let beside = readyFile.map { URL(fileURLWithPath: $0).deletingPathExtension().path + "." + suffix }
        guard let text, let path = asked.map({ URL(fileURLWithPath: $0).path }) ?? beside else { return nil }
        return ProviderFiles.File(text: text, path: path, mode: mode, option: option, isAsked: asked != nil)
    }

    private func announce(_ standIn: StandIn, _ configuration: StandInConfiguration, _ files: ProviderFiles) throws {
        let provider = configuration.providerKeys.first
        printError("APNs stand-in: https://localhost:\(standIn.port)")
        if let port = standIn.metricsPort {
            printError("metrics: http://127.0.0.1:\(port)/metrics")
            if keepRequests > 0 { printError("requests: http://127.0.0.1:\(port)/requests") }
        }
        if let port = standIn.netmeraPort {
            printError("Netmera's REST calls: http://127.0.0.1:\(port)\(NetmeraCall.Operation.root)")
        }
        guard let readyFile else { return }
        var ready = ReadyFile(port: standIn.port, pid: ProcessInfo.processInfo.processIdentifier)
        ready.metricsPort = standIn.metricsPort
        ready.netmeraPort = standIn.netmeraPort
        (ready.ca, ready.key) = (files.ca?.path, files.key?.path)
        (ready.kid, ready.team) = (provider?.id, provider?.team)
        ready.faults = configuration.faults.map { .init($0, since: standIn.epoch, speed: configuration.speed) }
        try ready.write(to: readyFile)
    }
}
