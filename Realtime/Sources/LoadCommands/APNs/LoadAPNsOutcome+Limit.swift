import Evaluation
import Histogram
import LoadGenerator
import Quantities
import Reporting

/// The search for the highest rate at which all thresholds hold.
extension LoadAPNsOutcome {
    /// The highest rate that a search tries [1/s].
    private static let highestSearched = 2_000_000.0

    /// Doubles a constant rate and then halves the interval until the limit is known to a tenth.
    ///
    /// - Parameter trial: Runs a load at one rate.
    static func atLimit(
        of schedule: LoadSchedule,
        thresholds: [Check],
        trial: (LoadSchedule) async throws -> LoadAPNsOutcome
    ) async throws -> LoadAPNsOutcome {
        guard case .open(let plan, let process) = schedule.arrivals else {
            return try await trial(schedule)
        }
        var trials: [LoadAPNsOutcome.Trial] = []
        var best: LoadAPNsOutcome?
        let first = plan.rate(at: .zero)
        var search = LimitSearch(first: first, highest: max(first, highestSearched), precision: 0.1)
        while let rate = search.next {
            var step = schedule
            step.arrivals = .open(try .constant(perSecond: rate, for: plan.duration), process)
            let outcome = try await trial(step)
            if let earlyEnd = outcome.earlyEnd {
                // A trial that was ended early says nothing about its rate, so the best earlier trial counts. Without one, it
                // is the only result.
                guard var found = best else { return outcome }
                found.trials = trials
                found.earlyEnd = earlyEnd.ofSearch(after: trials.count, took: plan.duration * Int64(trials.count))
                return found
            }
            // Random arrivals are more or fewer than the rate implies, so the share of answered ones decides.
            let isKeptUp =
                outcome.tally.requests > 0
                && Double(outcome.tally.learnt.answered) >= 0.98 * Double(outcome.tally.requests)
            let holds = try isKeptUp && holds(outcome, thresholds)
            trials.append(
                LoadAPNsOutcome.Trial(
                    rate: rate,
                    done: outcome.answersPerSecond ?? 0,
                    percentile99: outcome.tally.latency.valueAtPercentile(99),
                    holds: holds
                )
            )
            // A rate that holds is above all rates that held before. If none holds, the first trial is shown.
            if holds || best == nil { best = outcome }
            search.tried(holds: holds)
        }
        guard var found = best else { preconditionFailure("a search that tries nothing") }
        found.trials = trials
        return found
    }

    private static func holds(_ outcome: LoadAPNsOutcome, _ thresholds: [Check]) throws -> Bool {
        guard !thresholds.isEmpty else {
            return outcome.tally.latency.valueAtPercentile(99) < 100_000 && (outcome.errors ?? 1) < 0.01
        }
        let rows = outcome.rows
        return try thresholds.allSatisfy { try $0.outcome(in: rows).holds }
    }
}
