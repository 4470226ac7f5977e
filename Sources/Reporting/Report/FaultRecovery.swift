public import Experiments
public import LiveActivityModel
public import Quantities

/// How deep a fault cut into what screens showed, and when that was over: by the windows of the run, all cells and replications
/// together.
///
/// One definition for every page that tells of it (docs/model.md, *What is measured*). Windows count that begin while rides
/// arrive and have at least 1 % of a window's mean time on screens.
public struct FaultRecovery: Hashable, Sendable {
    /// The fault.
    public let fault: Scenario.Fault
    /// The share of fresh screens over the windows that end within the half hour before the fault, or over the last one before
    /// it where windows are longer; nil where the fault has no window before it.
    public let before: Double?
    /// The window with the smallest share, from the one in which the fault begins to the last that begins within half an hour
    /// after its end; of equals the first, nil where nothing was on a screen.
    public let lowest: Window?
    /// When it was over.
    public let end: End

    /// A window and its share of fresh screens.
    public struct Window: Hashable, Sendable {
        /// The window's first measured instant.
        public let from: Instant
        /// The end of the window.
        public let until: Instant
        /// The part of the time on screens with fresh content, 0 to 1.
        public let share: Double
    }

    /// Whether and when the share was back.
    public enum End: Hashable, Sendable {
        /// From here on: the beginning of the first window after the lowest one that is less than a point below ``before``.
        case back(Instant)
        /// No window after the lowest one is.
        case notBack
        /// The lowest window is less than a point below what was before.
        case neverDown
        /// Nothing tells what it was before.
        case unknown
    }

    /// How far below its level before a share counts as back: a percentage point.
    static let margin = 0.01
    /// How long before and after a fault is looked at.
    static let reach = TimeSpan.minutes(30)

    /// What each fault of a run did, in the order of the scenario.
    public static func all(in result: RunResult) -> [FaultRecovery] {
        guard !result.scenario.faults.isEmpty else { return [] }
        let steps = TimeSteps(result, windowsPerStep: 1).worthTelling
        let windows = steps.map { step in
            Window(
                from: step.from,
                until: step.until,
                share: step.share(.displayedFreshTime, of: .displayedTime) ?? 0
            )
        }
        return result.scenario.faults.map { FaultRecovery($0, steps, windows) }
    }

    private init(_ fault: Scenario.Fault, _ steps: [TimeSteps.Step], _ windows: [Window]) {
        self.fault = fault
        let begin = Instant.start + fault.at
        // A lost connection is an instant.
        let over = fault.kind == .connectionLost ? begin : begin + fault.duration
        let earlier = steps.filter { $0.until <= begin }
        let near = earlier.filter { begin - $0.from <= Self.reach }
        let level = near.isEmpty ? Array(earlier.suffix(1)) : near
        let (fresh, shown) = level.reduce(into: (Int64(0), Int64(0))) { sums, step in
            sums.0 += step[.displayedFreshTime]
            sums.1 += step[.displayedTime]
        }
        before = shown > 0 ? Double(fresh) / Double(shown) : nil
        lowest = windows.filter { $0.until > begin && $0.from <= over + Self.reach }.min { $0.share < $1.share }
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
    /// What each fault did to screens; nothing without faults.
    var faults: String {
        let recoveries = FaultRecovery.all(in: result)
        guard recoveries.contains(where: { $0.lowest != nil }) else { return "" }
        let window = Format.span(scenario.clock.window.microseconds)
        let table = TextTable(
            [
                ("fault", .left), ("time of day", .left), ("before", .right), ("lowest \(window)", .right), ("", .left),
                ("back", .left),
            ],
            rows: recoveries.map { recovery in
                [
                    Wording.fault(recovery.fault.kind), recovery.time(by: clock),
                    Format.percent(recovery.before), Format.percent(recovery.lowest?.share),
                    recovery.lowest.map { clock.stretch(from: $0.from, until: $0.until) } ?? Format.undefined,
                    recovery.back(by: clock),
                ]
            }
        )
        return section(
            "Faults and recovery",
            [
                table.markdown,
                "Fresh screens by the run's windows of \(window), each a mean over its length. *Before*: over the windows within "
                    + "half an hour before the fault. *Lowest*: of the windows from the fault's beginning to half an hour after its "
                    + "end. *Back*: the first window after the lowest that is less than a point below *before*, counted from the "
                    + "fault's end. A shorter `clock.window` tells all three more closely, and finds a lower value.",
            ]
        )
    }
}

extension FaultRecovery {
    /// What each fault of a run did, a sentence each; none where nothing was on a screen.
    public static func sentences(of result: RunResult) -> [String] {
        let clock = ClockTime(result.scenario)
        return all(in: result)
            .compactMap { recovery in
                guard let lowest = recovery.lowest else { return nil }
                let stretch = clock.stretch(from: lowest.from, until: lowest.until)
                let window = result.scenario.clock.window
                // Twice as long as the fault, a window is half full of what was before it and after it.
                let caveat =
                    recovery.fault.duration < window * 2
                    ? ", the mean of \(Format.span(window.microseconds)): a shorter clock.window finds lower" : ""
                return "\(Wording.fault(recovery.fault.kind)), \(recovery.time(by: clock)): "
                    + "\(Format.percent(recovery.before)) of screens fresh before, \(Format.percent(lowest.share)) at the lowest "
                    + "(\(stretch)\(caveat)); back: \(recovery.back(by: clock))."
            }
    }

    private var isInstant: Bool { fault.kind == .connectionLost }

    /// When the fault is, on the clock.
    fileprivate func time(by clock: ClockTime) -> String {
        let begin = Instant.start + fault.at
        return isInstant ? clock.short(begin) : clock.stretch(from: begin, until: begin + fault.duration)
    }

    /// When it was over, on the clock and after its end.
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
