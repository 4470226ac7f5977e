import Evaluation
import LiveActivityModel
import Quantities
import TextFormats

/// Charts of the senders' load over the time of day, with the limits.
extension Chart {
    /// Returns the charts of a run whose senders had a queue for long, or used at least half of their streams at a time.
    static func capacity(_ result: RunResult, _ congestions: [Congestion]) -> [Chart] {
        let limit = streamLimit(result.scenario)
        let isNear = 2 * result.total.senderCourse.mostStreams >= limit
        guard isNear || !congestions.isEmpty else { return [] }
        let course = CapacityCourse(result, congestions)
        let streams = course.chart(.streams(of: result), on: course.stretch)
        return congestions.isEmpty ? [streams] : [streams, course.chart(.queue(of: result), on: course.stretch)]
    }

    /// Returns the charts of several runs, run by run: each quantity with a limit of its own, on one pair of axes.
    static func capacity(sideBySide results: [RunResult]) -> [[Chart]] {
        let courses = results.map { CapacityCourse($0, Congestion.all(in: $0)) }
        let quantities = results.map(CapacityQuantity.all)
        let from = courses.map(\.stretch.lowerBound).min() ?? .start
        let until = courses.map(\.stretch.upperBound).max() ?? .start
        return zip(courses, quantities)
            .map { course, own in
                own.map { quantity in
                    let most = zip(courses, quantities)
                        .flatMap { course, all in
                            all.filter { $0.name == quantity.name }.map { course.most(of: $0) }
                        }
                    let limits = quantities.flatMap(\.self)
                        .filter { $0.name == quantity.name }
                        .compactMap(\.limit?.value)
                    return course.chart(quantity, on: from..<until, most: most.max(), limits: limits)
                }
            }
    }

    /// The streams of all connections of all cells.
    static func streamLimit(_ scenario: Scenario) -> Int64 {
        Int64(scenario.sender.connections) * Int64(scenario.sender.streams) * Int64(scenario.cells)
    }
}

/// A quantity of the senders' load over time, with its limit.
private struct CapacityQuantity {
    /// The name of its chart.
    let name: String
    let title: String
    /// The title of its axis.
    let label: String
    var limit: (value: Double, words: String)?
    /// `true` if the chart of a single run shows the limit even if it is far above the curve.
    var alwaysShowsLimit = false
    /// `true` if a scenario can set a limit.
    var canHaveLimit = true
    /// Its series, in the order of drawing; the legend has the reverse order.
    let series: [(name: String, colour: Chart.Colour, value: (SenderStep) -> Double?)]

    /// The quantities of a run that have a meaning in its scenario.
    static func all(of result: RunResult) -> [CapacityQuantity] {
        [streams(of: result), queue(of: result), wait(of: result), requests(of: result)] + budgets(of: result)
    }

    static func streams(of result: RunResult) -> CapacityQuantity {
        let (most, limit) = (result.total.senderCourse.mostStreams, Chart.streamLimit(result.scenario))
        return CapacityQuantity(
            name: "streams",
            title:
                "At most \(Format.count(most)) of \(Format.count(limit)) \(limit == 1 ? "stream" : "streams") in use",
            label: "streams in use",
            limit: (Double(limit), "limit: \(Format.count(limit))"),
            alwaysShowsLimit: true,
            series: levels(mean: \.meanStreams, peak: \.mostStreams)
        )
    }

    static func queue(of result: RunResult) -> CapacityQuantity {
        let limit = result.scenario.sender.queueLimit.map { Int64($0) * Int64(result.scenario.cells) }
        return CapacityQuantity(
            name: "queue",
            title: "At most \(Congestion.pushes(result.total.senderCourse.mostQueued)) in the senders' queue",
            label: "pushes in the queue",
            limit: limit.map { (Double($0), "limit: \(Format.count($0))") },
            series: levels(mean: \.meanQueued, peak: \.mostQueued)
        )
    }

    private static func levels(
        mean: @escaping (SenderStep) -> Double,
        peak: @escaping (SenderStep) -> Int64
    ) -> [(name: String, colour: Chart.Colour, value: (SenderStep) -> Double?)] {
        [("mean of a step", .blue, mean), ("peak", .skyBlue, { Double(peak($0)) })]
    }

    private static func wait(of result: RunResult) -> CapacityQuantity {
        let windows = 0..<result.total.series.windowCount
        func p99(_ windows: Range<Int>) -> Int64? { result.total.waits(in: windows).quantile(0.99) }
        return CapacityQuantity(
            name: "wait",
            title: "p99 wait: \(Format.span(p99(windows).map(Double.init))) over the whole run, "
                + "\(Format.span(windows.compactMap { p99($0..<$0 + 1) }.max().map(Double.init))) in the worst window",
            label: "p99 wait [s]",
            canHaveLimit: false,
            series: [("p99 of a step", .blue, { $0.waitP99.map { Double($0) / 1e6 } })]
        )
    }

    private static func requests(of result: RunResult) -> CapacityQuantity {
        let limit = result.scenario.sender.rateLimit.map { $0.perSecond * Double(result.scenario.cells) }
        return CapacityQuantity(
            name: "requests",
            title: "At most \(Format.count(result.total.senderCourse.mostRequests(inSeconds: 1))) requests in a second",
            label: "requests a second",
            limit: limit.map { ($0, "rate limit: \(Format.rate($0)) a second") },
            series: [("mean of a step", .blue, \.requestsPerSecond)]
        )
    }

    /// The tokens of the retry budgets: those taken, and the retries that found none.
    private static func budgets(of result: RunResult) -> [CapacityQuantity] {
        let scenario = result.scenario
        func quantity(
            _ name: String,
            _ whose: String,
            _ budget: Scenario.Budget?,
            made: @escaping (SenderStep) -> Int64,
            withheld column: SeriesColumn
        ) -> CapacityQuantity? {
            guard let budget else { return nil }
            let refill = budget.perSecond * Double(scenario.cells)
            let withheld = result.perReplication(result.total.series.total(column))
            return CapacityQuantity(
                name: name,
                title: "\(whose) retry budget withheld \(Format.count(mean: withheld)) \(name)"
                    + (result.replications > 1 ? " per replication" : ""),
                label: "retry tokens a second",
                // Tokens that come with pushes have no constant rate.
                limit: budget.perPush > 0 || refill == 0 ? nil : (refill, "refill: \(Format.rate(refill)) a second"),
                series: [
                    ("missing", .orange, { $0.perSecond($0.step[column]) }),
                    ("taken", .blue, { $0.perSecond(made($0)) }),
                ]
            )
        }
        return [
            quantity(
                "retries",
                "The monitor's",
                scenario.monitor.enabled ? scenario.monitor.retry.budget : nil,
                made: { $0.step[.retriesDecided] - $0.step[.retriesWithheld] },
                withheld: .retriesWithheld
            ),
            quantity(
                "repeats",
                "The sender's",
                scenario.sender.retryBudget,
                made: { $0.step[.repeatsSent] },
                withheld: .repeatsWithheld
            ),
        ]
        .compactMap(\.self)
    }
}

/// The load on the senders of a run in steps.
private struct CapacityCourse {
    private let result: RunResult
    private let steps: [SenderStep]
    /// The time from the first step to the last.
    let stretch: Range<Instant>

    /// Divides a run into steps, until rides have arrived and the queue is empty.
    init(_ result: RunResult, _ congestions: [Congestion]) {
        self.result = result
        let end = max(.start + result.scenario.clock.duration, congestions.map(\.until).max() ?? .start)
        let steps = TimeSteps(result, atMost: Chart.largestStepCount).steps.filter { $0.from < end }
        stretch = (steps.first?.from ?? .start)..<(steps.last?.until ?? .start)
        self.steps = steps.map { SenderStep($0, of: result) }
    }

    /// Returns the largest value of a quantity.
    func most(of quantity: CapacityQuantity) -> Double {
        steps.flatMap { step in quantity.series.compactMap { $0.value(step) } }.max() ?? 0
    }

    /// Returns the chart of a quantity.
    ///
    /// - Parameters:
    ///   - stretch: The time axis.
    ///   - most: The largest value to show, if another chart has the same axis.
    ///   - limits: The limits of all charts with the same axis.
    func chart(
        _ quantity: CapacityQuantity,
        on stretch: Range<Instant>,
        most: Double? = nil,
        limits: [Double]? = nil
    ) -> Chart {
        let clock = ClockTime(result.scenario)
        let moments = steps.map { (at: $0.step.from, load: $0) } + steps.suffix(1).map { (at: $0.step.until, load: $0) }
        let rows = moments.flatMap { moment in
            quantity.series.map { series in
                Chart.row(
                    at: .integer(clock.axisMilliseconds(moment.at)),
                    series.name,
                    series.value(moment.load),
                    as: "count"
                )
            }
        }
        let most = most ?? self.most(of: quantity)
        // A limit far above the curve would flatten it.
        func isDrawn(_ limit: Double) -> Bool { quantity.alwaysShowsLimit && limits == nil || limit <= 3 * most }
        let drawn = (limits ?? [quantity.limit?.value].compactMap(\.self)).filter(isDrawn)
        let limit = quantity.limit.flatMap { isDrawn($0.value) ? $0 : nil }
        let isAbove = limits != nil && limit == nil && quantity.canHaveLimit
        return Chart(
            template: "capacity",
            name: quantity.name,
            title: quantity.title,
            subtitle: Chart.subtitle(result, steps.map(\.step))
                + (isAbove ? quantity.limit.map { "; \($0.words), above the axis" } ?? "; no limit" : ""),
            [
                "rows": .array(rows),
                "limits": .array(
                    limit.map { limit in
                        [
                            [
                                "count": Int64(exactly: limit.value).map { .integer($0) }
                                    ?? .decimal(limit.value, places: 3),
                                "limit": .string(limit.words),
                                "from": .integer(clock.axisMilliseconds(stretch.upperBound)),
                            ]
                        ]
                    } ?? []
                ),
                "label": .string(quantity.label),
                "domain": Chart.domain(0, 1.1 * max(most, drawn.max() ?? (most > 0 ? 0 : 1)), places: 3),
            ],
            Chart.day(result.scenario, stretch),
            Chart.series(quantity.series.reversed().map { ($0.name, $0.colour) })
        )
    }
}
