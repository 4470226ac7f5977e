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
        func time(_ field: String, title: String?) -> JSONValue {
            quantity(
                field,
                axis: title.map { ["title": .string($0)] } ?? .null,
                scale: ["domain": [0, .decimal(max(last, 1), places: 3)], "nice": false]
            )
        }
        func colours(_ colours: [(name: String, colour: Colour)], _ title: String) -> JSONValue {
            series(colours.map { ($0.name, $0.colour.json) }, legend: ["title": .string(title), "orient": "right"])
        }
        let screen: JSONValue = [
            "width": .integer(width - 60), "height": 200,
            "data": ["values": .array(age)],
            "mark": ["type": "rule", "strokeWidth": 2],
            "encoding": [
                "x": time("from", title: nil), "x2": ["field": "until"],
                "y": quantity("low", axis: ["title": "age of the screen [s]"]), "y2": ["field": "high"],
                "color": colours([("fresh", .blue), ("past its stale date", .vermillion)], "screen"),
            ],
        ]
        let belief: JSONValue = [
            "width": .integer(width - 60), "height": 16,
            "data": ["values": .array(beliefs)],
            "mark": ["type": "bar", "height": 12],
            "encoding": [
                "x": time("from", title: nil), "x2": ["field": "until"],
                "color": colours(
                    [("fresh", .skyBlue), ("recoverable", .orange), ("severe", .black)],
                    "server believes"
                ),
            ],
        ]
        let marks: JSONValue = [
            "width": .integer(width - 60), "height": 36,
            "data": ["values": .array(pushes)],
            "mark": ["type": "tick", "thickness": 2],
            "encoding": [
                "x": time("at", title: "seconds after the ride's request"),
                "y": [
                    "field": "series", "type": "nominal", "sort": ["sent", "shown", "other"], "axis": ["title": .null],
                ],
                "color": colours([("sent", .grey), ("shown", .bluishGreen), ("other", .vermillion)], "pushes"),
            ],
        ]
        return Chart(
            name: "activity-\(record.ride)",
            title: "Ride \(record.ride): stale for \(Format.span(record.staleTime())) of "
                + "\(Format.span(record.displayedTime)) on a screen",
            subtitle: "\(story.scenario.name), seed \(story.scenario.seed)",
            titleFrame: "bounds",
            body: ["spacing": 10, "vconcat": [screen, belief, marks], "resolve": ["scale": ["color": "independent"]]]
        )
    }
}
