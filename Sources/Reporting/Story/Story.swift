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
    /// - Parameter record: What is known of the activity in the end; without it there is no verdict.
    public init(_ lines: [StoryLine], of scenario: Scenario, record: ActivityRecord? = nil) {
        self.scenario = scenario
        self.record = record
        begin = lines.first { $0.happening == .requested }?.at ?? lines.first?.at ?? .start
        sentCount = lines.count { if case .sent = $0.happening { true } else { false } }
        end = lines.last?.at
        rows = told(lines)
        addFaults()
    }

    /// The lines, and between them the instants at which screens went stale by the mere passing of time.
    private func told(_ lines: [StoryLine]) -> [Row] {
        var rows: [Row] = []
        for (index, line) in lines.enumerated() {
            rows.append(Row(at: line.at, what: what(line.happening), belief: line.belief, screen: line.screen))
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
                    row.belief.map(Wording.belief) ?? Format.undefined, Story.screen(row.screen, at: row.at),
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

    /// How old the content on the screen is, and whether it is past its stale date.
    private static func screen(_ screen: StoryLine.Screen, at instant: Instant) -> String {
        switch screen {
        case .nothing:
            return Format.undefined
        case .content(let content):
            // A timestamp in the wrong unit lies in the future.
            guard content.generatedAt <= instant else { return "content stamped in the future" }
            let age = Format.span((instant - content.generatedAt).microseconds)
            return "content \(age) old, \(instant < content.staleDate ? "fresh" : "stale")"
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
