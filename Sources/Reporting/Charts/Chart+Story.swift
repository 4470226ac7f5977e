import FreshnessCore
import LiveActivityModel
import Quantities
import TextFormats

/// Charts of one activity: the age of its screen, the server's belief, and events of pushes.
extension Chart {
    /// Returns the chart of a history; nil if the history has no screen.
    public static func story(_ story: Story) -> Chart? {
        let rows = story.rows
        guard let record = story.record, rows.contains(where: { if case .content = $0.screen { true } else { false } })
        else { return nil }
        func seconds(_ span: TimeSpan) -> JSONValue { .decimal(Double(span.microseconds) / 1e6, places: 6) }
        var age: [JSONValue] = []
        var beliefs: [JSONValue] = []
        for (row, next) in zip(rows, rows.dropFirst()) where row.at < next.at {
            let (from, until) = (seconds(row.at - story.begin), seconds(next.at - story.begin))
            if case .content(let content) = row.screen, content.generatedAt <= row.at {
                age.append([
                    "from": from, "until": until, "low": seconds(row.at - content.generatedAt),
                    "high": seconds(next.at - content.generatedAt),
                    "series": .string(row.isStale ? "past its stale date" : "fresh"),
                ])
            }
            if let belief = row.belief {
                beliefs.append(["from": from, "until": until, "series": .string(Wording.belief(belief))])
            }
        }
        let pushes = rows.filter { $0.what.hasPrefix("push (") || $0.what.hasPrefix("no answer") }
            .filter { !$0.what.hasSuffix("queued") }
            .map { row -> JSONValue in
                let kind = row.what.hasSuffix("sent to APNs") ? "sent" : row.what.hasSuffix("shown") ? "shown" : "other"
                return ["at": seconds(row.at - story.begin), "series": .string(kind)]
            }
        let last = Double(((rows.last?.at ?? story.begin) - story.begin).microseconds) / 1e6
        return Chart(
            template: "story",
            name: "activity-\(record.ride)",
            title: "Ride \(record.ride): stale for \(Format.span(record.staleTime())) of "
                + "\(Format.span(record.displayedTime)) on a screen",
            subtitle: "\(story.scenario.name), seed \(story.scenario.seed)",
            [
                "age": .array(age), "beliefs": .array(beliefs), "pushes": .array(pushes),
                "end": .decimal(max(last, 1), places: 3),
            ]
        )
    }
}
