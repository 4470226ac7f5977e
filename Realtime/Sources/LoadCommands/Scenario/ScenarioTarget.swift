import ArgumentParser
import Foundation
import LiveActivityModel
import LoadGenerator
import NIOCore
import NIOPosix
import Quantities
import Reporting

/// Which APNs a scenario is run against.
struct ScenarioTarget: ParsableArguments {
    @Option(
        help: "The endpoint, as https://127.0.0.1:8443. Without it a stand-in (freshet apns) is started for the run."
    )
    var endpoint: String?

    @Flag(help: "Play APNs in the process, without any network.")
    var inProcess = false

    @Option(help: "The certificate (PEM) by which the endpoint is known.", completion: .file())
    var ca: String?

    @Flag(help: "Take any certificate. For trials on one's own machine.")
    var insecureSkipVerify = false

    @OptionGroup var provider: ProviderOptions

    @Option(help: "What the stand-in's phones must show, where its --phone-secret asks for it.")
    var phoneSecret: String?

    @Option(help: "apns-topic.")
    var topic = "com.example.rides.push-type.liveactivity"

    @Option(help: "How many connections to hold.")
    var connections = 4

    func validate() throws {
        guard !inProcess || endpoint == nil else {
            throw ValidationError("--in-process and --endpoint are mutually exclusive: choose one")
        }
        try LoadOptions.check(connections, named: "--connections", in: 1...256)
        try LoadOptions.check(topic: topic)
    }

    /// A wire that is ready, and who is at its end.
    struct Link: Sendable {
        let wire: any LiveWire
        let remote: RemoteStations
        /// As run.json says it.
        let kind: String
        /// Ends what was begun for it; false if it had ended before.
        var close: @Sendable () async -> Bool = { true }
    }

    /// Makes the way to APNs, by a stand-in with a file and settings of the scenario if need be; the run is to begin at once.
    func open(_ world: World, speed: Double, file: String, settings: [String]) async throws -> Link {
        if inProcess {
            return Link(wire: InProcessWire(APNsRules(world: world)), remote: .observed, kind: "in_process")
        }
        guard endpoint != nil else {
            // The model's sender plays connection_lost.
            let standIn = try await ChildProcess.standIn(
                file,
                settings: settings,
                speed: speed,
                options: ["--keep-connections"]
            )
            do {
                var own = self
                own.endpoint = "https://127.0.0.1:\(standIn.ready.port)"
                own.ca = standIn.ready.ca
                own.provider.take(from: standIn.ready)
                var link = try await own.connect(world, speed: speed, kind: "stand_in")
                link.close = { [close = link.close] in
                    defer { standIn.stop() }
                    return await close()
                }
                return link
            } catch {
                standIn.stop()
                throw error
            }
        }
        return try await connect(world, speed: speed, kind: "endpoint")
    }

    /// Connects to the endpoint, and its phones if it has any.
    private func connect(_ world: World, speed: Double, kind: String) async throws -> Link {
        let trust = try APNsEndpoint.Trust.checked(ca: ca, skipsVerification: insecureSkipVerify)
        guard let url = endpoint, let endpoint = APNsEndpoint(url: url, trust: trust) else {
            throw ValidationError("--endpoint must be https://HOST[:PORT], got \(self.endpoint ?? "")")
        }
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        do {
            let wire = EndpointWire(topic: topic, scenario: world.scenario)
            let own = Double(world.scenario.sender.timeout.microseconds) / speed
            let timeout = TimeAmount.microseconds(Int64(own) + 20_000)
            let pool = try await APNsPool(
                endpoint: endpoint,
                configuration: APNsPoolConfiguration(connections: connections, timeout: timeout),
                provider: try await provider.identity(),
                group: group,
                handler: wire
            )
            let phones: PhoneLink?
            do {
                try await pool.connected(within: .seconds(10))
                phones = try await self.phones(of: endpoint, speed: speed, group, wire)
            } catch {
                await pool.close()
                throw error
            }
            wire.attach(pool, phones)
            return Link(wire: wire, remote: phones == nil ? .unobserved : .observed, kind: kind) {
                await phones?.end()
                await pool.close()
                try? await group.shutdownGracefully()
                return !wire.hasLostPhones
            }
        } catch {
            try? await group.shutdownGracefully()
            if error is ExitCode || error is ValidationError { throw error }
            printError("cannot connect to \(endpoint): \(error)")
            throw Failure.temporary
        }
    }

    /// The phones' line; nil where the endpoint has none, as Apple's has not.
    private func phones(
        of endpoint: APNsEndpoint,
        speed: Double,
        _ group: any EventLoopGroup,
        _ wire: EndpointWire
    ) async throws -> PhoneLink? {
        do throws {
            return try await PhoneLink.connect(
                to: endpoint,
                secret: phoneSecret,
                speed: speed,
                group: group,
                listener: wire
            )
        } catch PhoneLinkError.refused {
            printError("the endpoint has no line for phones: what becomes of accepted pushes is drawn by the scenario")
            return nil
        }
    }
}
