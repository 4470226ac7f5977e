import Experiments
import Foundation
import Histogram
import LoadGenerator
import NIOCore
import NIOPosix
import Quantities
import Reporting
import Shell

/// Runs loads on one endpoint and shows their progress.
struct LoadAPNsSession: Sendable {
    let endpoint: APNsEndpoint
    let provider: ProviderIdentity?
    let configuration: APNsPoolConfiguration
    let showsProgress: Bool
    /// Called several times per second with the results so far; nil if nothing shows them.
    var tell: (@Sendable (LoadAPNsOutcome, LoadSnapshot.Progress) -> Void)?
    /// The start of the load [µs since 1970]; nil: as soon as there are connections.
    var start: Int64?
    /// The longest wait for the first connections.
    var patience = Duration.seconds(10)

    /// The highest rate that a search tries [1/s].
    private static let highestSearched = 2_000_000.0

    /// Runs a load over its own connections until its end or an early end.
    func run(_ load: PushLoad, endingWith end: EarlyEnd = EarlyEnd()) async throws -> LoadAPNsOutcome {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: configuration.lanes)
        do {
            return try await working {
                let pool = try await APNsPool(
                    endpoint: endpoint,
                    configuration: configuration,
                    provider: provider,
                    group: group
                )
                return try await working {
                    try await run(load, over: pool, endingWith: end)
                } finally: {
                    if showsProgress { ProgressLine.clear() }
                    await pool.close()
                }
            } finally: {
                try? await group.shutdownGracefully()
            }
        } catch let error where !(error is CancellationError) {
            printError("\(error)")
            throw Failure.temporary
        }
    }

    private func run(
        _ load: PushLoad,
        over pool: APNsPool,
        endingWith end: EarlyEnd
    ) async throws -> LoadAPNsOutcome {
        try await pool.connected(within: patience)
        let begin = try await beginning()
        // Progress is checked more often than it is printed, because a check also notices the end.
        let interval: TimeSpan = ProgressLine.isTerminal ? .milliseconds(250) : .seconds(5)
        var (told, toldAt) = (0, TimeSpan.zero)
        let progress = try await PushLoadRun(load, over: pool)
            .run(
                unixSeconds: (start ?? Self.wallClock) / 1_000_000,
                beginningAt: begin,
                endingWith: end,
                every: .milliseconds(250)
            ) { progress in
                let ran = progress.earlyEnd?.ran ?? progress.elapsed
                tell?(Self.outcome(of: load, progress, after: ran), Self.snapshot(progress, load))
                let passed = progress.elapsed - toldAt
                guard showsProgress, passed >= interval else { return }
                let answered = progress.tally.learnt.answered
                ProgressLine.show(Self.line(progress, load, answered: answered - told, in: passed))
                (told, toldAt) = (answered, progress.elapsed)
            }
        return Self.outcome(of: load, progress, after: progress.earlyEnd?.ran ?? load.duration)
    }

    /// The current time of the wall clock [µs since 1970].
    static var wallClock: Int64 { Int64(Date.now.timeIntervalSince1970 * 1e6) }

    /// Waits until shortly before the start of the load and returns its instant; nil if no start is stated.
    private func beginning() async throws -> NIODeadline? {
        guard let start else { return nil }
        let lead: Int64 = 50_000
        while true {
            let left = start - Self.wallClock
            guard left > lead else { break }
            if showsProgress { ProgressLine.show("connected; begins in \(ProgressLine.span(left))") }
            // In steps, because the clock may be set meanwhile.
            try await Task.sleep(for: .microseconds(min(left - lead, 1_000_000)))
        }
        // The instant may have passed: pushes that were due meanwhile are late.
        return .now() + .microseconds(start - Self.wallClock)
    }

    /// The results of a load that has run for a time.
    private static func outcome(
        of load: PushLoad,
        _ progress: PushLoadRun.Progress,
        after ran: TimeSpan
    ) -> LoadAPNsOutcome {
        LoadAPNsOutcome(
            tally: progress.tally,
            duration: min(ran, load.duration),
            warmUp: load.warmUp,
            connections: progress.connections,
            plan: load.plan,
            shares: load.share == .whole ? [] : [.init(share: load.share, ran: min(ran, load.duration))],
            earlyEnd: progress.earlyEnd
        )
    }

    private static func snapshot(_ progress: PushLoadRun.Progress, _ load: PushLoad) -> LoadSnapshot.Progress {
        LoadSnapshot.Progress(
            stage: progress.elapsed < load.duration && progress.earlyEnd == nil ? .running : .draining,
            elapsed: progress.elapsed,
            planned: load.duration,
            inFlight: progress.inFlight,
            waiting: progress.waiting
        )
    }

    /// Doubles a constant rate and then halves the interval until the limit is known to a tenth.
    func findLimit(
        _ load: PushLoad,
        thresholds: [Check],
        endingWith end: EarlyEnd = EarlyEnd()
    ) async throws -> LoadAPNsOutcome {
        try await Self.findLimit(load, thresholds: thresholds) { try await run($0, endingWith: end) }
    }

    /// The search alone; the trial runs a load at one rate.
    static func findLimit(
        _ load: PushLoad,
        thresholds: [Check],
        trial: (PushLoad) async throws -> LoadAPNsOutcome
    ) async throws -> LoadAPNsOutcome {
        guard case .open(let plan, let process) = load.arrivals else { return try await trial(load) }
        var trials: [LoadAPNsOutcome.Trial] = []
        var best: LoadAPNsOutcome?
        let first = plan.rate(at: .zero)
        var search = LimitSearch(first: first, highest: max(first, highestSearched), precision: 0.1)
        while let rate = search.next {
            var step = load
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

    /// The progress of a load as one line.
    ///
    /// - Parameter answered: The number of answers since the line before.
    static func line(_ progress: PushLoadRun.Progress, _ load: PushLoad, answered: Int, in passed: TimeSpan) -> String {
        let tally = progress.tally
        let beginning = "\(ProgressLine.span(progress.elapsed.microseconds / 1_000_000 * 1_000_000))  "
        let waiting = progress.inFlight + progress.waiting
        let inFlight = "\(ProgressLine.count(waiting)) in flight"
        guard tally.requests > 0 else { return "\(beginning)\(inFlight), nothing measured yet" }
        let pace = ProgressLine.rate(Double(answered) / (Double(passed.microseconds) / 1e6))
        let rate =
            load.plan.map { plan in
                progress.elapsed < plan.duration
                    ? "\(pace) of \(ProgressLine.rate(plan.rate(at: progress.elapsed) / Double(load.share.count))) /s"
                    : "\(pace)/s, late"
            } ?? "\(pace) /s"
        func latency(_ percent: Double) -> String? {
            let answered = tally.learnt.answered
            guard answered > 0 else { return "–" }
            let known = ProgressLine.span(Int64(tally.latency.valueAtPercentile(percent)))
            // If the endpoint has gone silent, only a bound is known, because requests without an answer are the slowest.
            let unanswered = waiting + tally.learnt.missing
            let isBound = Unanswered.include(percent / 100, within: answered, of: answered, and: unanswered)
            return isBound ? percent < 99 ? nil : "≥ \(known)" : known
        }
        let latencies = [50, 99].compactMap { percent in latency(percent).map { "p\(Int(percent)) \($0)  " } }.joined()
        let errors = ProgressLine.count(tally.requests - tally.learnt.accepted)
        return beginning + "\(rate)  \(latencies)"
            + "\(inFlight)  \(errors) errors"
    }
}
