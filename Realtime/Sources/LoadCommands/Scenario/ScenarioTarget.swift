import ArgumentParser
import Foundation
import LiveActivityModel
import LoadGenerator
import NIOCore
import NIOPosix
import Quantities
import Shell

/// The options that select the APNs of a scenario's run.
struct ScenarioTarget: ParsableArguments {
    @Option(
        help:
            "The endpoint, for example https://127.0.0.1:8443. Without it a stand-in (freshet apns) is started for the run."
    )
    var endpoint: String?

    @Flag(help: "Play APNs within the process, without a network.")
    var inProcess = false

    @Option(help: "A file (PEM) of certificate authorities to trust instead of the system's.", completion: .file())
    var ca: String?

    @Flag(help: "Accept any certificate; for tests on your own machine.")
    var insecureSkipVerify = false

    @OptionGroup var provider: ProviderOptions

    @Option(help: "The secret of the stand-in's --phone-secret.")
    var phoneSecret: String?

    @Option(help: "apns-topic.")
    var topic = "com.example.rides.push-type.liveactivity"

    @Option(help: "The number of connections.")
    var connections = 4

    func validate() throws {
        try demand(!inProcess || endpoint == nil, "--in-process and --endpoint are mutually exclusive: choose one")
        try limit("--connections", connections, to: 1...256)
        try LoadOptions.check(topic: topic)
    }

    /// A wire that is ready, with its remote end.
    struct Link: Sendable {
        let wire: any LiveWire
        let remote: RemoteStations
        /// The kind of APNs as run.json states it.
        let kind: String
        /// Closes the wire and stops processes that were started for it; returns false if the wire was lost before.
        var close: @Sendable () async -> Bool = { true }
    }

    /// Opens the wire to APNs, and starts a stand-in for the scenario if no endpoint is given; the run must begin at once.
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

    /// Connects to the endpoint and to its phone line if it has one.
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
                provider: try provider.identity(),
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
                await wire.settle(within: .seconds(10))
                if wire.refusedChannels > 0 {
                    printError(
                        "APNs has refused to create \(wire.refusedChannels) channels; their groups got no pushes"
                    )
                }
                await phones?.end()
                await pool.close()
                try? await group.shutdownGracefully()
                return !wire.hasLostPhones
            }
        } catch {
            try? await group.shutdownGracefully()
            if error is ExitCode || error is ValidationError { throw error }
            printError("cannot connect to \(endpoint): \(ConnectionCause.text(error))")
            throw Failure.temporary
        }
    }

    /// The phone line; nil if the endpoint has none, like Apple's.
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
            printError("the endpoint has no line for phones, so the scenario draws what becomes of accepted pushes")
            return nil
        }
    }
}
