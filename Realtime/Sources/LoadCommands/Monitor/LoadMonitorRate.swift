import ArgumentParser
import LoadGenerator
import Quantities
import Reporting

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
        let began = ContinuousClock.now
        if let output {
            // Better now than after the load.
            try writingOrExit { () throws(RunDirectoryError) in _ = try RunDirectory(path: output).holdsRun() }
        }
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
        if let output { try write(outcome, to: RunDirectory(path: output), began: began) }
        guard outcome.failures <= maxFailures else {
            printError(
                "\(outcome.failures) requests failed; \(maxFailures) are allowed"
                    + (outcome.unauthorized > 0 ? " (401: the secret of --bearer-token-file is not the monitor's)" : "")
            )
            throw Failure.checkFailed
        }
    }

    private func write(
        _ outcome: LoadMonitorRateOutcome,
        to directory: RunDirectory,
        began: ContinuousClock.Instant
    ) throws {
        let asked: [(name: String, value: String)] = [
            ("monitor", target.url), ("instances", "\(options.instances ?? 1000)"), ("requests", "\(outcome.planned)"),
            ("duration_us", "\(outcome.span.microseconds)"), ("connections", "\(connections)"),
        ]
        let results = LoadResults(name: "load monitor --rate", seed: seed, settings: asked, rows: outcome.rows)
        let wall = TimeSpan(began.duration(to: .now))
        try writingOrExit { () throws(RunDirectoryError) in
            try directory.write(RunFiles(results))
            try directory.write(
                Timing.ofThisProcess(wall: wall, events: UInt64(outcome.tally.requests), jobs: connections)
            )
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
