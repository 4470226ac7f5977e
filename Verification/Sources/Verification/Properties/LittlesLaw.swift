import LiveActivityModel
import Quantities
import SimulationKernel
import Studies

/// Over a run that begins and ends empty, the time integral of the number present equals the sum of the lengths of
/// stays.
///
/// The two are measured in different places: the integral where the number changes, the lengths where a stay ends.
struct LittlesLaw {
    var scenario = LittlesLaw.emptying
    /// The number of runs.
    var seeds = 50
    /// The maximum relative difference of the two.
    var tolerance = 1e-9

    /// An hour of rides with a busy sender, and enough time for all of it to end.
    ///
    /// Updates are sent only in the first stage, so that none waits for a ride that is over.
    static var emptying: Scenario {
        var scenario = Scenario.bare("little")
        scenario.clock.duration = .hours(1)
        scenario.clock.drain = .hours(100)
        scenario.clock.window = .hours(101)
        scenario.rides.arrivals.ratesPerHour = [100]
        var busy = Scenario.Stage(name: "busy", duration: .exponential(mean: 600e6))
        busy.refresh = .exponential(mean: 30e6)
        scenario.rides.stages = [
            busy, Scenario.Stage(name: "quiet", duration: .uniform(low: 36_000e6, high: 72_000e6)),
        ]
        scenario.monitor.enabled = false
        scenario.sender.streams = 2
        scenario.sender.requestTime = .exponential(mean: 5e6)
        scenario.sender.queueLimit = 4
        scenario.sender.requeueAfter = .exponential(mean: 60e6)
        return scenario
    }

    func outcome(jobs: Int) async throws -> PropertyOutcome {
        let world = try ScenarioLoader.world(scenario)
        let runs = try await concurrently(seeds, jobs: jobs) { seed in
            let run = try await Estimator.measurements(of: world, seed: UInt64(seed) + 1, replication: 0)
            return (violations: violations(run).map { "seed \(seed + 1): \($0)" }, pushes: run[.sendTime].count)
        }
        return PropertyOutcome(
            violations: runs.flatMap(\.violations),
            of: "\(seeds) runs with \(runs.reduce(0) { $0 + $1.pushes }) pushes"
        )
    }

    private func violations(_ run: Measurements) -> [String] {
        var violations: [String] = []
        func compare(_ what: String, _ integral: Int64, _ sum: Int64) {
            let distance = abs(Double(integral - sum))
            if !(distance <= tolerance * Double(sum)) || sum == 0 {
                violations.append("\(what): \(integral) µs in the integral, \(sum) µs in the stays")
            }
        }
        compare("activities", run[.populationTime], run[.lifetime].sum)
        compare("pushes", run.time(.queuedTime) + run.time(.busyTime) + run.time(.orbitTime), run[.sendTime].sum)
        if run[.liveAtHorizon] + run[.queuedAtHorizon] + run[.inOrbitAtHorizon] + run[.inFlightAtHorizon] > 0 {
            violations.append("the run does not end empty")
        }
        return violations
    }
}
