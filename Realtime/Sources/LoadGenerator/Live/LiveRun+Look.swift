import Experiments
import FreshnessCore
import LiveActivityModel
package import Quantities
package import Reporting
import Synchronization

extension LiveRun {
    /// Sees all activities and takes what was measured so far; done by the thread of the cells.
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

    /// What a run that ended at a look would come to, without what is still under way.
    package func outcome(at look: LiveLook) -> LiveOutcome {
        LiveOutcome(
            result: RunResult(scenario: world.scenario, cells: look.cells),
            lateness: look.lateness,
            speed: speed,
            progress: look.progress
        )
    }

    /// How long the run takes by the clock, if it goes on to its horizon.
    package var plannedTime: TimeSpan {
        TimeSpan(microseconds: Int64(Double(world.horizon.microseconds) / speed))
    }

    /// What breaks in the run, in the scenario's time.
    package var faults: [FaultSpan] { FaultSpan.all(of: world.scenario) }

    /// An instant of the run by the clock.
    package func wall(_ instant: Instant) -> TimeSpan {
        TimeSpan(microseconds: Int64(Double(instant.microseconds) / speed))
    }
}

/// A look at a run that goes on.
package struct LiveLook: Sendable {
    /// How fresh everything was.
    package let glance: FreshnessGlance
    /// How far the run had come.
    package let progress: LiveProgress
    /// What each cell had measured; what began and had not ended is not in it.
    let cells: [CellResult]
    let lateness: LiveOutcome.Lateness
    /// How long the thread of the cells had nothing else to do [wall clock].
    package let took: TimeSpan
}
