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
        let end = max(.start + result.scenario.clock.duration, congestions.map(\.until).max() ?? .start)
        let steps = TimeSteps(result, atMost: largestStepCount).steps.filter { $0.from < end }
            .map { SenderStep($0, of: result) }
        let most = result.total.senderCourse.mostStreams
        let streams = load(
            result,
            steps,
            name: "streams",
            title:
                "At most \(Format.count(most)) of \(Format.count(limit)) \(limit == 1 ? "stream" : "streams") in use",
            label: "streams in use",
            limit: (limit, "limit: \(Format.count(limit))"),
            mean: \.meanStreams,
            peak: \.mostStreams
        )
        guard !congestions.isEmpty else { return [streams] }
        let queueLimit = result.scenario.sender.queueLimit.map { Int64($0) * Int64(result.scenario.cells) }
        let longest = result.total.senderCourse.mostQueued
        let queue = load(
            result,
            steps,
            name: "queue",
            title: "At most \(Congestion.pushes(longest)) in the senders' queue",
            label: "pushes in the queue",
            // A limit far above the queue would flatten the curve.
            limit: queueLimit.flatMap { $0 <= 3 * longest ? ($0, "limit: \(Format.count($0))") : nil },
            mean: \.meanQueued,
            peak: \.mostQueued
        )
        return [streams, queue]
    }

    /// Returns a mean and a peak in steps, with a limit.
    private static func load(
        _ result: RunResult,
        _ steps: [SenderStep],
        name: String,
        title: String,
        label: String,
        limit: (value: Int64, words: String)?,
        mean: (SenderStep) -> Double,
        peak: (SenderStep) -> Int64
    ) -> Chart {
        let clock = ClockTime(result.scenario)
        let names = ["mean of a step", "peak"]
        let moments = steps.map { (at: $0.step.from, load: $0) } + steps.suffix(1).map { (at: $0.step.until, load: $0) }
        let rows = moments.flatMap { moment in
            zip(names, [Double(peak(moment.load)), mean(moment.load)].reversed())
                .map { row(at: .integer(clock.axisMilliseconds(moment.at)), $0, $1, as: "count") }
        }
        let most = steps.map { Double(peak($0)) }.max() ?? 1
        let limits = limit.map { limit -> [JSONValue] in
            let end = steps.last?.step.until ?? .start
            return [
                [
                    "count": .integer(limit.value), "limit": .string(limit.words),
                    "from": .integer(clock.axisMilliseconds(end)),
                ]
            ]
        }
        return Chart(
            template: "capacity",
            name: name,
            title: title,
            subtitle: subtitle(result, steps.map(\.step)),
            [
                "rows": .array(rows), "limits": .array(limits ?? []), "label": .string(label),
                "domain": domain(0, 1.1 * max(most, Double(limit?.value ?? 1)), places: 3),
            ],
            day(result, steps.map(\.step)),
            series([(names[1], .skyBlue), (names[0], .blue)])
        )
    }

    /// The streams of all connections of all cells.
    static func streamLimit(_ scenario: Scenario) -> Int64 {
        Int64(scenario.sender.connections) * Int64(scenario.sender.streams) * Int64(scenario.cells)
    }
}
