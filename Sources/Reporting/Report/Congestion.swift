public import Evaluation
import LiveActivityModel
import Quantities
import TextFormats

/// An interval of one replication in which pushes waited for a sender, window after window.
///
/// A window counts if a push waited during at least half of it, in the cell in which pushes waited longest.
public struct Congestion: Hashable, Sendable {
    /// The limit that made pushes wait.
    enum Bottleneck: Hashable {
        /// No stream was free, or no connection open.
        case streams
        /// The rate limit had no token.
        case rateLimit
        /// The sender was paused.
        case pause
    }

    /// The replication, counted from 0.
    let replication: Int
    let bottleneck: Bottleneck
    /// The beginning of the first window.
    let from: Instant
    /// The end of the last window.
    let until: Instant
    /// The time by which the queue was empty: the end of the next window if pushes waited in it too, for less than half of
    /// it, otherwise ``until``.
    let emptyBy: Instant
    /// The time from which no rides are requested, so that a queue drains faster than it would in a longer run.
    let arrivalsEnd: Instant
    /// The faults that can hold requests back and that were active in it or in the window before.
    let faults: [Scenario.Fault]
    /// `true` if one of the faults had begun before the first window was over, so that it may be the cause.
    let beganWithFault: Bool
    /// `true` if the run ends with it.
    let isOpen: Bool
    /// `true` if it is there when measuring starts, so that it may have begun earlier.
    let isOpenAtBegin: Bool
    /// The window in which the queue was longest, and the queue's length.
    let longestFrom: Instant
    let longestUntil: Instant
    let mostQueued: Int64
    /// The effect on the screens of rides; it also covers rides that go on after the last arrival.
    let dip: FreshnessDip

    /// Returns the congestions of a run, by replication, then in order of time.
    static func all(in result: RunResult) -> [Congestion] {
        result.perReplication.enumerated().flatMap { all(in: $1, replication: $0, of: result.scenario) }
    }

    private static func all(in run: Measurements, replication: Int, of scenario: Scenario) -> [Congestion] {
        let windows = 0..<run.series.windowCount
        // Nearly all runs have none, and there may be many replications.
        guard run.series.longestWaits.contains(where: { $0 > 0 }) else { return [] }
        let steps = TimeSteps(run, clock: scenario.clock, windowsPerStep: 1)
        let parts = steps.steps.split { 2 * run.series.longestWaits[$0.windows.lowerBound] < $0.length.microseconds }
        guard !parts.isEmpty else { return [] }
        let screens = FreshnessDip.Window.duringRides(steps, of: scenario)
        let begins = parts.compactMap(\.first?.from)
        return parts.enumerated()
            .compactMap { index, part in
                guard let first = part.first, let last = part.last else { return nil }
                let following = steps.steps.first { $0.windows.lowerBound == last.windows.upperBound }
                let isDraining = following.map { run.series.longestWaits[$0.windows.lowerBound] > 0 } ?? false
                // Earlier congestions say nothing about the level before.
                let undisturbed = screens.filter { screen in
                    screen.from >= first.from
                        || !parts[..<index]
                            .contains { part in
                                part.contains { $0.from < screen.until && screen.from < $0.until }
                            }
                }
                // The queue may grow until it drains.
                let queued = Array(part) + (isDraining ? [following].compactMap(\.self) : [])
                let queues = queued.map { run.senderCourse.mostQueued(in: $0.windows) }
                let most = queues.max() ?? 0
                let longest = zip(queued, queues).first { $1 == most }?.0 ?? first
                let faults = scenario.faults(from: first.from.windowBefore(scenario.clock.window), until: last.until)
                    .filter(\.kind.holdsRequestsBack)
                return Congestion(
                    replication: replication,
                    bottleneck: Bottleneck(part, scenario.sender),
                    from: first.from,
                    until: last.until,
                    emptyBy: isDraining ? following?.until ?? last.until : last.until,
                    arrivalsEnd: .start + scenario.clock.duration,
                    faults: faults,
                    beganWithFault: faults.contains { .start + $0.at < first.until },
                    isOpen: last.windows.upperBound == windows.upperBound,
                    isOpenAtBegin: first.from == .start + scenario.clock.warmUp && scenario.clock.warmUp > .zero,
                    longestFrom: longest.from,
                    longestUntil: longest.until,
                    mostQueued: most,
                    dip: FreshnessDip(
                        // A fault's queue may form late: the level before is the one before the fault.
                        from: faults.map { .start + $0.at }.reduce(first.from, min),
                        to: last.until,
                        next: begins.dropFirst(index + 1).first,
                        in: undisturbed
                    )
                )
            }
    }
}

extension Instant {
    /// Returns the beginning of the previous window; the start of the run for the first.
    fileprivate func windowBefore(_ window: TimeSpan) -> Instant {
        Instant(microseconds: max(0, microseconds - window.microseconds))
    }
}

extension Congestion.Bottleneck {
    fileprivate init(_ steps: some Sequence<TimeSteps.Step>, _ sender: Scenario.Sender) {
        let (full, waiting) = steps.reduce(into: (Int64(0), Int64(0))) { sums, step in
            sums.0 += step[.saturatedTime]
            sums.1 += step[.waitingTime]
        }
        self = 2 * full >= waiting ? .streams : sender.rateLimit?.excess == .wait ? .rateLimit : .pause
    }

    /// The limit in words, and what it did.
    var words: (name: String, verb: String) {
        switch self {
        case .streams: ("Sender streams", "full")
        case .rateLimit: ("Sender rate limit", "reached")
        case .pause: ("Sender", "paused")
        }
    }
}

extension Congestion {
    /// Returns a sentence for each congestion of a run, the first ones in order of time; for several replications,
    /// a sentence for each bottleneck.
    public static func sentences(of result: RunResult) -> [String] {
        sentences(of: all(in: result), in: result)
    }

    static func sentences(of all: [Congestion], in result: RunResult) -> [String] {
        facts(of: all, in: result) + advice(on: all)
    }

    /// Returns a warning if a fault may be the cause of a queue; otherwise nothing.
    static func advice(on all: [Congestion]) -> [String] {
        all.contains { $0.beganWithFault && $0.bottleneck != .pause }
            ? [
                "A queue that begins with a fault is no proof of too few connections: a run without faults (--set 'faults=[]') shows what the load alone needs."
            ] : []
    }

    private static func facts(of all: [Congestion], in result: RunResult) -> [String] {
        let clock = ClockTime(result.scenario)
        guard result.replications > 1 else {
            let rest = all.count > 3 ? ["For \(all.count - 3) more, see the table."] : []
            return worstFirst(all).prefix(3).map { $0.sentence(by: clock) } + rest
        }
        return worstFirst(all).map(\.bottleneck).unique
            .map { bottleneck in
                let episodes = episodes(of: all.filter { $0.bottleneck == bottleneck })
                let more = episodes.count > 1 ? "the worst of \(episodes.count) times, " : ""
                return "\(bottleneck.words.name): \(more)\(course(of: worstEpisode(of: episodes) ?? [], in: result))."
            }
    }

    /// Returns the congestions of several replications that overlap in time, together, in order of time.
    static func episodes(of all: [Congestion]) -> [[Congestion]] {
        var episodes: [[Congestion]] = []
        var end = Instant.start
        for one in all.sorted(by: { ($0.from, $0.replication) < ($1.from, $1.replication) }) {
            if one.from < end, !episodes.isEmpty {
                episodes[episodes.count - 1].append(one)
            } else {
                episodes.append([one])
            }
            end = max(end, one.until)
        }
        return episodes
    }

    /// Returns the episode with the most harm, the first of equal ones; nil without any.
    static func worstEpisode(of episodes: [[Congestion]]) -> [Congestion]? {
        let harms = episodes.map { $0.reduce(0) { $0 + $1.harm } }
        return zip(episodes, harms).first { $1 == harms.max() }?.0
    }

    /// Returns the first and the last time of an episode in several replications, without the limit's name.
    static func course(of those: [Congestion], in result: RunResult) -> String {
        guard let last = those.max(by: { $0.emptyBy < $1.emptyBy }) else { return "" }
        let clock = ClockTime(result.scenario)
        let count = Set(those.map(\.replication)).count
        let faults = those.flatMap(\.faults).unique
        let during = Set(those.filter { !$0.faults.isEmpty }.map(\.replication)).count
        let fault = faults.isEmpty ? "" : ", in \(during) of them with a fault (\(Self.words(faults, by: clock)))"
        let begins = those.map(\.from)
        let open = those.count { $0.isOpenAtBegin }
        let beginning =
            open > 0
            ? "\(open < count ? "in \(open) of them " : "")already when measuring starts at \(clock.short(begins.min() ?? .start))"
            : "at the earliest from \(clock.short(begins.min() ?? .start))"
        let end = those.contains(where: \.isOpen) ? "not empty at the end of the run" : last.emptied(by: clock)
        return "\(last.bottleneck.words.verb) in \(count) of \(Format.replications(result.replications))\(fault), "
            + "\(beginning); at the latest, the queue was \(end)" + latestRecovery(of: those, in: result)
    }

    /// The harm: the longest queue times the duration [µs].
    private var harm: Double { Double(mostQueued) * Double((until - from).microseconds) }

    /// Returns congestions by their harm, the worst first; equal ones keep their order.
    static func worstFirst(_ all: [Congestion]) -> [Congestion] {
        all.enumerated().sorted { ($1.element.harm, $0.offset) < ($0.element.harm, $1.offset) }.map(\.element)
    }

    /// Returns the recovery of screens in the slowest of several replications, and over all replications together if a
    /// fault has a sentence on that; empty if screens fell in none.
    private static func latestRecovery(of congestions: [Congestion], in result: RunResult) -> String {
        let clock = ClockTime(result.scenario)
        func latest(_ ends: [FreshnessDip.End]) -> (isBack: Bool, words: String)? {
            if ends.contains(.notBack) { return (false, "by the end of the run") }
            let backs = ends.compactMap { if case .back(by: let instant) = $0 { instant } else { nil } }
            return backs.max().map { (true, "by \(clock.short($0))") }
        }
        guard let slowest = latest(congestions.map(\.dip.end)) else { return "" }
        let faults = congestions.flatMap(\.faults)
        let together = latest(FaultRecovery.all(in: result).filter { faults.contains($0.fault) }.map(\.end))
            .map { together in
                let word =
                    together.isBack == slowest.isBack
                    ? together.isBack ? "and" : "nor" : together.isBack ? "but" : "but not"
                return ", \(word) \(together.words) with \(Format.replications(result.replications)) together"
            }
        return
            "; screens during rides were \(slowest.isBack ? "" : "not ")as fresh as before \(slowest.words) in the slowest "
            + "replication\(together ?? "")"
    }

    /// Returns the time in which the limit held pushes back.
    private func held(by clock: ClockTime) -> String {
        isOpenAtBegin
            ? "already \(bottleneck.words.verb) when measuring starts at \(clock.short(from)), until \(clock.short(until))"
            : "\(bottleneck.words.verb) from \(clock.stretch(from: from, until: until))"
    }

    private func sentence(by clock: ClockTime) -> String {
        let during = faults.isEmpty ? "" : ", with a fault (\(Self.words(faults, by: clock)))"
        return
            "\(bottleneck.words.name): \(held(by: clock))\(during); "
            + "the queue was longest from \(longest(by: clock)) (\(Self.pushes(mostQueued))) and \(emptied(by: clock))."
            + screens(by: clock)
    }

    /// Returns the window in which the queue was longest.
    private func longest(by clock: ClockTime) -> String { clock.stretch(from: longestFrom, until: longestUntil) }

    /// Returns faults with their times: `APNs silent, 18:00 to 18:10`.
    private static func words(_ faults: [Scenario.Fault], by clock: ClockTime) -> String {
        faults.map { "\(Wording.fault($0.kind)), \($0.time(by: clock))" }.joined(separator: "; ")
    }

    /// Returns the worst congestion of a run in a few words, for a terminal; for several replications, the first sentence.
    static func line(of all: [Congestion], in result: RunResult) -> String? {
        guard result.replications == 1, let worst = worstFirst(all).first else {
            return sentences(of: all, in: result).first
        }
        let clock = ClockTime(result.scenario)
        let more = all.count > 1 ? "; the worst of \(all.count), see report.md" : ""
        return "\(worst.bottleneck.words.name) \(worst.course(by: clock))\(more)"
    }

    /// Returns its time and its queue, in a few words after its name.
    func course(by clock: ClockTime) -> String {
        let during = faults.isEmpty ? "" : " with a fault (\(Self.words(faults, by: clock)))"
        return "\(held(by: clock))\(during), "
            + "queue of up to \(Self.pushes(mostQueued)), \(emptied(by: clock))"
    }

    static func pushes(_ count: Int64) -> String { "\(Format.count(count)) \(count == 1 ? "push" : "pushes")" }

    /// Returns the time by which the queue was empty again.
    ///
    /// If it had formed while rides arrived and drained only afterwards, the text warns that a longer run may differ.
    private func emptied(by clock: ClockTime) -> String {
        guard !isOpen else { return "not empty at the end of the run" }
        let isAfterArrivals = from < arrivalsEnd && arrivalsEnd < emptyBy
        return "empty again by \(clock.short(emptyBy))"
            + (isAfterArrivals
                ? ", but only after the run's last ride was requested at \(clock.short(arrivalsEnd))" : "")
    }

    /// Returns the effect on screens, after a space; empty if nothing was on a screen.
    private func screens(by clock: ClockTime) -> String {
        guard let before = dip.before, let lowest = dip.lowest else { return "" }
        if dip.end == .neverDown { return " Screens stayed within a point of the \(Format.percent(before)) before." }
        return
            " Fresh on phones during rides: \(Format.percent(before)) before, \(Format.percent(lowest.share)) at the lowest "
            + "(\(clock.stretch(from: lowest.from, until: lowest.until))), fresh again: \(back(by: clock))."
    }

    /// Returns the time by which screens were as fresh as before.
    private func back(by clock: ClockTime) -> String {
        switch dip.end {
        case .back(by: let instant): "by \(clock.short(instant))"
        case .notBack: "not by the end of the run"
        case .neverDown, .unknown: Format.undefined
        }
    }

    /// Returns the congestions in a table, at most a number of them, the worst, in their own order.
    static func table(of all: [Congestion], in result: RunResult, atMost count: Int = 20) -> TextTable {
        let clock = ClockTime(result.scenario)
        let worst = Set(worstFirst(all).prefix(count))
        let several: [TextTable.Column] = result.replications > 1 ? ["replication:"] : []
        let hasFaults = all.contains { !$0.faults.isEmpty }
        return TextTable(
            several + ["limit"] + (hasFaults ? ["fault"] : []) + [
                "from", "longest queue:", "in", "empty", "fresh before:", "lowest:", "fresh again",
            ],
            rows: all.filter(worst.contains)
                .map { one in
                    (several.isEmpty ? [] : ["\(one.replication)"]) + [
                        one.bottleneck.words.name
                    ] + (hasFaults ? [one.faults.map { Wording.fault($0.kind) }.unique.joined(separator: ", ")] : [])
                        + [
                            clock.short(one.from), Format.count(one.mostQueued),
                            one.longest(by: clock),
                            one.isOpen ? "not by the end" : "by \(clock.short(one.emptyBy))",
                            Format.percent(one.dip.before), Format.percent(one.dip.lowest?.share), one.back(by: clock),
                        ]
                }
        )
    }
}
