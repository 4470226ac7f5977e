public import Evaluation
public import LiveActivityModel
public import Quantities

/// The effect of a fault on screens, and the recovery from it: by the windows of the run, over all cells and
/// replications.
///
/// All pages share this definition (docs/model.md, *What is measured*). Only windows count that begin while rides
/// arrive and that have at least 1 % of a window's mean time on screens.
public struct FaultRecovery: Hashable, Sendable {
    public let fault: Scenario.Fault
    private let dip: FreshnessDip

    /// The share fresh on phones before the fault; see ``FreshnessDip``.
    public var before: Double? { dip.before }
    /// The window with the smallest share.
    public var lowest: FreshnessDip.Window? { dip.lowest }
    /// The end of the effect.
    public var end: FreshnessDip.End { dip.end }

    /// Returns the effects of all faults of a run, in the order of the scenario.
    public static func all(in result: RunResult) -> [FaultRecovery] {
        guard !result.scenario.faults.isEmpty else { return [] }
        let windows = TimeSteps(result, windowsPerStep: 1).worthTelling
            .map { FreshnessDip.Window($0, .displayedFreshTime, of: .displayedTime) }
        return result.scenario.faults.map { fault in
            let begin = Instant.start + fault.at
            // A lost connection has no duration.
            let over = fault.kind == .connectionLost ? begin : begin + fault.duration
            return FaultRecovery(fault: fault, dip: FreshnessDip(from: begin, to: over, in: windows))
        }
    }
}

/// The effect of a disturbance on screens, and the recovery from it, by windows.
public struct FreshnessDip: Hashable, Sendable {
    /// The share over the windows that end within the half hour before the disturbance.
    ///
    /// If windows are longer, it is the share over the last window before the disturbance; nil if there is none.
    public let before: Double?
    /// The window with the smallest share, among the windows from the beginning of the disturbance to half an hour after
    /// its end, or to the next disturbance.
    ///
    /// The first of equal windows counts; nil if nothing was on a screen.
    public let lowest: Window?
    /// The end of the effect.
    public let end: End

    /// A window and its share fresh on phones.
    public struct Window: Hashable, Sendable {
        /// The window's first measured instant.
        public let from: Instant
        /// The end of the window.
        public let until: Instant
        /// The time with fresh content, and the time on screens [µs].
        private let (fresh, shown): (Int64, Int64)

        /// The share of the time on screens with fresh content, 0 to 1.
        public var share: Double { shown > 0 ? Double(fresh) / Double(shown) : 0 }

        init(_ step: TimeSteps.Step, _ fresh: SeriesColumn, of shown: SeriesColumn) {
            (from, until) = (step.from, step.until)
            (self.fresh, self.shown) = (step[fresh], step[shown])
        }

        /// Returns the share over several windows; nil if nothing was on a screen.
        fileprivate static func share(_ windows: [Window]) -> Double? {
            let shown = windows.reduce(0) { $0 + $1.shown }
            return shown > 0 ? Double(windows.reduce(0) { $0 + $1.fresh }) / Double(shown) : nil
        }
    }

    /// The instant of recovery, or the reason why there is none.
    public enum End: Hashable, Sendable {
        /// The beginning of the first window after the lowest one that is less than a point below ``before``.
        case back(Instant)
        /// No later window has recovered.
        case notBack
        /// The lowest window is less than a point below the level before the disturbance.
        case neverDown
        /// The level before the disturbance is unknown.
        case unknown
    }

    /// The distance below the earlier level within which a share counts as recovered: a percentage point.
    static let margin = 0.01
    /// The time before and after a disturbance that is considered.
    static let reach = TimeSpan.minutes(30)

    /// Creates the effect of a disturbance.
    ///
    /// - Parameters:
    ///   - begin: The beginning of the disturbance.
    ///   - over: Its end.
    ///   - next: The beginning of the next disturbance, which has its own effect; nil for none.
    ///   - windows: The windows of the run, in order.
    init(from begin: Instant, to over: Instant, next: Instant? = nil, in windows: [Window]) {
        let earlier = windows.filter { $0.until <= begin }
        let near = earlier.filter { begin - $0.from <= Self.reach }
        before = Window.share(near.isEmpty ? Array(earlier.suffix(1)) : near)
        lowest = windows.filter { $0.until > begin && $0.from <= over + Self.reach && $0.from < next ?? .never }
            .min { $0.share < $1.share }
        guard let before, let lowest else {
            end = .unknown
            return
        }
        let least = before - Self.margin
        guard lowest.share <= least else {
            end = .neverDown
            return
        }
        end = windows.first { $0.from >= lowest.until && $0.share > least }.map { .back($0.from) } ?? .notBack
    }
}

extension Report {
    /// A section on the effects of faults; empty without faults.
    var faults: [Block] {
        let recoveries = FaultRecovery.all(in: result)
        guard recoveries.contains(where: { $0.lowest != nil }) else { return [] }
        let window = Format.span(scenario.clock.window.microseconds)
        let table = TextTable(
            ["fault", "time of day", "before:", "lowest \(window):", "", "back"],
            rows: recoveries.map { recovery in
                [
                    Wording.fault(recovery.fault.kind), recovery.fault.time(by: clock),
                    Format.percent(recovery.before), Format.percent(recovery.lowest?.share),
                    recovery.lowest.map { clock.stretch(from: $0.from, until: $0.until) } ?? Format.undefined,
                    recovery.back(by: clock),
                ]
            }
        )
        let explanation =
            "The share fresh on phones in the run's windows of \(window), each a mean over its window. *Before*: over "
            + "the windows within half an hour before the fault. *Lowest*: the lowest window from the fault's beginning "
            + "to half an hour after its end. *Back*: the first later window that is less than a point below *before*, "
            + "counted from the fault's end. A shorter `clock.window` makes all three more exact, and the lowest value "
            + "lower."
        return .section("Faults and recovery", table, explanation)
    }
}

extension FaultRecovery {
    /// Returns a sentence for each fault of a run; empty if nothing was on a screen.
    public static func sentences(of result: RunResult) -> [String] {
        let clock = ClockTime(result.scenario)
        return all(in: result)
            .compactMap { recovery in
                guard let lowest = recovery.lowest else { return nil }
                let stretch = clock.stretch(from: lowest.from, until: lowest.until)
                let window = result.scenario.clock.window
                // If the fault is not much longer than a window, the window also contains time before and after it.
                let caveat =
                    recovery.fault.duration < window * 2
                    ? ", the mean of \(Format.span(window.microseconds)): a shorter clock.window shows a lower value"
                    : ""
                return "\(Wording.fault(recovery.fault.kind)), \(recovery.fault.time(by: clock)): "
                    + "\(Format.percent(recovery.before)) of screens fresh before, \(Format.percent(lowest.share)) at the lowest "
                    + "(\(stretch)\(caveat)); back: \(recovery.back(by: clock))."
            }
    }

    private var isInstant: Bool { fault.isInstant }

    /// Returns the instant of recovery, on the clock and relative to the fault's end.
    fileprivate func back(by clock: ClockTime) -> String {
        switch end {
        case .back(let instant):
            let over = Instant.start + fault.at + (isInstant ? .zero : fault.duration)
            let place =
                instant < over
                ? "before its end"
                : instant == over ? "at its end" : "after \(Format.span((instant - over).microseconds))"
            return "at \(clock.short(instant)), \(place)"
        case .notBack: return "not before the end of the run"
        case .neverDown: return "fell by less than a point"
        case .unknown: return Format.undefined
        }
    }
}

extension Scenario.Fault {
    /// `true` if it has no duration.
    fileprivate var isInstant: Bool { kind == .connectionLost }

    /// Returns its time, on the clock.
    func time(by clock: ClockTime) -> String {
        let begin = Instant.start + at
        return isInstant ? clock.short(begin) : clock.stretch(from: begin, until: begin + duration)
    }
}

extension Scenario.Fault.Kind {
    /// `true` if requests wait longer because of it, or more of them come at once.
    var holdsRequestsBack: Bool {
        switch self {
        case .apnsSilent, .apnsUnavailable, .apnsSlow, .apnsCapacity, .connectionLost, .senderPaused, .monitorPaused,
            .contentDown:
            true
        case .tokenPostDown, .devicesOffline: false
        }
    }
}
