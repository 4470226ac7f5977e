import ArgumentParser
import Foundation
import LiveActivityModel
import LoadGenerator
import NIOCore
import NIOPosix
import Quantities
import ServiceLoad
import Shell

/// One run of a scenario against a monitor: starts the processes that are missing, runs, and stops them.
struct LoadMonitorSession: Sendable {
    let world: World
    let file: String
    let settings: [String]
    let speed: Double
    let monitor: LoadMonitorTarget?
    let readyFile: String?
    let phoneSecret: String?
    let connections: Int
    let showsProgress: Bool
    /// Called once a second with the results so far; nil if nothing shows them.
    var tell: (@Sendable (LoadMonitorOutcome, LiveView) -> Void)?

    /// The longest wait for answers after the rides.
    private static let patience = Duration.seconds(10)

    /// Runs the scenario until its end or an early end.
    func run(endingWith end: EarlyEnd = EarlyEnd()) async throws -> LoadMonitorOutcome {
        guard let readyFile else {
            let standIn = try await ChildProcess.standIn(file, settings: settings, speed: speed)
            defer { standIn.stop() }
            return try await run(standIn.ready, endingWith: end)
        }
        return try await run(ReadyFile.reading(readyFile), endingWith: end)
    }

    private func run(_ standIn: ReadyFile, endingWith end: EarlyEnd) async throws -> LoadMonitorOutcome {
        if let monitor { return try await run(standIn, monitor, endingWith: end) }
        let own = try await ChildMonitor.start(
            file: file,
            settings: settings,
            scenario: world.scenario,
            speed: speed,
            standIn: standIn
        )
        defer { own.stop() }
        return try await run(standIn, own.target, endingWith: end)
    }

    private func run(
        _ standIn: ReadyFile,
        _ target: LoadMonitorTarget,
        endingWith end: EarlyEnd
    ) async throws -> LoadMonitorOutcome {
        let client = try MonitorClient(
            monitor: target.url,
            secret: target.secret,
            authority: target.authority,
            connections: connections
        )
        return try await working {
            let time = try await greet(client, target)
            let wire = MonitorWire(scenario: world.scenario, client: client, time: time)
            let run = try LiveRun.orExit(world, speed: speed, remote: .withMonitor, wire: wire)
            return try await perform(run, wire, standIn, endingWith: end)
        } finally: {
            await client.shutDown()
        }
    }

    /// Checks that the server is a monitor, accepts the secret and has the run's speed.
    private func greet(_ client: MonitorClient, _ target: LoadMonitorTarget) async throws -> MonitorClient.Time {
        let time: MonitorClient.Time
        do {
            time = try await client.time()
            try await client.checkSecret()
        } catch {
            printError("\(target.url): \(error)")
            throw error is MonitorClientError ? Failure.badData : Failure.temporary
        }
        guard (time.speed / speed - 1).magnitude < 1e-9 else {
            printError(
                "\(target.url): its clock runs at \(time.speed) times the wall clock's speed, got --speed \(speed); allowed: "
                    + "the same speed, by `freshet monitor --speed \(speed)`"
            )
            throw Failure.badData
        }
        return time
    }

    /// Connects the phones and runs the rides.
    private func perform(
        _ run: LiveRun,
        _ wire: MonitorWire,
        _ standIn: ReadyFile,
        endingWith end: EarlyEnd
    ) async throws -> LoadMonitorOutcome {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        return try await working {
            let phones = try await phones(of: standIn, group, wire)
            wire.attach(phones)
            let tell = tell.map { tell in
                { @Sendable (live: LiveOutcome, view: LiveView) in
                    tell(LoadMonitorOutcome(live: live, monitor: wire.heard, speed: speed), view)
                }
            }
            let display = Task {
                await run.show(until: world.horizon, showsLine: showsProgress, tell: tell)
            }
            defer { display.cancel() }
            var live = try await run.run(endingWith: end)
            let heard = await wire.finish(patience: Self.patience)
            live.course = run.course
            await phones.end()
            guard !heard.hasLostPhones else {
                printError("the stand-in closed the phone line during the run, so the results are of no use")
                throw Failure.temporary
            }
            return LoadMonitorOutcome(live: live, monitor: heard, speed: speed)
        } finally: {
            try? await group.shutdownGracefully()
        }
    }

    private func phones(
        of standIn: ReadyFile,
        _ group: any EventLoopGroup,
        _ wire: MonitorWire
    ) async throws -> PhoneLink {
        let trust = standIn.ca.map { APNsEndpoint.Trust.file($0) } ?? .system
        let endpoint = APNsEndpoint(host: "127.0.0.1", port: standIn.port, trust: trust)
        do {
            return try await PhoneLink.connect(
                to: endpoint,
                secret: phoneSecret,
                speed: speed,
                withPayloads: true,
                group: group,
                listener: wire
            )
        } catch {
            printError("the phone line at \(endpoint) cannot be opened: \(ConnectionCause.text(error))")
            throw Failure.temporary
        }
    }
}
