import Experiments
import LiveActivityModel
import Quantities
import TextFormats

/// A chart of a run as a Vega-Lite 5 specification with its data.
///
/// The same run gives the same bytes. Colours are those of Okabe and Ito ("Color Universal Design", 2008), which are
/// distinguishable with any colour vision.
public struct Chart: Hashable, Sendable {
    /// The file's name without its suffix.
    let name: String
    let specification: JSONValue

    /// The specification, as in its file.
    public var text: String { specification.text }

    /// The suffix of every chart's file name.
    static let fileSuffix = ".vl.json"

    /// The file's path within a result directory.
    var path: String { "charts/\(name)\(Chart.fileSuffix)" }

    /// The statement of the chart, in a sentence above it.
    var title: String {
        guard case .object(let members) = specification, case .object(let title)? = members["title"] else {
            return name
        }
        switch title["text"] {
        case .string(let line): return line
        case .array(let lines):
            return lines.compactMap { if case .string(let line) = $0 { line } else { nil } }.joined(separator: " ")
        default: return name
        }
    }

    /// Returns a text for Vega-Lite: one line, or a list of lines if it would exceed the width of the chart.
    private static func lines(_ text: String, longest: Int) -> JSONValue {
        var lines: [String] = []
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            if let line = lines.last, line.count + 1 + word.count <= longest {
                lines[lines.count - 1] = "\(line) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines.count > 1 ? .array(lines.map { .string($0) }) : .string(text)
    }

    /// The number of characters of a title and of a subtitle that fit above a chart.
    private static let (longestTitle, longestSubtitle) = (70, 95)

    /// The chart as a paragraph of a report: a link to its specification, which a rendered report replaces by the
    /// chart.
    var markdown: String {
        "[\(title.replacing("[", with: "(").replacing("]", with: ")"))](\(path))"
    }

    static func charts(_ result: RunResult, checks: CheckList = CheckList([])) -> [Chart] {
        [
            freshness(result, checks: checks), classes(result), pushes(result), funnel(result), age(result),
            waterfall(result),
        ]
        .compactMap(\.self) + cities(result)
    }

    /// The maximum number of steps of a time series; more would not be visible on a screen.
    static let largestStepCount = 300

    /// The width of a plot [px]: with its axis the chart is 640 px wide, at which text keeps its size.
    static let width: Int64 = 560

    /// Creates a chart with the parts that all charts have in common.
    ///
    /// - Parameters:
    ///   - title: The statement of the chart, in a sentence; a long one is broken into lines.
    ///   - subtitle: The subject, and the length of steps.
    ///   - titleFrame: The frame for the title's alignment: the plot (`group`), or the plot with its axes (`bounds`).
    init(name: String, title: String, subtitle: String, titleFrame: String = "group", body: [String: JSONValue]) {
        self.name = name
        let common: [String: JSONValue] = [
            "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
            "title": [
                "text": Chart.lines(title, longest: Chart.longestTitle),
                "subtitle": Chart.lines(subtitle, longest: Chart.longestSubtitle),
            ],
            "description": .string(subtitle.isEmpty ? "\(title)." : "\(title). \(subtitle)."),
            "background": "white",
            "padding": 10,
            "config": [
                "font": "sans-serif",
                // Reports put a text of their own on the whole chart; a text on each mark would be read aloud.
                "aria": false,
                "title": [
                    "anchor": "start", "frame": .string(titleFrame), "fontSize": 15, "color": "#333333",
                    "subtitleFontSize": 12, "subtitleColor": "#555555", "subtitlePadding": 5, "offset": 10,
                    "limit": .integer(Chart.width + 60),
                ],
                "axis": [
                    "labelFontSize": 12, "titleFontSize": 12, "labelColor": "#333333", "titleColor": "#333333",
                    "gridColor": "#E5E5E5", "labelSeparation": 6, "titleFontWeight": "normal", "titlePadding": 8,
                ],
                "legend": [
                    "labelFontSize": 12, "labelColor": "#333333", "labelLimit": 260, "titleFontSize": 12,
                    "titleColor": "#333333", "titleFontWeight": "normal", "symbolStrokeWidth": 3,
                ],
            ],
        ]
        specification = .object(common.merging(body) { $1 })
    }

    init(
        name: String,
        title: String,
        subtitle: String,
        height: Int64 = 260,
        layers: [JSONValue],
        resolve: JSONValue = [:]
    ) {
        self.init(
            name: name,
            title: title,
            subtitle: subtitle,
            body: [
                "width": .integer(Chart.width), "height": .integer(height), "layer": .array(layers),
                "resolve": resolve,
            ]
        )
    }

    /// Returns the styles of series, by name, in the order of the legend.
    static func series(
        _ looks: [(name: String, look: JSONValue)],
        legend: JSONValue = ["title": .null, "orient": "top"]
    ) -> JSONValue {
        [
            "field": "series", "type": "nominal", "legend": legend,
            "scale": ["domain": .array(looks.map { .string($0.name) }), "range": .array(looks.map(\.look))],
        ]
    }

    /// Returns the colours of series, by name, in the order of the legend.
    static func colours(_ series: [(name: String, colour: Colour)]) -> JSONValue {
        Chart.series(series.map { ($0.name, $0.colour.json) })
    }

    /// The colours of Okabe and Ito, as far as they are used.
    enum Colour: String {
        case orange = "#E69F00"
        case skyBlue = "#56B4E9"
        case bluishGreen = "#009E73"
        case blue = "#0072B2"
        case vermillion = "#D55E00"
        case reddishPurple = "#CC79A7"
        case grey = "#999999"
        case black = "#000000"

        var json: JSONValue { .string(rawValue) }
    }

    /// Returns the axis of the time of day.
    static func timeAxis(_ result: RunResult, _ steps: [TimeSteps.Step]) -> JSONValue {
        timeAxis(result.scenario, charted(steps))
    }

    /// Returns the interval that steps cover; empty at the start without steps.
    static func charted(_ steps: [TimeSteps.Step]) -> Range<Instant> {
        (steps.first?.from ?? .start)..<(steps.last?.until ?? .start)
    }

    /// Returns the axis of the time of day over an interval of a run.
    static func timeAxis(_ scenario: Scenario, _ stretch: Range<Instant>) -> JSONValue {
        let clock = ClockTime(scenario)
        let (from, until) = (stretch.lowerBound, stretch.upperBound)
        let time = until - from < .minutes(5) ? "%H:%M:%S" : "%H:%M"
        // The axis counts from 1 January 1970, so the day of the month is the day of the run.
        let label =
            "utchours(datum.value) == 0 && utcminutes(datum.value) == 0 && utcseconds(datum.value) == 0 "
            + "? [utcFormat(datum.value, '\(time)'), utcFormat(datum.value, 'day %-d')] "
            + ": utcFormat(datum.value, '\(time)')"
        return [
            "field": "from", "type": "temporal",
            "scale": [
                "type": "utc", "nice": false,
                "domain": [.integer(clock.axisMilliseconds(from)), .integer(clock.axisMilliseconds(until))],
            ],
            "axis": ["labelExpr": .string(label), "title": "time of day", "labelOverlap": true, "tickCount": 10],
        ]
    }

    /// Returns a layer: rows, their mark, and the encoding of their fields.
    static func layer(_ rows: [JSONValue], _ mark: JSONValue, _ encoding: JSONValue) -> JSONValue {
        ["data": ["values": .array(rows)], "mark": mark, "encoding": encoding]
    }

    /// Returns spans of time in grey.
    static func shade(_ spans: [JSONValue], opacity: Double, x: JSONValue) -> JSONValue {
        let mark: JSONValue = ["type": "rect", "color": Colour.grey.json, "opacity": .decimal(opacity, places: 1)]
        return layer(spans, mark, ["x": x, "x2": ["field": "until"]])
    }

    /// Returns a field of numbers, with an axis of its own unless it shares one.
    static func quantity(_ field: String, axis: JSONValue? = nil, scale: JSONValue? = nil) -> JSONValue {
        var members: [String: JSONValue] = ["field": .string(field), "type": "quantitative"]
        members["axis"] = axis
        members["scale"] = scale
        return .object(members)
    }

    /// Returns the members of a row for the bounds of an interval; empty if there is no interval.
    static func bounds(_ interval: ClosedRange<Double>?) -> [String: JSONValue] {
        guard let interval else { return [:] }
        return [
            "low": .decimal(interval.lowerBound, places: 6), "high": .decimal(interval.upperBound, places: 6),
        ]
    }

    /// Returns text on top of other marks: a broad white outline, so that no line crosses it, and the text itself.
    static func textLayers(
        _ rows: [JSONValue],
        mark: [String: JSONValue],
        halo width: Int64 = 4,
        encoding: JSONValue
    ) -> [JSONValue] {
        let mark = mark.merging(["type": "text", "color": "#333333", "fontSize": 12]) { own, _ in own }
        let halo: [String: JSONValue] = ["stroke": "white", "strokeWidth": .integer(width), "strokeJoin": "round"]
        return [mark.merging(halo) { $1 }, mark].map { layer(rows, .object($0), encoding) }
    }

    /// Returns the alignment of text beside its point.
    static func hanging(_ align: String, offset: Int64) -> [String: JSONValue] {
        ["align": .string(align), "baseline": "top", "dx": .integer(offset), "dy": 4]
    }

    /// An axis without labels that arranges texts below each other, counted from the top.
    static let textLine = quantity("line", axis: .null, scale: ["domain": [0, 18], "reverse": true])

    /// The corresponding axis from the bottom up, where lines of shares are rare.
    static let bottomTextLine = quantity("line", axis: .null, scale: ["domain": [-2, 17]])

    /// Returns the identity of the run for a chart.
    static func subtitle(_ result: RunResult) -> String {
        "\(result.scenario.name), seed \(result.scenario.seed), \(Format.replications(result.replications))"
    }
}
