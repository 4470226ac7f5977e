import Experiments
import Foundation
import LoadGenerator
import Quantities
import Reporting
import ServiceLoad
import Shell

/// Runs a load on a service with Netmera's calls and shows its progress.
struct LoadNetmeraSession: Sendable {
    let load: NetmeraLoad
    let showsProgress: Bool
    /// Called once a second with the results so far; nil if nothing shows them.
    var tell: (@Sendable (LoadAPNsOutcome, LoadSnapshot.Progress) -> Void)?

    /// Runs the load; its results have the metric names of a load on APNs.
    func run(endingWith end: EarlyEnd = EarlyEnd()) async throws -> LoadAPNsOutcome {
        let (total, shows) = (load.plan.total, showsProgress)
        let outcome: NetmeraLoad.Outcome
        do {
            outcome = try await load.run(endingWith: end) { outcome, elapsed in
                var progress = LoadSnapshot.Progress(
                    stage: elapsed < load.plan.duration && outcome.earlyEnd == nil ? .running : .draining,
                    elapsed: elapsed,
                    planned: load.plan.duration,
                    inFlight: outcome.open
                )
                progress.countsUnsent = true
                tell?(self.outcome(of: outcome, after: outcome.earlyEnd?.ran ?? elapsed), progress)
                if shows {
                    ProgressLine.show("\(outcome.tally.requests) of \(total) requests done, \(outcome.open) in flight")
                }
            }
            if shows { ProgressLine.clear() }
        } catch let error as NetmeraLoadError {
            printError("\(error)")
            throw Failure.temporary
        }
        try Task.checkCancellation()
        return self.outcome(of: outcome, after: outcome.earlyEnd?.ran ?? load.plan.duration)
    }

    /// The results of a load that has run for a time.
    private func outcome(of outcome: NetmeraLoad.Outcome, after ran: TimeSpan) -> LoadAPNsOutcome {
        LoadAPNsOutcome(
            tally: outcome.tally,
            duration: min(ran, load.plan.duration),
            warmUp: load.warmUp,
            plan: load.plan,
            kinds: outcome.kinds.map { ($0.kind.rawValue, $0.count) },
            remarks: [
                "Each request is a REST call, counted by its kind; the service time includes the wait for a connection.",
                "The generator itself was late by \(ProgressLine.span(outcome.latestStart)) at most; "
                    + "not sent because too many earlier calls were in flight: \(outcome.notSent).",
            ],
            earlyEnd: outcome.earlyEnd
        )
    }
}
