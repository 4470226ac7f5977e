import Foundation
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

        /// The step in which reports state a value; a smaller difference is no disagreement.
        func step(at value: Double) -> Double {
            switch self {
            case .believedFresh: 0.0001
            case .wait: 100
            // 0.1 ms; the value is a logarithm.
            case .latency: log1p(100 / exp(value))
            default: 1
            }
        }

        /// The value over some bins; nil if it has none there.
        func value(_ bin: LogDigest.Bin) -> Double? {
            func ratio(_ above: Double, _ below: Int) -> Double? { below > 0 ? above / Double(below) : nil }
            return switch self {
            case .believedFresh: ratio(Double(bin.fresh), bin.watched)
            case .pushes: Double(bin.pushes)
            case .retries: Double(bin.retries)
            case .ends: Double(bin.ends)
            case .accepted: Double(bin.accepted)
            case .unanswered: Double(bin.unanswered)
            case .rejected: Double(bin.rejected + bin.unavailable)
            case .wait: ratio(Double(bin.wait), bin.waits)
            case .latency: ratio(bin.logLatency, bin.timed)
            case .tokens: Double(bin.tokens)
            case .reportedEnds: Double(bin.reportedEnds)
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
        /// The standard deviation of the replications.
        public let deviation: Double

        /// The model's value minus the log's.
        public var difference: Double { model - log }
        /// `true` if the log is like one more replication.
        public var isWithin: Bool { interval.contains(log) }
        /// How far the log is outside of the interval, in half-widths; 0 inside.
        public var excess: Double {
            guard !isWithin else { return 0 }
            let half = max(1e-9, halfWidth)
            return (log < interval.lowerBound ? interval.lowerBound - log : log - interval.upperBound) / half
        }
    }

    /// One window of the log.
    public struct Window: Sendable {
        /// Its beginning on the log's axis [µs].
        public let at: Int64
        public let comparisons: [Comparison]
        /// The time for which the log's activities were watched [µs].
        public let watched: Int

        /// The comparison of the believed freshness; nil if no activity was watched.
        public var believedFresh: Comparison? { comparisons.first { $0.measure == .believedFresh } }
    }

    /// The comparisons over the whole log.
    public let totals: [Comparison]
    /// The windows in order of time.
    public let windows: [Window]
    /// The length of a window [µs].
    public let windowLength: Int64
    /// The number of windows at the beginning of the log that are left out: many of their rides had begun before it.
    public let leftOut: Int
    /// The gaps of the log after that, and the number of windows that are left out because of them [µs].
    public let gaps: [Range<Int64>]
    public let leftOutInGaps: Int
    /// The number of replications.
    public let replications: Int
    /// The number of rides that the model took from the log; 0 if it drew its own.
    public let tracedRides: Int
    /// How long past its stale date content counts as fresh on both sides [µs].
    public let freshLimit: Int64
    /// The time from content to its stale date [µs], if the log has no stale dates and the scenario's was assumed; otherwise nil.
    public let assumedTTL: Int64?
    /// `true` if the content with which apps start counts as fresh until its stale date, on both sides; the log states those dates.
    public let countsInitialContent: Bool
    /// The beginning and end of what is compared on the log's axis [µs].
    public let span: Range<Int64>

    /// The scenario's faults at whose time the log shows no incident, and the log's incidents at whose time the scenario has no fault.
    let unmatched: Unmatched
    /// All faults of the scenario.
    public var faults: [Disturbance] = []
    /// The comparison of the waits without the windows of the fault `sender_paused` and the one after each; nil without that fault.
    public var waitOutsidePauses: Comparison?
    /// The scenario's faults at whose time the log shows no incident.
    public var faultsNotInLog: [Disturbance] { unmatched.faults }
    /// The log's incidents at whose time the scenario has no fault.
    public var incidentsNotInScenario: [Disturbance] { unmatched.incidents }
    /// `true` if the scenario has faults, the log has incidents, and none are at the same time.
    public var hasFaultsOfAnotherDay: Bool {
        !unmatched.hasMatches && !unmatched.faults.isEmpty && !unmatched.incidents.isEmpty
    }

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
    /// - Throws: The problems of the scenario; `CancellationError`.
    public static func run(
        _ log: LogDigest,
        stages: [(index: Int, name: String)],
        scenario: Scenario,
        replications: Int,
        jobs: Int,
        windowLength: Int64 = 300_000_000
    ) async throws -> Backtest {
        let scenario = prepared(scenario, for: log, windowLength: windowLength)
        let hasAll = log.rides.count == log.rides.elements.count
        let traced = hasAll ? trace(of: log.rides.elements, from: log.origin, stages, scenario) : []
        let world = try world(scenario, on: traced)
        let axis = Axis(log, windowLength: windowLength)
        var runs: [[LogDigest.Bin]] = []
        try await concurrently(replications, jobs: jobs) { replication in
            try await windows(of: world, replication: replication, axis)
        } inOrder: {
            runs.append($0)
        }
        let observed = axis.windows(of: log.bins)
        // The model does not have rides that began before the log.
        let first = min(observed.count, log.windowsBegunBefore(length: axis.binsPerWindow))
        let unknown = log.windowsInGaps(length: axis.binsPerWindow)
        let compared = (first..<observed.count).filter { !unknown.contains($0) }
        let start = axis.origin + Int64(first) * windowLength
        let faults = Disturbance.faults(of: scenario, in: log)
        let pauses = faults.filter { $0.kind == .senderPaused }
        // The requests of a pause begin after it.
        let undisturbed = compared.filter { window in
            let at = axis.origin + Int64(window) * windowLength
            return !pauses.contains { $0.time.overlaps((at - windowLength)...(at + windowLength)) }
        }
        func compare(_ windows: [Int]) -> [Comparison] {
            Measure.allCases.compactMap { comparison($0, observed, runs, windows) }
        }
        return Backtest(
            totals: compare(compared),
            windows: compared.map {
                Window(
                    at: axis.origin + Int64($0) * windowLength,
                    comparisons: compare([$0]),
                    watched: observed[$0].watched
                )
            },
            windowLength: windowLength,
            leftOut: first,
            gaps: log.gaps.filter { $0.upperBound > start },
            leftOutInGaps: observed.count - first - compared.count,
            replications: replications,
            tracedRides: traced.count,
            freshLimit: log.freshLimit,
            assumedTTL: log.assumedTTL,
            countsInitialContent: log.statesInitialContent,
            span: start..<max(log.end, start + 1),
            unmatched: Unmatched(faults, log),
            faults: faults,
            waitOutsidePauses: pauses.isEmpty ? nil : comparison(.wait, observed, runs, undisturbed)
        )
    }

    /// The axis of the comparison.
    struct Axis: Sendable {
        /// The beginning and end of the log [µs].
        let origin: Int64
        let end: Int64
        let freshLimit: Int64
        let countsInitialContent: Bool
        let resolution: Int64
        let windowLength: Int64
        /// The number of windows, and of the log's bins in each.
        let count: Int
        let binsPerWindow: Int

        init(_ log: LogDigest, windowLength: Int64, freshLimit: Int64? = nil) {
            (origin, end, resolution) = (log.origin, log.end, log.resolution)
            countsInitialContent = log.statesInitialContent
            self.freshLimit = freshLimit ?? log.freshLimit
            self.windowLength = windowLength
            precondition(windowLength > 0 && windowLength % log.binLength == 0, "windows of whole bins")
            binsPerWindow = Int(windowLength / log.binLength)
            count = (log.bins.count + binsPerWindow - 1) / binsPerWindow
        }

        /// The sums of the log's bins over windows.
        func windows(of bins: [LogDigest.Bin]) -> [LogDigest.Bin] {
            var windows = [LogDigest.Bin](repeating: .init(), count: count)
            for (index, bin) in bins.enumerated() {
                windows[index / binsPerWindow] += bin
            }
            return windows
        }
    }

    /// A scenario that covers the time of a log, and nothing else.
    static func prepared(_ scenario: Scenario, for log: LogDigest, windowLength: Int64) -> Scenario {
        var scenario = scenario
        scenario.clock.warmUp = .zero
        scenario.clock.duration = TimeSpan(microseconds: max(60_000_000, log.length))
        scenario.clock.drain = .zero
        scenario.clock.window = TimeSpan(microseconds: windowLength)
        scenario.measure = Scenario.Measure()
        scenario.replications = Scenario.Replications()
        return scenario
    }

    /// The world of a scenario with the rides of a log; with its own if there are none.
    static func world(_ scenario: Scenario, on rides: [TracedRide]) throws -> World {
        var scenario = scenario
        if !rides.isEmpty {
            var trace = Scenario.Trace(file: "the log")
            trace.rides = rides
            scenario.rides.trace = trace
            scenario.rides.scale = 1
            // The log already has these rides and stages.
            scenario.rides.rematching = Scenario.Rematching()
            (scenario.rides.again, scenario.rides.stops) = (nil, nil)
        }
        return try ScenarioLoader.world(scenario)
    }

    /// The rides of a log as those of a trace; empty if a scenario cannot have them.
    static func trace(
        of rides: [LogDigest.Ride],
        from origin: Int64,
        _ stages: [(index: Int, name: String)],
        _ scenario: Scenario
    ) -> [TracedRide] {
        let count = scenario.rides.stages.count
        guard count <= TracedRide.mostStages else { return [] }
        // Stages are matched by name; if names differ, by their order.
        var places: [Int: Int] = [:]
        for (order, stage) in stages.enumerated() {
            let named = scenario.rides.stages.firstIndex { $0.name == stage.name }
            places[stage.index] = min(named ?? order, count - 1)
        }
        var traced: [TracedRide] = []
        traced.reserveCapacity(rides.count)
        for ride in rides where ride.requestedAt >= origin {
            var lengths: [Int64] = []
            for part in ride.stages {
                let place = places[part.stage] ?? 0
                while lengths.count <= place { lengths.append(0) }
                lengths[place] += part.length
            }
            if lengths.isEmpty { lengths = [1_000_000] }
            // A ride whose end is in a gap ends where the gap begins, which is not compared.
            if ride.isComplete || ride.endsInGap {
                if !ride.isCancelled { while lengths.count < count { lengths.append(0) } }
            } else {
                // A ride that the end of the log cuts short goes on beyond it, in its stage.
                lengths[lengths.count - 1] += 43_200_000_000
            }
            traced.append(
                TracedRide(
                    request: Instant(microseconds: ride.requestedAt - origin),
                    stages: lengths.map { min(TimeSpan(microseconds: $0), TracedRide.longestStage) },
                    isCancelled: ride.isCancelled
                )
            )
        }
        traced.sort { $0.request < $1.request }
        return traced
    }

    /// The windows of one replication, by the digest of its own event log.
    ///
    /// The digest takes the rows as they come, so memory does not grow with the length of the log.
    static func windows(of world: World, replication: Int, _ axis: Axis) async throws -> [LogDigest.Bin] {
        var group = CellGroup(
            world: world,
            cells: 0..<world.scenario.cells,
            replication: UInt32(replication),
            watch: .serverLog(withScreens: false)
        )
        func digest() -> LogDigest {
            LogDigest(
                simulatedFrom: axis.origin,
                to: axis.end,
                freshLimit: axis.freshLimit,
                resolution: axis.resolution,
                binLength: axis.windowLength,
                countsInitialContent: axis.countsInitialContent
            )
        }
        var model = digest()
        var goesOn = true
        var rows: [ServerEvent] = []
        var unswept = 0
        while goesOn {
            try Task.checkCancellation()
            await Task.yield()
            // An event may be the request of a ride that runs ahead, with a hundred rows.
            goesOn = group.run(atMost: RunEngine.slice / 8)
            rows.removeAll(keepingCapacity: true)
            if group.takeServerEvents(into: &rows) { model = digest() }
            model.add(rows)
            unswept += rows.count
            if unswept > 100_000 {
                model.sweep(at: axis.origin + group.clock.microseconds)
                unswept = 0
            }
        }
        model.finish()
        let missing = max(0, axis.count - model.bins.count)
        return Array(model.bins.prefix(axis.count)) + repeatElement(LogDigest.Bin(), count: missing)
    }

    static func comparison(
        _ measure: Measure,
        _ log: [LogDigest.Bin],
        _ runs: [[LogDigest.Bin]],
        _ windows: [Int]
    ) -> Comparison? {
        func sum(_ bins: [LogDigest.Bin]) -> LogDigest.Bin {
            windows.reduce(into: LogDigest.Bin()) { $0 += bins[$1] }
        }
        guard let value = measure.value(sum(log)) else { return nil }
        let known = runs.compactMap { measure.value(sum($0)) }
        guard known.count == runs.count, let some = StudentInterval(known) else { return nil }
        // The half-width of a mean, times √(n + 1), is that of one more value.
        var half = some.halfWidth * Double(known.count + 1).squareRoot()
        // Equal counts do not show that the next is equal too.
        if !measure.isShare, !measure.isTime { half = max(half, 1.96 * max(1, some.mean).squareRoot() * 0.5) }
        // Every server takes a few milliseconds from content to request, which the model does not have.
        if measure == .wait { half = max(half, 20_000) }
        half = max(half, measure.step(at: some.mean))
        return Comparison(
            measure: measure,
            log: value,
            model: some.mean,
            interval: (some.mean - half)...(some.mean + half),
            deviation: (known.reduce(0) { $0 + ($1 - some.mean) * ($1 - some.mean) } / Double(known.count - 1))
                .squareRoot()
        )
    }
}
