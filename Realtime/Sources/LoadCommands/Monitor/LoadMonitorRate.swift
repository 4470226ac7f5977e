import ArgumentParser
import CommandShell
import LoadGenerator
import LoadTransport
import Quantities
import RealtimeShell

/// Load on a monitor at a rate: runs it, shows and writes what came of it.
struct LoadMonitorRate: Sendable {
    let target: LoadMonitorTarget
    let options: LoadMonitorRateOptions
    let seed: UInt64
    let connections: Int
    let maxFailures: Int
    let output: String?
    let quiet: Bool

    func run() async throws {
        let span = try options.span()
        var load = MonitorLoad(
            monitor: target.url,
            secret: target.secret,
            authority: target.authority,
            plan: try plan(over: span),
            operations: MonitorOperations(instances: options.instances ?? 1000, seed: seed)
        )
        load.connections = connections
        let (total, quiet, ready) = (load.plan.total, quiet, load)
        let tally = try await Interruption.guarding(kept: "nothing was written") {
            let tally = try await ready.run { answered in
                if !quiet { ProgressLine.tell("\(answered) of \(total) requests answered") }
            }
            if !quiet { ProgressLine.clear() }
            try Task.checkCancellation()
            return tally
        }
        let outcome = LoadMonitorRateOutcome(tally: tally, span: span, planned: total)
        print(outcome.table, terminator: "")
        if let output { try writeOrExit(outcome.csv, to: "\(output)/summary.csv") }
        guard outcome.failures <= maxFailures else {
            printError(
                "\(outcome.failures) requests failed; \(maxFailures) are allowed"
                    + (outcome.unauthorized > 0 ? " (401: the secret of --bearer-token-file is not the monitor's)" : "")
            )
            throw Failure.checkFailed
        }
    }

    private func plan(over total: TimeSpan) throws -> RatePlan {
        do {
            if let ramp = options.ramp {
                let (span, low, high) = try LoadOptions.ramp(ramp, named: "--ramp")
                return try .ramp(from: low, to: high, over: span, for: total)
            }
            return try .constant(perSecond: try options.perSecond(), for: total)
        } catch let error as RatePlanError {
            throw ValidationError("\(error)")
        }
    }
}
