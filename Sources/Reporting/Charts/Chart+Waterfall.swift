public import Evaluation
import TextFormats

/// The stale share of all screen time, cause by cause.
extension Chart {
    /// The maximum number of causes; the others are combined into one step, so that the largest stay readable.
    private static let mostSteps = 8

    /// Returns a waterfall of stale time; nil for a run without any.
    public static func waterfall(_ result: RunResult) -> Chart? {
        let stale = StaleTime(result)
        guard stale.whole > 0, let largest = stale.causes.first else { return nil }
        var steps = stale.causes.prefix(mostSteps)
            .map { (words: $0.words, time: $0.time, colour: $0.isAfterRide ? Colour.grey : Colour.vermillion) }
        let rest = stale.causes.dropFirst(mostSteps).reduce(0) { $0 + $1.time }
        if rest > 0 { steps.append((words: "all other causes", time: rest, colour: .skyBlue)) }
        var left = 100.0
        let rows = steps.map { step -> JSONValue in
            let points = Double(step.time) / Double(stale.displayed) * 100
            defer { left -= points }
            return [
                "cause": .string(step.words), "label": .string(Format.percent(step.time, of: stale.displayed)),
                "high": .decimal(left, places: 6), "low": .decimal(left - points, places: 6),
                "colour": step.colour.json,
            ]
        }
        // Room for the labels to the left of the bars.
        let span = 100 - left
        return Chart(
            template: "waterfall",
            name: "stale-causes",
            title: "Most stale time: \(largest.words)",
            subtitle: subtitle(result) + "; grey: after the ride; the rest, "
                + "\(Format.percent(stale.displayed - stale.whole, of: stale.displayed)), was fresh",
            ["rows": .array(rows), "domain": domain(left - span * 0.3, 100)]
        )
    }
}
