import Evaluation
import Foundation
import LiveActivityModel
import LoadGenerator
import Quantities
import Reporting
import Shell
import Studies

extension LoadResults {
    /// Writes the files of a load, or ends the command.
    ///
    /// - Parameters:
    ///   - events: The number of updates or requests.
    ///   - jobs: The number of threads.
    ///   - began: The start of the command.
    func write(to directory: RunDirectory, events: Int, jobs: Int, began: ContinuousClock.Instant) throws {
        let wall = began.duration(to: .now)
        try directory.writeOrExit(RunFiles(self), wall: wall, events: UInt64(events), jobs: jobs)
    }

    /// Prints the results of a load and the place of its files.
    func show(in directory: RunDirectory?) {
        if let earlyEnd { print("\(earlyEnd.announcement)\n") }
        print(table, terminator: "")
        for note in notes { print("\n" + note) }
        if !outcomes.isEmpty { print("\n" + VerdictColours.text(thresholdTable), terminator: "") }
        if let directory { print("\nResults: \(directory.path) (read report.md first)") }
    }

    /// Ends the command if its load was ended early, so that partial results do not pass for complete ones.
    func throwIfEndedEarly(quiet: Bool) throws { try earlyEnd?.endCommand(quiet: quiet) }
}

extension EarlyEndMark {
    /// The reason why a run that was ended early is not compared with a simulation.
    static let notCompared = "not compared with a simulation, because the run was ended early"

    /// Ends the command with the code of the signal that requested the early end.
    func endCommand(quiet: Bool) throws -> Never {
        if quiet { printError("\(sentence).") }
        throw exitCode
    }
}

extension LiveRun {
    /// A run in real time; ends the command if the scenario cannot run in real time.
    static func orExit(_ world: World, speed: Double, remote: RemoteStations, wire: any LiveWire) throws -> LiveRun {
        do throws(LiveRunError) {
            return try LiveRun(world: world, speed: speed, remote: remote, wire: wire)
        } catch {
            printError("\(error)")
            throw Failure.badData
        }
    }

    /// Shows the progress of the run until the task is cancelled.
    ///
    /// - Parameters:
    ///   - showsLine: `true` if a progress line is printed, too.
    ///   - tell: Called once a second with the results so far and their view; nil if nothing shows them.
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
            ProgressLine.show(Self.line(progress, until: horizon, after: began.duration(to: .now) / .seconds(1)))
        }
        if showsLine { ProgressLine.clear() }
    }

    /// The view of the run on a page before the first sample.
    func view(until horizon: Instant) -> LiveView {
        LiveView(planned: plannedTime, scenarioTime: horizon - .start, faults: faults)
    }

    /// The progress of a run after some seconds, as one line.
    static func line(_ progress: LiveProgress, until horizon: Instant, after seconds: Double) -> String {
        let share = Double(progress.now.microseconds) / Double(max(1, horizon.microseconds))
        return "\(ProgressLine.percent(share))  \(ProgressLine.count(progress.requests)) requests  "
            + "\(ProgressLine.count(progress.news)) answers and arrivals"
            + ProgressLine.left(after: seconds, share: share)
    }
}

extension RunResult {
    /// The result of one simulation of a scenario on all processors.
    @Sendable
    static func simulated(_ world: World) async throws -> RunResult {
        let jobs = ProcessInfo.processInfo.activeProcessorCount
        return try await RunEngine(world: world, replications: 1, jobs: jobs).run(progress: RunProgress())
    }
}
