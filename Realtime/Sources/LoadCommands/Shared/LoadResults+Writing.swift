import Experiments
import Foundation
import LiveActivityModel
import LoadGenerator
import Quantities
import Reporting

extension LoadResults {
    /// Writes the files of a load, or ends the command.
    ///
    /// - Parameters:
    ///   - events: How many updates or requests there were.
    ///   - jobs: On how many threads.
    ///   - began: When the command began.
    func write(to directory: RunDirectory, events: Int, jobs: Int, began: ContinuousClock.Instant) throws {
        let wall = began.duration(to: .now)
        try directory.writeOrExit(RunFiles(self), wall: wall, events: UInt64(events), jobs: jobs)
    }

    /// Prints what came of a load, and where its files are.
    func show(in directory: RunDirectory?) {
        if let earlyEnd { print("\(earlyEnd.announcement)\n") }
        print(table, terminator: "")
        for note in notes { print("\n" + note) }
        if !outcomes.isEmpty { print("\n" + VerdictColours.text(thresholdTable), terminator: "") }
        if let directory { print("\nResults: \(directory.path) (read report.md first)") }
    }

    /// Ends a command whose load was ended early, all results being written: a part must not pass for the whole.
    func throwIfEndedEarly(quiet: Bool) throws { try earlyEnd?.endCommand(quiet: quiet) }
}

extension EarlyEndMark {
    /// Why a run that was ended early has no simulation beside it.
    static let notCompared = "not compared with a simulation: a part of a run is no other's counterpart"

    /// Ends the command with the code of the signal that asked for the early end.
    func endCommand(quiet: Bool) throws -> Never {
        if quiet { printError("\(sentence).") }
        throw exitCode
    }
}

extension LiveRun {
    /// A run in real time, or the end of the command where the scenario cannot be one.
    static func orExit(_ world: World, speed: Double, remote: RemoteStations, wire: any LiveWire) throws -> LiveRun {
        do throws(LiveRunError) {
            return try LiveRun(world: world, speed: speed, remote: remote, wire: wire)
        } catch {
            printError("\(error)")
            throw Failure.badData
        }
    }

    /// Shows how far the run has come until the task is cancelled.
    ///
    /// - Parameters:
    ///   - showsLine: Whether a line tells it, too.
    ///   - tell: Is told once a second what is to be seen and what came so far; nil where nothing shows it.
    func show(
        until horizon: Instant,
        showsLine: Bool,
        tell: (@Sendable (LiveOutcome, LiveView) -> Void)?
    ) async {
        let interval: Duration = ProgressLine.isTerminal ? .milliseconds(250) : .seconds(10)
        let began = ContinuousClock.now
        var toldAt = ContinuousClock.now
        var view = view(until: horizon)
        while (try? await Task.sleep(for: .milliseconds(250))) != nil {
            if let tell {
                if let look = takeLook() {
                    view.append(look, course, at: wall(.start + look.glance.at))
                    tell(outcome(at: look), view)
                } else if view.wantsLook(at: wall(progress.now)) {
                    askForLook()
                }
            }
            guard showsLine, .now - toldAt >= interval - .milliseconds(10) else { continue }
            toldAt = .now
            ProgressLine.tell(Self.line(progress, until: horizon, after: began.duration(to: .now) / .seconds(1)))
        }
        if showsLine { ProgressLine.clear() }
    }

    /// What a page shows of the run, before the first look.
    func view(until horizon: Instant) -> LiveView {
        LiveView(planned: plannedTime, scenarioTime: horizon - .start, faults: faults)
    }

    /// How far a run has come after some seconds, in a line.
    static func line(_ progress: LiveProgress, until horizon: Instant, after seconds: Double) -> String {
        let share = Double(progress.now.microseconds) / Double(max(1, horizon.microseconds))
        return "\(ProgressLine.percent(share))  \(ProgressLine.count(progress.requests)) requests  "
            + "\(ProgressLine.count(progress.news)) answers and arrivals"
            + ProgressLine.left(after: seconds, share: share)
    }
}

extension RunResult {
    /// What a scenario comes to that is simulated once, on all processors.
    @Sendable
    static func simulated(_ world: World) async throws -> RunResult {
        let jobs = ProcessInfo.processInfo.activeProcessorCount
        return try await RunEngine(world: world, replications: 1, jobs: jobs).run(progress: RunProgress())
    }
}

/// Works, and then does what has to be done however the work ends.
func working<Value>(_ work: () async throws -> Value, finally: () async -> Void) async throws -> Value {
    do {
        let value = try await work()
        await finally()
        return value
    } catch {
        await finally()
        throw error
    }
}
