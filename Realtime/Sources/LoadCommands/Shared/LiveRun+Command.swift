import Evaluation
import LiveActivityModel
import LoadGenerator
import Quantities
import Reporting
import Shell

/// A run in real time as a command shows it.
extension LiveRun {
    /// A run in real time; ends the command if the scenario cannot run in real time.
    static func orExit(
        _ world: World,
        speed: Double,
        remote: RemoteStations,
        wire: any LiveWire,
        log: EventLogTaker? = nil
    ) throws -> LiveRun {
        do throws(LiveRunError) {
            return try LiveRun(world: world, speed: speed, remote: remote, wire: wire, log: log)
        } catch {
            printError("\(error)")
            throw Failure.badData
        }
    }

    /// Ends the command if the phone line was lost during the run.
    static func orExit(hasPhones: Bool) throws {
        guard !hasPhones else { return }
        printError("the stand-in closed the phone line during the run, so the results are of no use")
        throw Failure.temporary
    }

    /// Shows the progress of the run until the task is cancelled.
    ///
    /// - Parameters:
    ///   - showsLine: `true` if a progress line is printed, too.
    ///   - report: Called once a second with the results so far and their view; nil if nothing shows them.
    func show(
        until horizon: Instant,
        showsLine: Bool,
        report: (@Sendable (LiveOutcome, LiveView) -> Void)?
    ) async {
        let interval: Duration = ProgressLine.isTerminal ? .milliseconds(250) : .seconds(10)
        let began = ContinuousClock.now
        var reportedAt = ContinuousClock.now
        var view = view(until: horizon)
        while (try? await Task.sleep(for: .milliseconds(250))) != nil {
            if let report {
                if let look = takeLook() {
                    view.append(look, course, at: wall(.start + look.glance.at))
                    report(outcome(at: look), view)
                } else if view.wantsLook(at: wall(progress.now)) {
                    askForLook()
                }
            }
            guard showsLine, .now - reportedAt >= interval - .milliseconds(10) else { continue }
            reportedAt = .now
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
