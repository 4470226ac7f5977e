import Experiments
import Foundation
import LoadGenerator
import Quantities
import Reporting
import Shell
import Synchronization

/// One load on the core: makes the instances, runs the plan and shows its progress.
struct LoadCoreSession: Sendable {
    let settings: CoreSettings
    let shards: Int
    let speed: Int64
    /// The rate of all shards together [1/s].
    let rate: Double
    let duration: TimeSpan
    let ramp: TimeSpan
    let bound: TimeSpan
    let showsProgress: Bool
    /// Called once a second with the results so far; nil if nothing shows them.
    var tell: (@Sendable (LoadCoreOutcome, LoadSnapshot.Progress) -> Void)?

    /// The length of a trial of the search for the limit; its first second is not measured.
    private static let trial: TimeSpan = .seconds(3)

    /// Runs the plan until its end or an early end.
    func run(endingWith end: EarlyEnd = EarlyEnd()) async throws -> LoadCoreOutcome {
        let copySpeed = copySpeed()
        let load = try CoreLoad(settings, shards: shards, speed: speed)
        let share = rate / Double(shards)
        let plan = try RatePlan.ramp(from: share / 10, to: share, over: ramp, for: duration)
        let windows = Windows(shards: shards)
        try Task.checkCancellation()
        end.workBegins()
        let soFar = LoadCoreOutcome(
            settings: settings,
            asked: rate,
            copySpeed: copySpeed,
            residentBytes: load.residentBytes,
            shardCount: shards,
            warmUp: ramp
        )
        let tally = await measure(load, plan, begin: 0, warmUp: ramp, soFar, windows, endingWith: end)
        try Task.checkCancellation()
        let ran = windows.end
        return LoadCoreOutcome(
            settings: settings,
            asked: rate,
            tally: tally,
            windows: windows.all,
            copySpeed: copySpeed,
            residentBytes: load.residentBytes,
            shardCount: shards,
            warmUp: ramp,
            // An early end that is requested in the last second has no effect.
            earlyEnd: ran < duration
                ? end.cause.map { EarlyEndMark(by: $0, ran: ran, planned: duration) } : nil
        )
    }

    /// Raises the rate until the core cannot keep up, and then halves the interval between rates that hold and do not.
    ///
    /// An early end leaves out the current trial, unless it is the first.
    func findLimit(endingWith end: EarlyEnd = EarlyEnd()) async throws -> LoadCoreOutcome {
        let copySpeed = copySpeed()
        let load = try CoreLoad(settings, shards: shards, speed: speed)
        let windows = Windows(shards: shards)
        var search = LimitSearch(first: rate, lowest: 1000)
        var best = CoreTally()
        // If no rate holds, the first trial is shown.
        var first: Double?
        var trials: [LoadCoreOutcome.Trial] = []
        // Trials follow each other without gaps, so that the policy's time never jumps.
        var begin: Int64 = 0
        var mark: EarlyEndMark?
        try Task.checkCancellation()
        end.workBegins()
        while let rate = search.next {
            begin = max(begin, load.now + 1_000_000)
            let plan = try RatePlan.constant(perSecond: rate / Double(shards), for: Self.trial)
            let soFar = LoadCoreOutcome(
                settings: settings,
                asked: rate,
                copySpeed: copySpeed,
                residentBytes: load.residentBytes,
                shardCount: shards,
                trials: trials,
                isSearching: true
            )
            let tally = await measure(
                load,
                plan,
                begin: begin,
                warmUp: .seconds(1),
                soFar,
                windows,
                endingWith: end
            )
            try Task.checkCancellation()
            if let cause = end.cause {
                let ran = TimeSpan(microseconds: max(0, windows.end.microseconds - begin / 1000))
                let cut = EarlyEndMark(by: cause, ran: min(ran, Self.trial), planned: Self.trial)
                mark = trials.isEmpty ? cut : cut.ofSearch(after: trials.count, took: Self.trial * Int64(trials.count))
                if trials.isEmpty { (best, first) = (tally, rate) }
                break
            }
            let holds = Self.keepsUp(tally, rate: rate, bound: bound)
            if trials.isEmpty { (best, first) = (tally, rate) }
            if holds, rate > search.held ?? 0 { best = tally }
            trials.append(LoadCoreOutcome.Trial(rate: rate, percentile99: Self.percentile99(tally), holds: holds))
            search.tried(holds: holds)
            begin += Self.trial.microseconds * 1000
        }
        return LoadCoreOutcome(
            settings: settings,
            asked: search.held ?? first ?? 0,
            tally: best,
            windows: windows.all,
            copySpeed: copySpeed,
            residentBytes: load.residentBytes,
            shardCount: shards,
            trials: trials,
            earlyEnd: mark
        )
    }

    /// `true` if the core keeps up with a rate [1/s].
    ///
    /// It keeps up if 99 of 100 updates are applied within the bound, no scan is missed, and the updates left over at the end
    /// are no more than become due within the bound.
    static func keepsUp(_ tally: CoreTally, rate: Double, bound: TimeSpan) -> Bool {
        percentile99(tally) <= bound.microseconds * 1000 && tally.missedScans == 0
            && Double(tally.backlog) <= rate * Double(bound.microseconds) / 1e6
    }

    /// The p99 of the updates' latency [ns]; the largest number if there were no updates.
    private static func percentile99(_ tally: CoreTally) -> Int64 { tally.updateLatency.quantile(0.99) ?? .max }

    private func copySpeed() -> Double { CoreLoad.copySpeed(bytes: settings.instances * 5) }

    private func measure(
        _ load: CoreLoad,
        _ plan: RatePlan,
        begin: Int64,
        warmUp: TimeSpan,
        _ outcome: LoadCoreOutcome,
        _ windows: Windows,
        endingWith end: EarlyEnd
    ) async -> CoreTally {
        let (showsProgress, tell, rate) = (showsProgress, tell, outcome.asked)
        let stop = Stop()
        return await withTaskCancellationHandler {
            let tally = await load.run(plan, begin: begin, warmUp: warmUp.microseconds * 1000) { shard, window, tally in
                if let (sum, total) = windows.add(window, tally, ofShard: shard) {
                    if showsProgress { ProgressLine.show(Self.line(sum, rate: rate)) }
                    if let tell {
                        // On another thread, because the time of this one is measured.
                        Task { tell(Self.outcome(outcome, total, windows), progress(of: windows, plan, begin)) }
                    }
                }
                return !stop.isSet.load(ordering: .relaxed) && !end.isAsked
            }
            if showsProgress { ProgressLine.clear() }
            return tally
        } onCancel: {
            stop.isSet.store(true, ordering: .relaxed)
        }
    }

    private static func outcome(_ outcome: LoadCoreOutcome, _ tally: CoreTally, _ windows: Windows) -> LoadCoreOutcome {
        var outcome = outcome
        outcome.tally = tally
        outcome.windows = windows.all
        return outcome
    }

    private func progress(of windows: Windows, _ plan: RatePlan, _ begin: Int64) -> LoadSnapshot.Progress {
        let end = TimeSpan(microseconds: begin / 1000) + plan.duration
        return LoadSnapshot.Progress(
            stage: windows.end < end ? .running : .draining,
            // The second that is reported is over.
            elapsed: windows.end + TimeSpan(microseconds: 1),
            planned: end
        )
    }

    /// The progress of a load in its last second, as one line.
    static func line(_ window: CoreWindow, rate: Double) -> String {
        let seconds = max(Double(window.length) / 1e9, 1e-9)
        let elapsed = (window.start + window.length) / 1_000_000_000 * 1_000_000
        func micro(_ nanoseconds: Int64?) -> String { ProgressLine.span((nanoseconds ?? 0) / 1000) }
        let share = Double(window.worked) / max(1, Double(window.length))
        return "\(ProgressLine.span(elapsed))  \(ProgressLine.count(Int(Double(window.counts.updates) / seconds))) of "
            + "\(ProgressLine.count(Int(rate))) /s  p99 \(micro(window.percentile99))  scan \(micro(window.longestScan))  "
            + "\(ProgressLine.count(window.backlog)) behind  CPU\(ProgressLine.percent(share))"
    }

    /// A flag that is set when the task is cancelled.
    private final class Stop: Sendable {
        let isSet = Atomic<Bool>(false)
    }

    /// The seconds of the load, summed over all shards.
    final class Windows: Sendable {
        private struct State {
            /// By shard, the seconds that wait for the same second of other shards.
            var waiting: [[CoreWindow]]
            var all: [CoreWindow] = []
            /// By shard, the measurements so far.
            var tallies: [CoreTally]
        }

        private let state: Mutex<State>

        init(shards: Int) {
            state = Mutex(
                State(
                    waiting: Array(repeating: [], count: shards),
                    tallies: Array(repeating: CoreTally(), count: shards)
                )
            )
        }

        /// Adds a second of a shard with the shard's measurements so far.
        ///
        /// - Returns: The sums over all shards, once the last of them has added this second; nil before.
        func add(_ window: CoreWindow, _ tally: CoreTally, ofShard shard: Int) -> (CoreWindow, CoreTally)? {
            state.withLock { state in
                state.tallies[shard] = tally
                state.waiting[shard].append(window)
                guard state.waiting.allSatisfy({ !$0.isEmpty }) else { return nil }
                var sum = state.waiting[0].removeFirst()
                for other in state.waiting.indices.dropFirst() { sum.addShard(state.waiting[other].removeFirst()) }
                state.all.append(sum)
                return (sum, CoreTally(ofShards: state.tallies))
            }
        }

        var all: [CoreWindow] { state.withLock { $0.all } }

        /// The end of the last second, since the beginning.
        var end: TimeSpan {
            let last = state.withLock { $0.all.last }
            return TimeSpan(microseconds: last.map { ($0.start + $0.length) / 1000 } ?? 0)
        }
    }
}
