public import LiveActivityModel
import Quantities
import Traces

/// The judgement of a backtest.
extension Backtest {
    /// The conclusion from the comparisons.
    public enum Judgement: String, Sendable {
        /// The log has no time in which the server watched an activity.
        case unknown
        /// The log's believed freshness is outside of the model's interval.
        case misses
        /// The believed freshness agrees over all windows together, but not window by window.
        case missesWindows = "misses_windows"
        /// The believed freshness agrees, but another quantity is far off.
        case missesQuantities = "misses_quantities"
        /// The model's interval is wider than the tolerance.
        case cannotDecide = "cannot_decide"
        /// All that is compared agrees.
        case reproduces
    }

    /// The largest half-width of the interval of the believed freshness, and the largest sum of the windows' disagreements, with which a
    /// scenario reproduces a log: one point.
    public static let tolerance = 0.01

    /// The judgement, from the worst to the best.
    public var judgement: Judgement {
        guard let total = believedFresh else { return .unknown }
        if !total.isWithin { return .misses }
        if totals.contains(where: \.isFar) { return .missesQuantities }
        if windowDisagreement > Self.tolerance { return .missesWindows }
        return total.halfWidth > Self.tolerance ? .cannotDecide : .reproduces
    }

    /// The totals outside of their intervals: first those that decide the judgement, then by their size.
    public var disagreements: [Comparison] {
        func rank(_ comparison: Comparison) -> Int {
            comparison.measure == .believedFresh ? 0 : comparison.isFar ? 1 : 2
        }
        return totals.filter { !$0.isWithin }
            .sorted { (rank($0), -$0.size, $0.measure.rawValue) < (rank($1), -$1.size, $1.measure.rawValue) }
    }

    /// The comparison of the believed freshness over the whole log; nil if no activity was watched.
    public var believedFresh: Comparison? { totals.first { $0.measure == .believedFresh } }

    /// The windows with much watched time in which the believed freshness is far off.
    ///
    /// Chance seldom makes a difference of two half-widths and five points. Windows with less than a tenth of the usual watched time are
    /// left out.
    public var farWindows: [(at: Int64, comparison: Comparison)] {
        let least = windows.isEmpty ? 0 : watchedTime / Double(windows.count) / 10
        return windows.compactMap { window in
            guard Double(window.watched) >= least, let fresh = window.believedFresh, fresh.isFar else { return nil }
            return (window.at, fresh)
        }
    }

    /// The part of the watched time in which windows that are far off disagree: those above and those below do not cancel out.
    public var windowDisagreement: Double {
        let far = Set(farWindows.map(\.at))
        let sum = windows.reduce(0.0) { sum, window in
            guard far.contains(window.at), let fresh = window.believedFresh else { return sum }
            return sum + abs(fresh.difference) * Double(window.watched)
        }
        return sum / max(1, watchedTime)
    }

    private var watchedTime: Double { windows.reduce(0) { $0 + Double($1.watched) } }

    /// A fault of the scenario or an incident of the log.
    public struct Disturbance: Hashable, Sendable {
        public let kind: Scenario.Fault.Kind
        /// Its beginning and end on the log's axis [µs].
        public let time: ClosedRange<Int64>

        /// The faults of a scenario on the log's axis.
        static func faults(of scenario: Scenario, in log: LogDigest) -> [Disturbance] {
            scenario.faults.map { fault in
                let from = log.origin + fault.at.microseconds
                return Disturbance(kind: fault.kind, time: from...(from + fault.duration.microseconds))
            }
        }
    }

    /// The scenario's faults, and the log's incidents, that have none alike on the other side within five minutes.
    struct Unmatched: Sendable {
        var faults: [Disturbance] = []
        var incidents: [Disturbance] = []
        /// `true` if any fault is at the time of an incident.
        var hasMatches = false

        /// The longest time between a fault and its incident [µs].
        private static let reach: Int64 = 300_000_000

        /// The kinds of faults that a log may show as one another.
        private static let alike: [Set<Scenario.Fault.Kind>] = [
            [.apnsSilent, .apnsUnavailable, .apnsSlow, .apnsCapacity, .connectionLost],
            [.senderPaused, .apnsSlow, .connectionLost], [.senderPaused, .monitorPaused, .contentDown, .contentSlow],
            [.tokenPostDown, .devicesOffline],
        ]

        init() {}

        /// Compares the faults of a scenario with the incidents of a log, apart from the log's gaps.
        init(_ all: [Disturbance], _ log: LogDigest) {
            let found = LogIncidents(log).incidents
                .map { Disturbance(kind: $0.kind, time: $0.from...max($0.from, $0.until)) }
            func isNear(_ one: Disturbance, _ other: Disturbance) -> Bool {
                Self.alike.contains { $0.isSuperset(of: [one.kind, other.kind]) }
                    && one.time.lowerBound - Self.reach <= other.time.upperBound
                    && other.time.lowerBound - Self.reach <= one.time.upperBound
            }
            func isCompared(_ disturbance: Disturbance) -> Bool {
                disturbance.time.lowerBound < log.end && !log.gaps.contains { disturbance.time.overlaps($0) }
            }
            faults = all.filter { fault in isCompared(fault) && !found.contains { isNear(fault, $0) } }
            incidents = found.filter { incident in isCompared(incident) && !all.contains { isNear(incident, $0) } }
            hasMatches = all.contains { fault in found.contains { isNear(fault, $0) } }
        }
    }
}

extension Backtest.Comparison {
    /// Half the width of the interval.
    public var halfWidth: Double { (interval.upperBound - interval.lowerBound) / 2 }

    /// `true` if the difference is more than two half-widths, and large as such: five points of a share of time, 100 ms of a wait, a tenth of
    /// any other value.
    public var isFar: Bool { excess > 1 && size >= 1 }

    /// The ratio of the difference to the smallest difference that is large as such.
    public var size: Double {
        switch measure {
        case .believedFresh: abs(difference) / 0.05
        case .wait: abs(difference) / 100_000
        // The value is a logarithm.
        case .latency: abs(difference) / 0.1
        default: difference == 0 ? 0 : abs(difference) / (0.1 * max(abs(log), abs(model)))
        }
    }

    /// `true` if more replications can narrow the interval to a half-width.
    public func canNarrow(to halfWidth: Double) -> Bool { 1.96 * deviation <= halfWidth }
}
