public import Evaluation
public import Quantities
import Results
import TextFormats

/// The state of a real-time test while it runs, for pages and metrics.
///
/// Its results are those of a test that ended now, from the same measurements.
public struct LoadSnapshot: Sendable {
    /// The stage of a test.
    public enum Stage: String, Sendable {
        /// The test begins new work.
        case running
        /// The test waits for the last answers.
        case draining
    }

    /// The progress of a test.
    public struct Progress: Hashable, Sendable {
        public var stage: Stage
        /// The time since the beginning, by the clock.
        public var elapsed: TimeSpan
        /// The planned duration, by the clock; nil if no end is planned.
        public var planned: TimeSpan?
        /// The number of requests without an answer; nil if unknown.
        public var inFlight: Int?
        /// The number of requests that wait to be sent; nil if unknown.
        public var waiting: Int?

        /// The waits so far of requests without an answer; empty if unknown.
        public var waits: [Wait] = []

        /// The number of requests that are due and have no answer yet, if known.
        var unanswered: Int { (inFlight ?? 0) + (waiting ?? 0) }

        /// Creates the progress of a test.
        public init(
            stage: Stage,
            elapsed: TimeSpan,
            planned: TimeSpan?,
            inFlight: Int? = nil,
            waiting: Int? = nil
        ) {
            self.stage = stage
            self.elapsed = elapsed
            self.planned = planned
            self.inFlight = inFlight
            self.waiting = waiting
        }
    }

    /// A number of requests without an answer that have waited for a time since they were due [µs].
    public struct Wait: Hashable, Sendable {
        public let time: Int64
        public let count: Int

        /// Creates the wait of some requests.
        public init(time: Int64, count: Int) { (self.time, self.count) = (time, count) }
    }

    public var progress: Progress
    /// The results so far, from which thresholds and checks are evaluated.
    public var results: LoadReport
    /// The samples of freshness on screens and in belief; empty if unknown.
    public var glances: FreshnessGlances
    /// The scenario's duration in its own time, which the samples use too; nil without a scenario.
    public var scenarioTime: TimeSpan?
    /// The scenario's faults, in its own time.
    public var faults: [FaultSpan]

    /// Creates a snapshot.
    ///
    /// The unfinished second is left out of the time series, because its requests are not answered yet.
    public init(
        _ progress: Progress,
        _ results: LoadReport,
        glances: FreshnessGlances = FreshnessGlances(),
        scenarioTime: TimeSpan? = nil,
        faults: [FaultSpan] = []
    ) {
        self.progress = progress
        self.results = results
        self.glances = glances
        self.scenarioTime = scenarioTime
        self.faults = faults
        self.results.leaveUndecided(by: progress)
        self.results.boundCourse(during: progress)
        // The counts include the unfinished second, as the table of answers beside them does.
        let totals = results.course?.totals
        self.results.course?.counted = totals
        guard progress.stage == .running, let windows = self.results.course?.windows else { return }
        self.results.course?.windows = windows.filter { $0.start + $0.length < progress.elapsed.microseconds }
        // If the windows do not reach back to the beginning, the axis does not either.
        let start = TimeSpan(microseconds: windows.first?.start ?? 0)
        let end = Self.axisEnd(progress.elapsed - start, planned: progress.planned.map { $0 - start })
        self.results.course?.until = (start + end).microseconds
    }

    /// Returns the end of a time axis: far enough ahead to stay for a while, but within the plan.
    ///
    /// A chart whose axis stays the same is updated instead of drawn again.
    static func axisEnd(_ elapsed: TimeSpan, planned: TimeSpan?) -> TimeSpan {
        var end = TimeSpan.seconds(30)
        // 30 s, 1 min, 2 min, 4 min …
        while end <= elapsed { end = end * 2 }
        return planned.map { min($0, end) } ?? end
    }
}

extension LoadSnapshot.Progress {
    /// Returns the wait so far of the request with a rank among those without an answer, the shortest wait first [µs].
    ///
    /// - Parameter givenUp: The requests that were given up, with the shortest of their waits; nil for none.
    public func wait(ofRank rank: Int, besides givenUp: LoadSnapshot.Wait?) -> Int64 {
        var (left, longest) = (rank, Int64(0))
        for wait in (waits + [givenUp].compactMap(\.self)).sorted(by: { $0.time < $1.time }) where left > 0 {
            (left, longest) = (left - wait.count, wait.time)
        }
        return longest
    }
}

// MARK: - For a page

extension LoadSnapshot {
    /// The message to a page: one JSON object on one line.
    public var message: String {
        let left = progress.planned.map { max(.zero, $0 - progress.elapsed) }
        var members: [String: JSONValue] = [
            "stage": .string(progress.stage.rawValue),
            "elapsed_us": .integer(progress.elapsed.microseconds),
            "elapsed": .string(Format.span(Self.whole(progress.elapsed))),
            "tiles": .array(tiles.map(\.json)),
            "checks": .array(results.outcomes.map(Self.json)),
            "outcomes": .array(answers.map { ["name": .string($0.name), "count": .integer($0.count)] }),
            "charts": .array(charts.map { ["name": .string($0.name), "specification": $0.specification] }),
            "settings": .array(
                results.allSettings.filter { !$0.value.isEmpty }
                    .map { ["name": .string($0.name), "value": .string($0.value)] }
            ),
        ]
        members["planned_us"] = progress.planned.map { .integer($0.microseconds) }
        members["planned"] = progress.planned.map { .string(Format.span($0.microseconds)) }
        members["left"] = left.map { .string(Format.span(Self.whole($0))) }
        members["warning"] = (results.lateness?.warning).map { .string($0) }
        members["ended_early"] = results.earlyEnd.map { .string($0.announcement) }
        return JSONValue.object(members).oneLine
    }

    /// Returns a duration truncated to whole seconds [µs], as a clock shows it.
    static func whole(_ span: TimeSpan) -> Int64 { span.microseconds / 1_000_000 * 1_000_000 }

    /// A headline number of the page.
    struct Tile: Hashable, Sendable {
        var label: String
        var value: String
        var detail: String

        fileprivate var json: JSONValue {
            ["label": .string(label), "value": .string(value), "detail": .string(detail)]
        }
    }

    var tiles: [Tile] {
        var tiles: [Tile] = []
        if let screens = glances.last?.screens {
            tiles.append(
                Tile(
                    label: "fresh on phones now",
                    value: Format.percent(glances.last?.freshOnScreens),
                    detail: (screens.duringRides > 0
                        ? "of \(Format.count(Int64(screens.duringRides))) during rides; " : "no ride is on screen; ")
                        + "\(Format.count(Int64(screens.leftBehind))) left behind after their rides"
                )
            )
        }
        if let belief = glances.last?.belief {
            tiles.append(
                Tile(
                    label: "believed fresh now",
                    value: Format.percent(glances.last?.freshInBelief),
                    detail: belief.watched > 0
                        ? "of \(Format.count(Int64(belief.watched))) watched; "
                            + "\(Format.count(Int64(belief.recoverable))) stale but recoverable, "
                            + "\(Format.count(Int64(belief.severe))) severely stale" : "nothing is watched"
                )
            )
        }
        if let age = row("age_of_information_us", "mean") {
            tiles.append(
                Tile(
                    label: "mean age on screens so far",
                    value: Format.span(age),
                    detail: row("age_of_information_us", "p95").map { "95 % of the time below \(Format.span($0))" }
                        ?? ""
                )
            )
        }
        return tiles + courseTiles
    }

    private var courseTiles: [Tile] {
        guard let course = results.course else { return [] }
        var tiles: [Tile] = []
        // After the end of the load only answers come, and fewer each second. The load's last second is the one to
        // show.
        let end = progress.stage == .draining ? results.earlyEnd?.ran ?? progress.planned : nil
        let last = course.windows.last { window in end.map { window.start < $0.microseconds } ?? true }
        let lastSecond =
            "the last \(Self.second(last?.length ?? 1))" + (progress.stage == .draining ? " of the load" : "")
        func rate(_ count: Int) -> String {
            Format.rate(Double(count) * 1e6 / Double(max(1, last?.length ?? 1))) + "/s"
        }
        tiles.append(
            Tile(
                label: "\(course.items) \(course.done)",
                value: last.map { rate($0.done) } ?? Format.undefined,
                detail: last.map { last in
                    (last.asked.map { "\(rate($0)) requested; " } ?? "") + "in \(lastSecond)"
                } ?? "the first second is not over yet"
            )
        )
        if let unanswered = course.unanswered, let bound = unanswered.bound {
            let (missing, all) = (Format.count(Int64(unanswered.missing)), Format.count(Int64(unanswered.all)))
            tiles.append(
                Tile(
                    label: "p99 latency so far",
                    value: "≥ \(Format.span(bound))",
                    detail: "\(missing) of \(all) \(course.items) have no answer"
                        + (course.percentile99.map { "; p99 of \(course.done) \(course.items): \(Format.span($0))" }
                            ?? "")
                )
            )
        } else if course.percentile99 != nil || last?.latency != nil {
            tiles.append(
                Tile(
                    label: "99 % of \(course.done) \(course.items) took at most",
                    value: Format.span(last?.latency?.percentile99 ?? course.percentile99),
                    detail: (last?.latency
                        .map {
                            "median \(Format.span($0.median)); in \(lastSecond), without those not \(course.done) yet; "
                                + "\(Format.span(course.percentile99)) over the whole load so far"
                        } ?? "over the whole load so far; none of \(lastSecond) are \(course.done) yet")
                        + unansweredNote
                )
            )
        }
        let totals = course.totals
        let all = totals.reduce(0, +)
        if all > 0, let hopedFor = course.outcomes.first {
            tiles.append(
                Tile(
                    label: hopedFor,
                    value: Format.percent(Int64(totals[0]), of: Int64(all)),
                    detail: Self.rest(all - totals[0], of: all, course.items) + unansweredNote
                )
            )
        }
        if let inFlight = progress.inFlight {
            tiles.append(
                Tile(
                    label: "sent, not answered yet",
                    value: Format.count(Int64(inFlight)),
                    detail: progress.waiting.map(Self.waiting) ?? ""
                )
            )
        }
        return tiles
    }

    /// The number of requests without an answer, as the end of a text, if less than 99 % of all requests are answered.
    private var unansweredNote: String {
        let answered = results.course.map { $0.totals.reduce(0, +) } ?? 0
        let isAmong = Unanswered.include(0.99, within: answered, of: answered, and: progress.unanswered)
        return isAmong ? "; \(LoadReport.withoutAnswer(progress.unanswered))" : ""
    }

    /// Returns the number of items without the desired outcome, in words.
    private static func rest(_ count: Int, of all: Int, _ items: String) -> String {
        let whole = Format.count(Int64(all))
        guard count > 0 else { return all == 1 ? "all so far" : "all \(whole) \(items) so far" }
        return "\(Format.count(Int64(count))) of \(whole) \(items) \(count == 1 ? "was" : "were") not"
    }

    /// Returns the number of requests that wait to be sent, in words.
    private static func waiting(_ count: Int) -> String {
        switch count {
        case 0: "none is waiting to be sent"
        case 1: "1 more is waiting to be sent"
        default: "\(Format.count(Int64(count))) more are waiting to be sent"
        }
    }

    /// Returns the length of a window, in words.
    private static func second(_ length: Int64) -> String {
        let seconds = max(1, (length + 500_000) / 1_000_000)
        return seconds == 1 ? "second" : "\(seconds) seconds"
    }

    /// The answers by status and reason if they are counted, the most frequent first.
    var answers: [(name: String, count: Int64)] {
        let counted = results.rows.compactMap { row -> (name: String, count: Int64)? in
            guard Self.answerMetrics.contains(row.metric), row.scope != "all", case .integer(let count)? = row.value,
                count > 0
            else { return nil }
            let words = Self.words(row.scope)
            return (row.metric == "monitor_response_count" ? Self.explained(words) : words, count)
        }
        // These are statuses of answers; a load without a network counts only rejections.
        guard !counted.contains(where: { $0.name.contains("status 2") }), let course = results.course else {
            return counted
        }
        return zip(course.outcomes, course.totals).map { ($0, Int64($1)) }.filter { $0.count > 0 }
    }

    /// Explains rejections by a monitor that are correct answers and not failures.
    private static func explained(_ words: String) -> String {
        switch words.suffix(3) {
        case "409": "\(words) (the instance is over)"
        case "404": "\(words) (the instance is not known)"
        default: words
        }
    }

    private static let answerMetrics: Set<String> = [
        "apns_response_count", "apns_response_missing_count", "monitor_response_count",
    ]

    /// Converts `request:publish;status:200` to `publish, status 200`.
    private static func words(_ scope: String) -> String {
        scope.split(separator: ";")
            .map { part -> String in
                let pair = part.split(separator: ":", maxSplits: 1)
                guard pair.count == 2 else { return String(part) }
                let value = pair[1].replacing("_", with: " ")
                return ["request", "why"].contains(pair[0]) ? String(value) : "\(pair[0]) \(value)"
            }
            .joined(separator: ", ")
    }

    /// The charts in order of display.
    var charts: [Chart] {
        let subtitle = results.name
        var charts: [Chart] = []
        let last = glances.last?.at ?? .zero
        let fresh = Chart.glances(
            glances,
            until: Self.axisEnd(last, planned: scenarioTime).microseconds,
            faults: faults,
            limits: CheckList(results.outcomes).limits(of: "displayed_fresh_time_ratio", in: ["all", "during_ride"]),
            subtitle: scenarioTime == nil ? subtitle : "\(subtitle); in the scenario's time"
        )
        if let fresh { charts.append(fresh) }
        guard let course = results.course else { return charts }
        return charts
            + Chart.charts(course, subtitle: subtitle)
            .filter { chart in
                switch chart.name {
                case "latency": course.windows.contains { $0.latency != nil }
                case "outcomes": course.totals(of: course.windows).contains { $0 > 0 }
                default: true
                }
            }
    }

    private func row(_ metric: String, _ stat: String) -> Double? {
        results.rows.row(metric, stat)?.value?.double
    }

    private static func json(_ outcome: CheckOutcome) -> JSONValue {
        [
            "name": .string(outcome.check.name), "value": .string(outcome.valueText),
            "words": .string(outcome.verdict == .undefined ? "no data yet" : outcome.words),
            "holds": .bool(outcome.holds),
            "open": .bool([.undefined, .notSure, .notMeasured].contains(outcome.verdict)),
        ]
    }
}
