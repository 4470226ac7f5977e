import FreshnessCore
public import LiveActivityModel
public import Quantities
import TextFormats

/// The story of one activity: what came of it, what happened and when, what the server then believed and what the phone
/// showed.
///
/// No token and no payload is in it; the model has neither.
public struct Story: Sendable {
    /// One row: something that happened to the activity, or around it.
    struct Row: Sendable {
        let at: Instant
        /// What happened, in plain words.
        let what: String
        /// What the server believes afterwards; nil where it watches nothing.
        let belief: FreshnessClass?
        /// What the phone shows afterwards.
        let screen: StoryLine.Screen
        /// The stage that the phone shows afterwards, by its name; nil where it shows nothing.
        var stage: String?

        /// Whether the phone shows content past its stale date.
        var isStale: Bool {
            guard case .content(let content) = screen else { return false }
            return at >= content.staleDate
        }
    }

    /// All rows, in the order of time.
    private(set) var rows: [Row] = []
    /// When the ride was requested; where the story does not tell of that, when it begins.
    public let begin: Instant
    let scenario: Scenario
    let record: ActivityRecord?
    let sentCount: Int
    /// When the last happened that is told; nil where nothing is.
    private let end: Instant?

    /// A story told by a run of a scenario.
    ///
    /// - Parameters:
    ///   - record: What is known of the activity in the end; without it there is no verdict.
    ///   - connections: When its phone lost its connection and had it again.
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

    /// The story of the ride for which a cell was watched and searched, with the changes of its phone's connection.
    public init(ofRide ride: UInt64, in cell: inout CellSimulation, of scenario: Scenario) {
        let lines = cell.story
        var connections: [CellSimulation.ConnectionChange] = []
        if let request = lines.first(where: { $0.happening == .requested })?.at, let last = lines.last?.at {
            connections = cell.connectionChanges(ofRide: ride, requestedAt: request, through: last)
        }
        self.init(lines, of: scenario, record: cell.search?.found.first, connections: connections)
    }

    /// The lines of events that happen at another time than the line states: a push expires later, and was replaced when APNs
    /// stored the newer one.
    private static func movedLines(_ lines: [StoryLine]) -> [(line: StoryLine, at: Instant)] {
        // Pushes that APNs kept or would have kept, in their order; with when they would reach the phone.
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

    /// Names the stage that each row's screen shows: that of the ride when its content was generated.
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

    /// The lines, and between them the instants at which screens went stale by the mere passing of time.
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

    /// Adds when faults begin and end while the story goes on; of those that go on already, that they do.
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

    /// Adds a row that changes nothing, before what happens at the same instant.
    private mutating func add(_ what: String, at instant: Instant) {
        let place = rows.firstIndex { $0.at >= instant } ?? rows.count
        let before = place > 0 ? rows[place - 1] : nil
        rows.insert(Row(at: instant, what: what, belief: before?.belief, screen: before?.screen ?? .nothing), at: place)
    }

    // MARK: - A part of it

    /// Whether nothing is told.
    public var isEmpty: Bool { rows.isEmpty }

    /// Keeps the rows at which the screen is stale, and those that end it.
    public mutating func keepStale() {
        let all = rows
        rows = all.indices.filter { all[$0].isStale || $0 > 0 && all[$0 - 1].isStale }.map { all[$0] }
    }

    /// Keeps the rows near an instant.
    public mutating func keep(around instant: Instant, within span: TimeSpan) {
        rows.removeAll { $0.at + span < instant || instant + span < $0.at }
    }

    /// From when to when the whole story goes, as `18:01:02.500 to 18:20:00.000`.
    public var times: String {
        let clock = ClockTime(scenario)
        return "\(clock.exact(begin)) to \(clock.exact(end ?? begin))"
    }

    // MARK: - As a text

    /// What came of the activity: in one sentence, and the causes of what was wrong below it, the longest first.
    public var verdict: String? {
        guard let record else {
            let measuredFrom = Instant.start + scenario.clock.warmUp
            guard let end, end < measuredFrom else { return nil }
            return "It was over before measuring began at \(ClockTime(scenario).short(measuredFrom)), "
                + "so nothing of it is in the results."
        }
        guard record.displayedTime > 0 else { return "Ride \(record.ride) had no activity on a screen." }
        let end = record.end.map { "it ended: \(Story.words($0))" } ?? "it was there still at the end of the run"
        var lines = [
            "Ride \(record.ride): on a screen for \(Format.span(record.displayedTime)), "
                + "stale for \(Format.span(record.staleTime())) of it, "
                + "in a stage that was over for \(Format.span(record.wrongStageTime())); "
                + "\(Format.counted(sentCount, "request", "requests")) to APNs, "
                + "\(Format.counted(record.retries, "retry", "retries")); \(end)."
        ]
        func add(_ title: String, _ time: (ActivityRecord.Cause) -> Int64) {
            lines += ActivityRecord.Cause.all.map { ($0.words, time($0)) }
                .filter { $0.1 > 0 }
                .sorted { ($1.1, $0.0) < ($0.1, $1.0) }
                .map { "  \(title) for \(Format.span($0.1)): \($0.0)" }
        }
        add("stale", record.staleTime)
        add("in a stage that was over", record.wrongStageTime)
        return lines.joined(separator: "\n")
    }

    /// A line for each row, below a line of titles; ends with a newline.
    ///
    /// The offset counts from the ride's request.
    public var text: String {
        let clock = ClockTime(scenario)
        let table = TextTable(
            [
                ("time of day", .left), ("offset", .right), ("what happened", .left), ("server believes", .left),
                ("phone shows", .left),
            ],
            rows: rows.map { row in
                [
                    clock.exact(row.at), Story.offset(row.at - begin), row.what,
                    row.belief.map(Wording.belief) ?? Format.undefined, screen(row),
                ]
            }
        )
        return table.plain + "\n"
    }

    /// Seconds to the millisecond, with a sign.
    private static func offset(_ span: TimeSpan) -> String {
        let text = FixedPoint.text(Double(span.microseconds.magnitude) / 1e6, places: 3) ?? Format.undefined
        return (span < .zero ? "-" : "+") + text + " s"
    }

    /// The stage on the screen, how old it is, and whether it is past its stale date.
    private func screen(_ row: Row) -> String {
        switch row.screen {
        case .nothing:
            return Format.undefined
        case .content(let content):
            // A timestamp in the wrong unit lies in the future.
            guard content.generatedAt <= row.at else { return "content stamped in the future" }
            let age = Format.span((row.at - content.generatedAt).microseconds)
            let what = row.stage.map { "\(Wording.plain($0))," } ?? "content"
            return "\(what) \(age) old, \(row.isStale ? "stale" : "fresh")"
        }
    }
}

extension Story {
    /// The first instant from the story's beginning on, to the minute, that has a time of day as `18:05` or `18:05:30`.
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
