import Evaluation
import LiveActivityModel
import Quantities
import Statistics

/// The instant from which a run is steady, by the truncation rule MSER-5 over its windows.
///
/// It is computed only if a steady state can exist: rides arrive at one rate, and no fault has a set time.
enum SteadyState: Hashable {
    /// Both live activities and the share of fresh time are steady from an instant on.
    case from(Instant)
    /// The run does not become steady, so it is too short.
    case notReached
    /// The run has fewer windows than MSER-5 needs.
    case tooFewWindows(Int)

    /// Returns nil for a run with a warm-up or without a possible steady state.
    init?(_ result: RunResult) {
        let scenario = result.scenario
        let arrivals = scenario.rides.arrivals
        guard scenario.clock.warmUp == .zero, scenario.faults.isEmpty, scenario.rides.trace == nil,
            arrivals.process == .poisson, Set(arrivals.ratesPerHour).count == 1
        else { return nil }
        // A window only partly filled by arrivals would look like a change.
        let steps = TimeSteps(result, windowsPerStep: 1).steps
            .filter { $0.until <= .start + scenario.clock.duration }
        guard steps.count >= MSER5.fewestValues else {
            self = .tooFewWindows(steps.count)
            return
        }
        // A window without anything on screens has no freshness; only the first windows can be such.
        let fresh = steps.map { $0.share(.displayedFreshTime, of: .displayedTime) ?? 1 }
        let live = steps.map { Double($0[.displayedTime]) }
        guard let first = MSER5.truncation(live), let second = MSER5.truncation(fresh) else {
            self = .notReached
            return
        }
        self = .from(steps[max(first, second)].from)
    }
}
