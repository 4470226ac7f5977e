package import Evaluation
import FreshnessCore
import LiveActivityModel
package import Quantities
import Synchronization

extension LiveRun {
    /// Takes a sample of all activities and of the measurements so far, on the thread of the cells.
    func look(at cells: UnsafeMutablePointer<CellSimulation>, _ now: Instant, _ lateness: LiveOutcome.Lateness) {
        let began = ContinuousClock.now
        var screens = FreshnessGlance.Screens()
        var belief = FreshnessGlance.Belief()
        var isWatched = false
        var results: [CellResult] = []
        for cell in 0..<world.scenario.cells {
            cells[cell]
                .census(at: now) { glance in
                    switch glance.screen {
                    case .fresh: screens.fresh += 1
                    case .stale: screens.stale += 1
                    case .wrongStage: screens.wrongStage += 1
                    case .leftBehind: screens.leftBehind += 1
                    }
                    guard let believed = glance.belief else { return }
                    isWatched = true
                    switch believed {
                    case .fresh: belief.fresh += 1
                    case .recoverable: belief.recoverable += 1
                    case .severe: belief.severe += 1
                    }
                }
            results.append(
                CellResult(
                    replication: 0,
                    cell: cell,
                    measurements: cells[cell].measurements,
                    fingerprint: cells[cell].fingerprint
                )
            )
        }
        let look = LiveLook(
            glance: FreshnessGlance(at: now - .start, screens: screens, belief: isWatched ? belief : nil),
            progress: progress,
            cells: results,
            lateness: lateness,
            took: TimeSpan(began.duration(to: .now))
        )
        newestLook.withLock { $0 = look }
    }

    /// The results up to a sample, without activities that have not ended.
    package func outcome(at look: LiveLook) -> LiveOutcome {
        LiveOutcome(
            result: RunResult(scenario: world.scenario, cells: look.cells),
            lateness: look.lateness,
            speed: speed,
            progress: look.progress
        )
    }

    /// The wall-clock length of the run up to its horizon.
    package var plannedTime: TimeSpan {
        TimeSpan(microseconds: Int64(Double(world.horizon.microseconds) / speed))
    }

    /// The faults of the run, in the scenario's time.
    package var faults: [FaultSpan] { FaultSpan.all(of: world.scenario) }

    /// The wall-clock time of an instant since the beginning of the run.
    package func wall(_ instant: Instant) -> TimeSpan {
        TimeSpan(microseconds: Int64(Double(instant.microseconds) / speed))
    }
}

/// A sample of a run in progress.
package struct LiveLook: Sendable {
    /// The freshness of all activities.
    package let glance: FreshnessGlance
    /// The progress of the run.
    package let progress: LiveProgress
    /// The measurements of each cell, without activities that have not ended.
    let cells: [CellResult]
    let lateness: LiveOutcome.Lateness
    /// The wall-clock time that the sample took on the thread of the cells.
    package let took: TimeSpan
}
