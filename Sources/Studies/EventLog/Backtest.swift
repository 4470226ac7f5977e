public import LiveActivityModel
import Quantities
import SimulationKernel
import Statistics
public import Traces

/// A comparison of a log with the model on the log's own rides: window by window, measured alike on both sides.
public struct Backtest: Sendable {
    /// A quantity that both sides have.
    public enum Measure: String, CaseIterable, Sendable {
        case believedFresh
        case pushes
        case retries
        case ends
        case accepted
        case unanswered
        case rejected
        case wait
        case latency
        case tokens
        case reportedEnds

        /// `true` for shares of time, which are compared in points.
        public var isShare: Bool { self == .believedFresh }
        /// `true` for times [µs].
        public var isTime: Bool { self == .wait || self == .latency }

        /// The value over some bins; nil if it has none there.
        func value(_ bins: ArraySlice<LogDigest.Bin>) -> Double? {
            func sum(_ part: (LogDigest.Bin) -> Double) -> Double { bins.reduce(0) { $0 + part($1) } }
            func ratio(_ above: Double, _ below: Double) -> Double? { below > 0 ? above / below : nil }
            return switch self {
            case .believedFresh: ratio(sum(\.fresh), sum(\.watched))
            case .pushes: sum { Double($0.pushes) }
            case .retries: sum { Double($0.retries) }
            case .ends: sum { Double($0.ends) }
            case .accepted: sum { Double($0.accepted) }
            case .unanswered: sum { Double($0.unanswered) }
            case .rejected: sum { Double($0.rejected + $0.unavailable) }
            case .wait: ratio(sum(\.wait), sum { Double($0.waits) })
            case .latency: ratio(sum(\.logLatency), sum { Double($0.accepted) })
            case .tokens: sum { Double($0.tokens) }
            case .reportedEnds: sum { Double($0.reportedEnds) }
            }
        }
    }

    /// A value of the log beside those of the model.
    public struct Comparison: Sendable {
        public let measure: Measure
        /// The value of the log.
        public let log: Double
        /// The mean of the replications.
        public let model: Double
        /// The interval in which the value of one more replication lies with 95 %, if its values are normal.
        public let interval: ClosedRange<Double>

        /// The model's value minus the log's.
        public var difference: Double { model - log }
        /// `true` if the log is like one more replication.
        public var isWithin: Bool { interval.contains(log) }
        /// How far the log is outside of the interval, in half-widths; 0 inside.
        public var excess: Double {
            guard !isWithin else { return 0 }
            let half = max(1e-9, (interval.upperBound - interval.lowerBound) / 2)
            return (log < interval.lowerBound ? interval.lowerBound - log : log - interval.upperBound) / half
        }
    }

    /// One window of the log.
    public struct Window: Sendable {
        /// Its beginning on the log's axis [µs].
        public let at: Int64
        public let comparisons: [Comparison]
    }

    /// The comparisons over the whole log.
    public let totals: [Comparison]
    /// The windows in order of time.
    public let windows: [Window]
    /// The length of a window [µs].
    public let windowLength: Int64
    /// The number of replications.
    public let replications: Int
    /// The number of rides that the model took from the log; 0 if it drew its own.
    public let tracedRides: Int
    /// How long past its stale date content counts as fresh on both sides [µs].
    public let freshLimit: Int64
    /// The beginning and end of what is compared on the log's axis [µs].
    public let span: Range<Int64>

    /// The share of windows of a measure in which the log is within the model's interval.
    public func shareWithin(_ measure: Measure) -> Double? {
        let all = windows.compactMap { $0.comparisons.first { $0.measure == measure } }
        return all.isEmpty ? nil : Double(all.count { $0.isWithin }) / Double(all.count)
    }

    /// The window of a measure that is furthest outside of its interval; nil if none is.
    public func worstWindow(_ measure: Measure) -> (at: Int64, comparison: Comparison)? {
        windows.compactMap { window in
            window.comparisons.first { $0.measure == measure && !$0.isWithin }.map { (window.at, $0) }
        }
        .max { abs($0.1.difference) < abs($1.1.difference) }
    }

    /// Runs a scenario on the rides of a log and compares.
    ///
    /// - Parameters:
    ///   - log: A digest that has kept all rides.
    ///   - stages: The names of the log's stages by their index, in the order of a ride.
    ///   - scenario: The scenario, with its data. Its fresh limit is that of the digest, or the belief differs.
    ///   - hasBegun: `true` if rides had begun before the log; its first part is then left out.
    /// - Throws: The problems of the scenario; `CancellationError`.
    public static func run(
        _ log: LogDigest,
        stages: [(index: Int, name: String)],
        scenario: Scenario,
        hasBegun: Bool,
        replications: Int,
        jobs: Int,
        windowLength: Int64 = 300_000_000
    ) async throws -> Backtest {
        var scenario = scenario
        scenario.clock.warmUp = .zero
        let length = log.length
        scenario.clock.duration = TimeSpan(microseconds: max(60_000_000, length))
        scenario.clock.drain = .zero
        scenario.clock.window = TimeSpan(microseconds: windowLength)
        scenario.measure = Scenario.Measure()
        scenario.replications = Scenario.Replications()
        let traced = trace(of: log, stages, scenario)
        if !traced.isEmpty {
            var trace = Scenario.Trace(file: "the log")
            trace.rides = traced
            scenario.rides.trace = trace
            scenario.rides.scale = 1
            scenario.rides.rematching = Scenario.Rematching()
        }
        let world = try ScenarioLoader.world(scenario)
        let (origin, freshLimit) = (log.origin, log.freshLimit)
        var runs: [[LogDigest.Bin]] = []
        try await concurrently(replications, jobs: jobs) { replication in
            try await bins(of: world, replication: replication, origin: origin, freshLimit: freshLimit)
        } inOrder: {
            runs.append($0)
        }
        let ends = log.rides.elements.map { ride in ride.stages.reduce(0) { $0 + $1.length } }.sorted()
        let skipped = hasBegun && !ends.isEmpty ? ends[ends.count * 99 / 100] : 0
        let perWindow = Int(windowLength / LogDigest.binLength)
        let first = min(log.bins.count, Int(skipped / windowLength) * perWindow)
        func compare(_ range: Range<Int>) -> [Comparison] {
            Measure.allCases.compactMap { comparison($0, log.bins, runs, range) }
        }
        let windows = stride(from: first, to: log.bins.count, by: perWindow)
            .map { start in
                Window(
                    at: origin + Int64(start) * LogDigest.binLength,
                    comparisons: compare(start..<min(log.bins.count, start + perWindow))
                )
            }
        return Backtest(
            totals: compare(first..<log.bins.count),
            windows: windows,
            windowLength: windowLength,
            replications: replications,
            tracedRides: traced.count,
            freshLimit: log.freshLimit,
            span: (origin + Int64(first) * LogDigest.binLength)..<max(log.end, origin + 1)
        )
    }

    /// The rides of a log as those of a trace; empty if a scenario cannot have them.
    private static func trace(
        of log: LogDigest,
        _ stages: [(index: Int, name: String)],
        _ scenario: Scenario
    ) -> [TracedRide] {
        let count = scenario.rides.stages.count
        guard count <= TracedRide.mostStages, log.rides.count == log.rides.elements.count else { return [] }
        // Stages are matched by name; if names differ, by their order.
        var places: [Int: Int] = [:]
        for (order, stage) in stages.enumerated() {
            let named = scenario.rides.stages.firstIndex { $0.name == stage.name }
            places[stage.index] = min(named ?? order, count - 1)
        }
        return log.rides.elements
            .compactMap { ride -> TracedRide? in
                guard ride.requestedAt >= log.origin else { return nil }
                var lengths: [Int64] = []
                for part in ride.stages {
                    let place = places[part.stage] ?? 0
                    while lengths.count <= place { lengths.append(0) }
                    lengths[place] += part.length
                }
                if lengths.isEmpty { lengths = [1_000_000] }
                if ride.isComplete {
                    if !ride.isCancelled { while lengths.count < count { lengths.append(0) } }
                } else {
                    // A ride that the end of the log cuts short goes on beyond it, in its stage.
                    lengths[lengths.count - 1] += 43_200_000_000
                }
                return TracedRide(
                    request: Instant(microseconds: ride.requestedAt - log.origin),
                    stages: lengths.map { TimeSpan(microseconds: $0) },
                    isCancelled: ride.isCancelled
                )
            }
            .sorted { $0.request < $1.request }
    }

    /// The bins of one replication, by the digest of its own event log.
    private static func bins(
        of world: World,
        replication: Int,
        origin: Int64,
        freshLimit: Int64
    ) async throws -> [LogDigest.Bin] {
        var group = CellGroup(
            world: world,
            cells: 0..<world.scenario.cells,
            replication: UInt32(replication),
            watch: .serverLog(withScreens: false)
        )
        while group.run(atMost: RunEngine.slice) {
            try Task.checkCancellation()
            await Task.yield()
        }
        var events = group.outcomes.flatMap(\.serverEvents)
        events.sort(by: ServerEvent.precedes)
        let digest = LogDigest(origin: origin, freshLimit: freshLimit)
        for event in events { digest.add(LogEvent(event, origin: origin)) }
        digest.finish()
        return digest.bins
    }

    private static func comparison(
        _ measure: Measure,
        _ log: [LogDigest.Bin],
        _ runs: [[LogDigest.Bin]],
        _ range: Range<Int>
    ) -> Comparison? {
        guard let value = measure.value(log[range]) else { return nil }
        let values = runs.map { bins -> Double? in
            let part = min(range.lowerBound, bins.count)..<min(range.upperBound, bins.count)
            return measure.value(bins[part])
        }
        let known = values.compactMap(\.self)
        guard known.count == runs.count, let some = StudentInterval(known) else { return nil }
        // The half-width of a mean, times √(n + 1), is that of one more value.
        var half = some.halfWidth * Double(known.count + 1).squareRoot()
        // Equal counts do not show that the next is equal too.
        if !measure.isShare, !measure.isTime { half = max(half, 1.96 * max(1, some.mean).squareRoot() * 0.5) }
        // Every server takes a few milliseconds from content to request, which the model does not have.
        if measure == .wait { half = max(half, 20_000) }
        return Comparison(
            measure: measure,
            log: value,
            model: some.mean,
            interval: (some.mean - half)...(some.mean + half)
        )
    }
}
