import FreshnessCore
public import LiveActivityModel
import Quantities

/// The story of one activity as a text: what happened and when, what the server then believed and what the phone showed.
///
/// No token and no payload is in it; the model has neither.
public struct Story: Sendable {
    private let lines: [StoryLine]
    let scenario: Scenario

    /// A story told by a run of a scenario.
    public init(_ lines: [StoryLine], of scenario: Scenario) {
        self.lines = lines
        self.scenario = scenario
    }

    /// A line for each thing that happened, below a line of titles; ends with a newline.
    ///
    /// The offset counts from the ride's request, or from the first line where the story does not tell of that.
    public var text: String {
        let begin = lines.first { $0.happening == .requested }?.at ?? lines.first?.at ?? .start
        let clock = ClockTime(scenario)
        var table = TextTable(
            [
                ("time of day", .left), ("offset", .right), ("what happened", .left), ("server believes", .left),
                ("phone shows", .left),
            ]
        )
        for line in lines {
            table.add(
                clock.exact(line.at),
                Story.offset(line.at - begin),
                what(line.happening),
                line.belief.map(Wording.belief) ?? Prose.undefined,
                Story.screen(line.screen, at: line.at)
            )
        }
        return table.plain + "\n"
    }

    /// Seconds to the millisecond, with a sign.
    private static func offset(_ span: TimeSpan) -> String {
        let text = FixedPoint.text(Double(span.microseconds.magnitude) / 1e6, places: 3) ?? Prose.undefined
        return (span < .zero ? "-" : "+") + text + " s"
    }

    /// How old the content on the screen is, and whether it is past its stale date.
    private static func screen(_ screen: StoryLine.Screen, at instant: Instant) -> String {
        switch screen {
        case .nothing:
            return Prose.undefined
        case .content(let content):
            // A timestamp in the wrong unit lies in the future.
            guard content.generatedAt <= instant else { return "content stamped in the future" }
            let age = Prose.span((instant - content.generatedAt).microseconds)
            return "content \(age) old, \(instant < content.staleDate ? "fresh" : "stale")"
        }
    }
}
