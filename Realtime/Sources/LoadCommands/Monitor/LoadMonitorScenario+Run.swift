import ArgumentParser
import Foundation
import LiveActivityModel
import LoadGenerator
import NIOCore
import NIOPosix
import Quantities
import Reporting
import ScenarioLanguage
import ServiceLoad
import Shell

/// The run itself: starts the processes that are missing, runs, and stops them.
extension LoadMonitorScenario {
    /// Called once a second with the results so far.
    typealias Report = @Sendable (LoadMonitorOutcome, LiveView) -> Void

    /// The longest wait for answers after the rides.
    private static let patience = Duration.seconds(10)

    /// Runs a scenario until its end or an early end.
    ///
    /// - Parameter report: Receives the results so far; nil if nothing shows them.
    func perform(
        _ world: World,
        endingWith end: EarlyEnd = EarlyEnd(),
        report: Report? = nil
    ) async throws -> LoadMonitorOutcome {
        let (standIn, ownStandIn) = try await readyStandIn()
        defer { ownStandIn?.stop() }
        let (target, ownMonitor) = try await readyMonitor(world.scenario, standIn)
        defer { ownMonitor?.stop() }
        let client = try MonitorClient(
            monitor: target.url,
            secret: target.secret,
            authority: target.authority,
            connections: command.connections
        )
        var outcome = try await working {
            let time = try await greet(client, target)
            let wire = MonitorWire(scenario: world.scenario, client: client, prefix: prefix(world), time: time)
            let run = try LiveRun.orExit(world, speed: speed, remote: .withMonitor, wire: wire)
            return try await perform(run, wire, standIn, until: world.horizon, endingWith: end, report)
        } finally: {
            await client.shutDown()
        }
        if let log = command.eventLog {
            do {
                try ownMonitor?.stop(writing: EventLogFile(log))
            } catch {
                printError("\(error)")
                outcome.isLogLost = true
            }
        }
        return outcome
    }

    /// The beginning of the instances' names; a monitor that was started for the run has no others.
    private func prefix(_ world: World) -> String {
        guard monitor != nil else { return LoadInstances.alone }
        return LoadInstances.prefix(of: "\(RunID(world.scenario))", beganAt: WallClock.microseconds)
    }

    /// The stand-in, and its process if it was started for the run.
    private func readyStandIn() async throws -> (ReadyFile, own: ChildProcess?) {
        if let running = options.readyFile { return (try .reading(running), nil) }
        let own = try await ChildProcess.standIn(file, settings: settings, speed: speed)
        return (own.ready, own)
    }

    /// The monitor, and its process if it was started for the run.
    private func readyMonitor(
        _ scenario: Scenario,
        _ standIn: ReadyFile
    ) async throws -> (LoadMonitorTarget, own: ChildMonitor?) {
        if let monitor { return (monitor, nil) }
        let own = try await ChildMonitor.start(
            file: file,
            settings: settings,
            scenario: scenario,
            speed: speed,
            standIn: standIn,
            log: command.eventLog.map { EventLogFile($0).form }
        )
        return (own.target, own)
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
        until horizon: Instant,
        endingWith end: EarlyEnd,
        _ report: Report?
    ) async throws -> LoadMonitorOutcome {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        return try await working {
            let phones = try await phones(of: standIn, group, wire)
            wire.attach(phones)
            let tell = report.map { report in
                { @Sendable (live: LiveOutcome, view: LiveView) in
                    report(LoadMonitorOutcome(live: live, monitor: wire.heard, speed: speed), view)
                }
            }
            let display = Task { await run.show(until: horizon, showsLine: !command.quiet, report: tell) }
            defer { display.cancel() }
            var live = try await run.run(endingWith: end)
            let heard = await wire.finish(patience: Self.patience)
            live.course = run.course
            await phones.end()
            if monitor != nil {
                LoadMonitorCommand.warn(ofRemaining: await wire.withdrawRest(of: end))
            }
            try LiveRun.orExit(hasPhones: !heard.hasLostPhones)
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
                secret: options.phoneSecret,
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
