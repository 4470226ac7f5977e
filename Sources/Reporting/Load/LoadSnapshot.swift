import Experiments
public import Quantities
import TextFormats

/// How a test in real time stands while it runs: what a page and metrics tell of it.
///
/// The results in it are those that it would have if it ended now, from the same measurements.
public struct LoadSnapshot: Sendable {
    /// Where a test is.
    public enum Stage: String, Sendable {
        /// New work is begun.
        case running
        /// The last answers are awaited.
        case draining
    }

    /// How far a test has come.
    public struct Progress: Hashable, Sendable {
        /// Where it is.
        public var stage: Stage
        /// How long it has been running, by the clock.
        public var elapsed: TimeSpan
        /// How long it is to run, by the clock; nil where no end is planned.
        public var planned: TimeSpan?
        /// How many requests have no answer yet; nil where that is not known.
        public var inFlight: Int?
        /// How many requests wait to be sent; nil where that is not known.
        public var waiting: Int?
        /// Whether some of those without an answer may not be sent yet, as they wait for a connection.
        public var countsUnsent = false

        /// How many requests are due and have no answer yet, as far as that is known.
        var unanswered: Int { (inFlight ?? 0) + (waiting ?? 0) }

        /// A test that is so far.
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

    /// How far it is.
    public var progress: Progress
    /// What has come of it so far; thresholds and checks are judged by this.
    public var results: LoadResults
    /// How fresh screens and belief were, look by look; empty where that is not known.
    public var glances: FreshnessGlances
    /// How long the scenario takes in its own time, which the looks count in; nil without one.
    public var scenarioTime: TimeSpan?
    /// What the scenario breaks, in its own time.
    public var faults: [FaultSpan]

    /// A snapshot.
    ///
    /// The second under way is left out of the course: what is due in it is not answered yet.
    public init(
        _ progress: Progress,
        _ results: LoadResults,
        glances: FreshnessGlances = FreshnessGlances(),
        scenarioTime: TimeSpan? = nil,
        faults: [FaultSpan] = []
    ) {
        self.progress = progress
        self.results = results
        self.glances = glances
        self.scenarioTime = scenarioTime
        self.faults = faults
        self.results.leaveUndecided(by: progress.unanswered)
        // The counts take the second under way in, as the table of answers beside them does.
        let totals = results.course?.totals
        self.results.course?.counted = totals
        guard progress.stage == .running, let windows = self.results.course?.windows else { return }
        self.results.course?.windows = windows.filter { $0.start + $0.length < progress.elapsed.microseconds }
        // Of windows that do not reach back to the beginning, the axis does not either.
        let start = TimeSpan(microseconds: windows.first?.start ?? 0)
        let end = Self.axisEnd(progress.elapsed - start, planned: progress.planned.map { $0 - start })
        self.results.course?.until = (start + end).microseconds
    }

    /// Where an axis of time ends: so far ahead that it stays for a while, and no further than the plan.
    ///
    /// A chart whose axis stays is brought up to date and need not be drawn anew.
    static func axisEnd(_ elapsed: TimeSpan, planned: TimeSpan?) -> TimeSpan {
        var end = TimeSpan.seconds(30)
        // 30 s, 1 min, 2 min, 4 min …
        while end <= elapsed { end = end * 2 }
        return planned.map { min($0, end) } ?? end
    }
}

// MARK: - As a page shows it

extension LoadSnapshot {
    /// What a page is told: one JSON object on one line.
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

    /// In whole seconds [µs], as a clock shows it.
    static func whole(_ span: TimeSpan) -> Int64 { span.microseconds / 1_000_000 * 1_000_000 }

    /// A number that the page shows first.
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
                    label: "fresh on screens now",
                    value: Format.percent(glances.last?.freshOnScreens),
                    detail: (screens.duringRides > 0
                        ? "of \(Format.count(Int64(screens.duringRides))) during rides; " : "no ride is on a screen; ")
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
        // After the end of the load answers alone come, and fewer each second: its last second says how it went.
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
                    (last.asked.map { "\(rate($0)) asked for; " } ?? "") + "in \(lastSecond)"
                } ?? "no whole second is over yet"
            )
        )
        if course.percentile99 != nil || last?.latency != nil {
            tiles.append(
                Tile(
                    label: "99 % of \(course.done) \(course.items) took at most",
                    value: Format.span(last?.latency?.percentile99 ?? course.percentile99),
                    detail: (last?.latency
                        .map {
                            "median \(Format.span($0.median)); in \(lastSecond), leaving out what is not \(course.done) yet; "
                                + "\(Format.span(course.percentile99)) over all so far"
                        } ?? "over all so far; of \(lastSecond) nothing is \(course.done) yet") + unansweredNote
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
                    label: progress.countsUnsent ? "due, not answered yet" : "sent, not answered yet",
                    value: Format.count(Int64(inFlight)),
                    detail: progress.waiting.map(Self.waiting)
                        ?? (progress.countsUnsent ? "sent, or waiting for a connection" : "")
                )
            )
        }
        return tiles
    }

    /// How many have no answer, as the end of a text, where of all requests less than 99 % are answered.
    private var unansweredNote: String {
        let answered = results.course.map { $0.totals.reduce(0, +) } ?? 0
        let isAmong = LoadResults.isAmongUnanswered(0.99, within: answered, of: answered, and: progress.unanswered)
        return isAmong ? "; \(LoadResults.withoutAnswer(progress.unanswered))" : ""
    }

    /// How many did not end as it was hoped, in words.
    private static func rest(_ count: Int, of all: Int, _ items: String) -> String {
        let whole = Format.count(Int64(all))
        guard count > 0 else { return all == 1 ? "all so far" : "all \(whole) \(items) so far" }
        return "\(Format.count(Int64(count))) of \(whole) \(items) \(count == 1 ? "was" : "were") not"
    }

    /// How many wait to be sent, in words.
    private static func waiting(_ count: Int) -> String {
        switch count {
        case 0: "none waits to be sent"
        case 1: "1 more waits to be sent"
        default: "\(Format.count(Int64(count))) more wait to be sent"
        }
    }

    /// How long a window is, in words.
    private static func second(_ length: Int64) -> String {
        let seconds = max(1, (length + 500_000) / 1_000_000)
        return seconds == 1 ? "second" : "\(seconds) seconds"
    }

    /// What became of requests, by status and reason where these are counted, most of them first.
    var answers: [(name: String, count: Int64)] {
        let counted = results.rows.compactMap { row -> (name: String, count: Int64)? in
            guard Self.answerMetrics.contains(row.metric), row.scope != "all", case .integer(let count)? = row.value,
                count > 0
            else { return nil }
            let words = Self.words(row.scope)
            return (row.metric == "monitor_response_count" ? Self.explained(words) : words, count)
        }
        // Statuses of answers; a load without a network counts refusals alone.
        guard !counted.contains(where: { $0.name.contains("status 2") }), let course = results.course else {
            return counted
        }
        return zip(course.outcomes, course.totals).map { ($0, Int64($1)) }.filter { $0.count > 0 }
    }

    /// A monitor's refusals that are no failures say what they mean: they are the right answers.
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

    /// `request:publish;status:200` as `publish, status 200`.
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

    /// The pictures, in the order of showing.
    var charts: [Chart] {
        let subtitle = results.name
        var charts: [Chart] = []
        let last = glances.last?.at ?? .zero
        let fresh = Chart.glances(
            glances,
            until: Self.axisEnd(last, planned: scenarioTime).microseconds,
            faults: faults,
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
        results.rows.first { $0.metric == metric && $0.stat == stat && $0.scope == "all" }?.value?.double
    }

    private static func json(_ check: CheckRow) -> JSONValue {
        [
            "name": .string(check.name), "value": .string(check.valueText),
            "words": .string(check.hasNoData ? "no data yet" : check.words), "holds": .bool(check.holds),
            "open": .bool([.undefined, .notSure, .notMeasured].contains(check.verdict)),
        ]
    }
}
