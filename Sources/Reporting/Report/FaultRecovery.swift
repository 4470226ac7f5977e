public import Evaluation
import InputFiles
public import LiveActivityModel
public import Quantities
import Results

/// The effect of a fault on screens during rides, and the recovery from it: by the windows of the run, over all cells
/// and replications.
///
/// All pages share this definition (docs/model.md, *What is measured*).
public struct FaultRecovery: Hashable, Sendable {
    public let fault: Scenario.Fault
    private let dip: FreshnessDip

    /// The share fresh on phones before the fault; see ``FreshnessDip``.
    public var before: Double? { dip.before }
    /// The window with the smallest share.
    public var lowest: FreshnessDip.Window? { dip.lowest }
    /// The smallest share of screen time with leftover cards, which charts over the day show.
    var lowestOnScreens: Double? { dip.lowestOnScreens }
    /// The end of the effect.
    public var end: FreshnessDip.End { dip.end }

    /// Returns the effects of all faults of a run, in the order of the scenario.
    public static func all(in result: RunResult) -> [FaultRecovery] {
        guard !result.scenario.faults.isEmpty else { return [] }
        let windows = FreshnessDip.Window.duringRides(TimeSteps(result, windowsPerStep: 1), of: result.scenario)
        return all(of: result.scenario, in: windows)
    }

    /// Returns the effects of all faults of a recorded run; empty if its time series is missing.
    static func all(in run: RecordedResults) -> [FaultRecovery] {
        guard !run.scenario.faults.isEmpty, let windows = try? FreshnessDip.Window.duringRides(run) else { return [] }
        return all(of: run.scenario, in: windows)
    }

    /// Returns a remark for a chart that ends before screens have recovered; empty for any other.
    static func remark(on recoveries: [FaultRecovery], after end: Instant, by clock: ClockTime) -> String {
        let shown = recoveries.filter { .start + $0.fault.at < end }
        let later = shown.compactMap { recovery -> Instant? in
            guard case .back(by: let instant) = recovery.end, instant > end else { return nil }
            return instant
        }
        if shown.contains(where: { $0.end == .notBack }) {
            return "; screens had not recovered by the end of the run"
        }
        return later.max().map { "; screens recovered after the end of this chart, by \(clock.short($0))" } ?? ""
    }

    private static func all(of scenario: Scenario, in windows: [FreshnessDip.Window]) -> [FaultRecovery] {
        scenario.faults.map { fault in
            FaultRecovery(
                fault: fault,
                dip: FreshnessDip(from: .start + fault.at, to: fault.end, in: windows)
            )
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
    /// The smallest share of all screen time, with leftover cards, in the same windows; nil if nothing was on a screen.
    public let lowestOnScreens: Double?
    /// The end of the effect.
    public let end: End

    /// A window and the share fresh on phones during rides.
    public struct Window: Hashable, Sendable {
        /// The window's first measured instant.
        public let from: Instant
        /// The end of the window.
        public let until: Instant
        /// The time with fresh content [µs].
        private let fresh: Int64
        /// The time on screens [µs].
        private let shown: Int64
        /// The time on screens with fresh content, also after rides [µs].
        private let screenFresh: Int64
        /// The time on screens, also after rides [µs].
        private let screenShown: Int64

        /// The share of the time on screens with fresh content, 0 to 1.
        public var share: Double { shown > 0 ? Double(fresh) / Double(shown) : 0 }

        /// The share of all screen time with fresh content; nil if nothing was on a screen.
        fileprivate var shareOnScreens: Double? {
            screenShown > 0 ? Double(screenFresh) / Double(screenShown) : nil
        }

        /// Returns the windows of a run that count, also those after the last arrival.
        static func duringRides(_ steps: TimeSteps, of scenario: Scenario) -> [Window] {
            let windows = steps.steps.map { step in
                Window(
                    from: step.from,
                    until: step.until,
                    fresh: step[.rideDisplayedFreshTime],
                    shown: step[.rideDisplayedTime],
                    screenFresh: step[.displayedFreshTime],
                    screenShown: step[.displayedTime]
                )
            }
            return representative(windows, of: scenario)
        }

        /// The largest time that a file may state [µs].
        private static let largestTime: Int64 = 1 << 60

        /// Returns the windows of a recorded run that count.
        ///
        /// - Throws: `DataFileError` if `timeseries.csv` is missing or invalid.
        fileprivate static func duringRides(_ run: RecordedResults) throws(DataFileError) -> [Window] {
            let columns =
                ["window_start_us", "window_us"]
                + [SeriesColumn.rideDisplayedFreshTime, .rideDisplayedTime, .displayedFreshTime, .displayedTime]
                .map(\.name)
            let contents = try CSVContents(path: "\(run.path)/timeseries.csv", columns: ["scope"] + columns) {
                $0[0] == "all"
            }
            // The end of a window must not overflow, even in an edited file.
            let windows = contents.rows.compactMap { row -> Window? in
                let numbers = row.fields.dropFirst().compactMap { Int64($0) }
                let isPossible = numbers.prefix(2).allSatisfy { $0 >= 0 && $0 <= largestTime }
                guard numbers.count == columns.count, isPossible else { return nil }
                let from = Instant(microseconds: numbers[0])
                return Window(
                    from: from,
                    until: from + TimeSpan(microseconds: numbers[1]),
                    fresh: numbers[2],
                    shown: numbers[3],
                    screenFresh: numbers[4],
                    screenShown: numbers[5]
                )
            }
            return representative(windows, of: run.scenario)
        }

        /// Returns the windows with at least 1 % of a window's mean time of rides on screens.
        ///
        /// The mean is over the windows while rides arrive. So little time is not representative.
        private static func representative(_ windows: [Window], of scenario: Scenario) -> [Window] {
            let arriving = windows.filter { $0.from < .start + scenario.clock.duration }
            let total = arriving.reduce(0) { $0 + Double($1.shown) }
            let mean = total / Double(max(1, arriving.count))
            return windows.filter { $0.shown > 0 && Double($0.shown) >= mean / 100 }
        }

        /// Returns the share over several windows; nil if nothing was on a screen.
        fileprivate static func share(_ windows: [Window]) -> Double? {
            let shown = windows.reduce(0) { $0 + Double($1.shown) }
            return shown > 0 ? windows.reduce(0) { $0 + Double($1.fresh) } / shown : nil
        }
    }

    /// The instant of recovery, or the reason why there is none.
    public enum End: Hashable, Sendable {
        /// The end of the first later window with a share less than a point below ``before``.
        ///
        /// The share is a mean over the window, so it is known only then.
        case back(by: Instant)
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
        let affected = windows.filter { $0.until > begin && $0.from <= over + Self.reach && $0.from < next ?? .never }
        lowest = affected.min { $0.share < $1.share }
        lowestOnScreens = affected.compactMap(\.shareOnScreens).min()
        guard let before, let lowest else {
            end = .unknown
            return
        }
        let least = before - Self.margin
        guard lowest.share <= least else {
            end = .neverDown
            return
        }
        end = windows.first { $0.from >= lowest.until && $0.share > least }.map { .back(by: $0.until) } ?? .notBack
    }
}

extension Report {
    /// A section on the effects of faults; empty without faults.
    var faults: [Block] {
        let recoveries = FaultRecovery.all(in: result)
        guard recoveries.contains(where: { $0.lowest != nil }) else { return [] }
        let window = Format.span(scenario.clock.window.microseconds)
        let table = TextTable(
            ["fault", "time of day", "before:", "lowest \(window):", "", "back", "lowest with leftover cards:"],
            rows: recoveries.map { recovery in
                [
                    Wording.fault(recovery.fault.kind), recovery.fault.time(by: clock),
                    Format.percent(recovery.before), Format.percent(recovery.lowest?.share),
                    recovery.lowest.map { clock.stretch(from: $0.from, until: $0.until) } ?? Format.undefined,
                    recovery.back(by: clock), Format.percent(recovery.lowestOnScreens),
                ]
            }
        )
        let replications = result.replications > 1 ? ", over all replications together" : ""
        let explanation =
            "The share fresh on phones during rides in the run's windows of \(window), each a mean over its window\(replications). "
            + "*Before*: over the windows within half an hour before the fault. *Lowest*: the lowest window from the "
            + "fault's beginning to half an hour after its end. *Back*: the end of the first later window that is less "
            + "than a point below *before*. *Lowest with leftover cards*: the lowest share of all screen time, as in the chart of "
            + "freshness. A shorter `clock.window` makes all three more exact, and the lowest value lower."
        return .section("Faults and recovery", table, explanation)
    }
}

extension FaultRecovery {
    /// Returns a sentence for each fault of a run; empty if nothing was on a screen.
    public static func sentences(of result: RunResult) -> [String] {
        sentences(on: all(in: result), of: result.scenario, replications: result.replications)
    }

    /// Returns a sentence for each fault of a recorded run; empty if its time series is missing.
    static func sentences(of run: RecordedResults) -> [String] {
        sentences(on: all(in: run), of: run.scenario, replications: run.replications)
    }

    private static func sentences(
        on recoveries: [FaultRecovery],
        of scenario: Scenario,
        replications: Int
    ) -> [String] {
        let clock = ClockTime(scenario)
        let basis = replications > 1 ? "; \(Format.replications(replications)) together" : ""
        return
            recoveries
            .compactMap { recovery in
                guard let lowest = recovery.lowest else { return nil }
                let stretch = clock.stretch(from: lowest.from, until: lowest.until)
                let window = scenario.clock.window
                // If the fault is not much longer than a window, the window also contains time before and after it.
                let caveat =
                    recovery.fault.duration < window * 2
                    ? ", the mean of \(Format.span(window.microseconds)): a shorter clock.window shows a lower value"
                    : ""
                // The curve beside the sentence is of all screen time.
                let drawn = recovery.lowestOnScreens.map { $0 == lowest.share ? nil : Format.percent($0) } ?? nil
                return
                    "\(Wording.fault(recovery.fault.kind)), \(recovery.fault.time(by: clock)): fresh on phones during rides "
                    + "\(Format.percent(recovery.before)) before, \(Format.percent(lowest.share)) at the lowest "
                    + "(\(stretch)\(caveat))\(drawn.map { ", \($0) with leftover cards" } ?? ""); back: \(recovery.back(by: clock))\(basis)."
            }
    }

    /// Returns the instant by which screens recovered, on the clock and relative to the fault's end.
    fileprivate func back(by clock: ClockTime) -> String {
        switch end {
        case .back(by: let instant):
            let place =
                instant <= fault.end
                ? "before its end"
                : "within \(Format.span((instant - fault.end).microseconds))\(fault.isInstant ? "" : " of its end")"
            return "by \(clock.short(instant)), \(place)"
        case .notBack: return "not before the end of the run"
        case .neverDown: return "fell by less than a point"
        case .unknown: return Format.undefined
        }
    }
}

extension Scenario.Fault {
    /// `true` if it has no duration.
    fileprivate var isInstant: Bool { kind == .connectionLost }

    /// Its end; a lost connection has no duration.
    var end: Instant { .start + at + (isInstant ? .zero : duration) }

    /// The words for a time in which no push of the sender arrives anywhere; nil for a fault that some pushes survive.
    var silence: String? {
        switch kind {
        case .apnsSilent where share == .always: "APNs was silent"
        case .senderPaused: "the sender was paused"
        default: nil
        }
    }

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
            .contentDown, .contentSlow, .devicesOffline:
            true
        case .tokenPostDown: false
        }
    }
}
