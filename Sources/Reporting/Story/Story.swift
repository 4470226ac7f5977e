import FreshnessCore
public import LiveActivityModel
public import Quantities
import TextFormats

/// The history of one activity: its outcome, its events in order of time, the server's belief and the phone's screen
/// after each.
///
/// It holds no token and no payload, because the model has neither.
public struct Story: Sendable {
    /// A row: an event of the activity, or around it.
    struct Row: Sendable {
        let at: Instant
        /// The event, in words.
        let what: String
        /// The server's belief afterwards; nil if it watches nothing.
        let belief: FreshnessClass?
        /// The phone's screen afterwards.
        let screen: StoryLine.Screen
        /// The name of the stage on the phone's screen afterwards; nil if it shows nothing.
        var stage: String?

        /// `true` if the phone shows content past its stale date.
        var isStale: Bool {
            guard case .content(let content) = screen else { return false }
            return at >= content.staleDate
        }
    }

    /// All rows, in order of time.
    private(set) var rows: [Row] = []
    /// The instant of the ride's request, or of the first event if the request is not part of the history.
    public let begin: Instant
    let scenario: Scenario
    let record: ActivityRecord?
    let sentCount: Int
    /// The instant of the last event; nil if there is none.
    private let end: Instant?

    /// Creates a history from a run of a scenario.
    ///
    /// - Parameters:
    ///   - record: The final record of the activity; without it there is no verdict.
    ///   - connections: The instants at which its phone went offline and online.
    public init(
        _ lines: [StoryLine],
        of scenario: Scenario,
        record: ActivityRecord? = nil,
        connections: [CellSimulation.ConnectionChange] = []
    ) {
        self.scenario = scenario
        self.record = record
        begin = lines.first { $0.happening == .requested }?.at ?? lines.first?.at ?? .start
        sentCount = lines.count { if case .sent = $0.happening { true } else { false } }
        end = lines.last?.at
        rows = told(lines)
        for (line, instant) in Self.movedLines(lines) { add(what(line.happening), at: instant) }
        for change in connections where change.at <= end ?? begin {
            add(change.isOnline ? "phone online again" : "phone offline", at: change.at)
        }
        addFaults()
        nameStages(lines)
    }

    /// Creates the history of the ride that a cell has recorded, with the changes of its phone's connection.
    public init(ofRide ride: UInt64, in cell: inout CellSimulation, of scenario: Scenario) {
        let lines = cell.story
        var connections: [CellSimulation.ConnectionChange] = []
        if let request = lines.first(where: { $0.happening == .requested })?.at, let last = lines.last?.at {
            let interval = lines.lazy.compactMap { line in
                if case .bookedAgain(_, _, let interval) = line.happening { interval } else { nil }
            }
            connections = cell.connectionChanges(ofRide: ride, requestedAt: request, in: interval.first, through: last)
        }
        self.init(lines, of: scenario, record: cell.search?.found.first, connections: connections)
    }

    /// Returns the lines whose events happen at another instant than the line states: a push expires later, and is
    /// replaced when APNs stores the newer one.
    private static func movedLines(_ lines: [StoryLine]) -> [(line: StoryLine, at: Instant)] {
        // The pushes that APNs stored or would have stored, in order, with the instants at which they would reach the
        // phone.
        var kept: [(at: Instant, until: Instant?)] = []
        var moved: [(StoryLine, Instant)] = []
        for line in lines {
            switch line.happening {
            case .stored(_, let until):
                kept.append((line.at, until))
            case .fate(_, .expired):
                kept.append((line.at, nil))
                if let instant = line.takesEffectAt { moved.append((line, instant)) }
            case .fate(_, .replacedInStore):
                guard let place = kept.firstIndex(where: { $0.until == line.at }), place + 1 < kept.count else {
                    continue
                }
                moved.append((line, kept[place + 1].at))
                kept.remove(at: place)
            default:
                continue
            }
        }
        return moved
    }

    /// Names the stage on each row's screen: the ride's stage when the content was generated.
    private mutating func nameStages(_ lines: [StoryLine]) {
        let begins = lines.compactMap { line in
            if case .stageBegan(let stage) = line.happening { (at: line.at, name: name(ofStage: stage)) } else { nil }
        }
        for index in rows.indices {
            guard case .content(let content) = rows[index].screen else { continue }
            let begun = begins.last { $0.at <= content.generatedAt } ?? begins.first
            rows[index].stage = begun?.name
        }
    }

    /// Returns the lines as rows, with a row in between when a screen goes stale.
    private func told(_ lines: [StoryLine]) -> [Row] {
        var rows: [Row] = []
        let moved = Self.movedLines(lines).map(\.line)
        for (index, line) in lines.enumerated() {
            if !moved.contains(line) {
                rows.append(Row(at: line.at, what: what(line.happening), belief: line.belief, screen: line.screen))
            }
            guard case .content(let content) = line.screen, line.at < content.staleDate, index + 1 < lines.count,
                content.staleDate <= lines[index + 1].at
            else { continue }
            rows.append(Row(at: content.staleDate, what: "stale date passed", belief: line.belief, screen: line.screen))
        }
        return rows
    }

    /// Adds rows for faults that begin or end during the history, and for those already active at its start.
    private mutating func addFaults() {
        guard let first = rows.first?.at, let last = rows.last?.at else { return }
        for fault in scenario.faults {
            let (from, until) = (Instant.start + fault.at, Instant.start + fault.at + fault.duration)
            guard from <= last, until >= first else { continue }
            let name = Wording.fault(fault.kind)
            if fault.duration == .zero {
                add("fault: \(name)", at: from)
                continue
            }
            add(
                from < first
                    ? "fault since \(ClockTime(scenario).short(from)): \(name)" : "fault begins: \(name)",
                at: max(from, first)
            )
            if until <= last { add("fault ends: \(name)", at: until) }
        }
    }

    /// Adds a row without a change, before other events of the same instant.
    private mutating func add(_ what: String, at instant: Instant) {
        let place = rows.firstIndex { $0.at >= instant } ?? rows.count
        let before = place > 0 ? rows[place - 1] : nil
        rows.insert(Row(at: instant, what: what, belief: before?.belief, screen: before?.screen ?? .nothing), at: place)
    }

    // MARK: - Excerpts

    /// `true` if the history has no rows.
    public var isEmpty: Bool { rows.isEmpty }

    /// Keeps the rows with a stale screen, and the rows that end this state.
    public mutating func keepStale() {
        let all = rows
        rows = all.indices.filter { all[$0].isStale || $0 > 0 && all[$0 - 1].isStale }.map { all[$0] }
    }

    /// Keeps the rows near an instant.
    public mutating func keep(around instant: Instant, within span: TimeSpan) {
        rows.removeAll { $0.at + span < instant || instant + span < $0.at }
    }

    /// The time span of the whole history, such as `18:01:02.500 to 18:20:00.000`.
    public var times: String {
        let clock = ClockTime(scenario)
        return "\(clock.exact(begin)) to \(clock.exact(end ?? begin))"
    }

    // MARK: - Text

    /// The outcome of the activity in one sentence, followed by the causes of its stale and wrong-stage times, the
    /// longest first.
    public var verdict: String? {
        guard let record else {
            let measuredFrom = Instant.start + scenario.clock.warmUp
            guard let end, end < measuredFrom else { return nil }
            return "It was over before measurement began at \(ClockTime(scenario).short(measuredFrom)), "
                + "so the results do not include it."
        }
        guard record.displayedTime > 0 else { return "Ride \(record.ride) had no activity on screen." }
        let end = record.end.map { "it ended: \(Story.words($0))" } ?? "it was still on screen at the end of the run"
        var lines = [
            "Ride \(record.ride): on screen for \(Format.span(record.displayedTime)), "
                + "stale for \(Format.span(record.staleTime())), "
                + "showing a stage that was over for \(Format.span(record.wrongStageTime())); "
                + "\(sentCount.counted("request", "requests")) to APNs, "
                + "\(record.retries.counted("retry", "retries")); \(end)."
        ]
        func add(_ title: String, _ time: (ActivityRecord.Cause) -> Int64) {
            lines += ActivityRecord.Cause.all.map { ($0.words, time($0)) }
                .filter { $0.1 > 0 }
                .sorted { ($1.1, $0.0) < ($0.1, $1.0) }
                .map { "  \(title) for \(Format.span($0.1)): \($0.0)" }
        }
        add("stale", record.staleTime)
        add("showing a stage that was over", record.wrongStageTime)
        return lines.joined(separator: "\n")
    }

    /// The history as a table, one line per row; ends with a newline.
    ///
    /// Offsets count from the ride's request.
    public var text: String {
        let clock = ClockTime(scenario)
        let table = TextTable(
            ["time of day", "offset:", "what happened", "server believes", "phone shows"],
            rows: rows.map { row in
                [
                    clock.exact(row.at), Story.offset(row.at - begin), row.what,
                    row.belief.map(Wording.belief) ?? Format.undefined, screen(row),
                ]
            }
        )
        return table.plain + "\n"
    }

    /// Returns seconds to the millisecond, with a sign.
    private static func offset(_ span: TimeSpan) -> String {
        let text = FixedPoint.text(Double(span.microseconds.magnitude) / 1e6, places: 3) ?? Format.undefined
        return (span < .zero ? "-" : "+") + text + " s"
    }

    /// Returns the stage on the screen, its age, and whether it is past its stale date.
    private func screen(_ row: Row) -> String {
        switch row.screen {
        case .nothing:
            return Format.undefined
        case .content(let content):
            // A timestamp in the wrong unit is in the future.
            guard content.generatedAt <= row.at else { return "content stamped in the future" }
            let age = Format.span((row.at - content.generatedAt).microseconds)
            let what = row.stage.map { "\(Wording.plain($0))," } ?? "content"
            return "\(what) \(age) old, \(row.isStale ? "stale" : "fresh")"
        }
    }
}

extension Story {
    /// Returns the first instant of the history, to the minute, that has a time of day such as `18:05` or `18:05:30`.
    public func instant(atTimeOfDay text: String) -> Instant? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int64($0) }
        guard (2...3).contains(parts.count), let hours = parts[0], let minutes = parts[1],
            let seconds = parts.count == 3 ? parts[2] : 0,
            (0..<24).contains(hours), (0..<60).contains(minutes), (0..<60).contains(seconds)
        else { return nil }
        let day: Int64 = 86_400_000_000
        let wanted = ((hours * 60 + minutes) * 60 + seconds) * 1_000_000 - scenario.clock.startsAt.microseconds
        let earliest = begin.microseconds - 60_000_000
        let days = max(0, (earliest - wanted + day - 1) / day)
        return Instant(microseconds: wanted + days * day)
    }
}
