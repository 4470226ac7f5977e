public import Experiments
import LiveActivityModel
import Quantities
import TextFormats

/// A chart of a run as a Vega-Lite 5 specification that carries its data.
///
/// The same run gives the same bytes. Colours are those of Okabe and Ito ("Color Universal Design", 2008), which people
/// with any colour vision can tell apart.
public struct Chart: Hashable, Sendable {
    /// The file's name without its suffix.
    public let name: String
    let specification: JSONValue

    /// The specification, as it stands in its file.
    public var text: String { specification.text }

    /// What the name of every chart's file ends with.
    public static let fileSuffix = ".vl.json"

    /// The file's place within a result directory.
    public var path: String { "charts/\(name)\(Chart.fileSuffix)" }

    /// What the chart shows, in a sentence; it stands above it.
    public var title: String {
        guard case .object(let members) = specification, case .object(let title)? = members["title"],
            case .string(let text)? = title["text"]
        else { return name }
        return text
    }

    /// The chart as a paragraph of a report: a link to its specification, which a rendered report replaces by the
    /// picture.
    public var markdown: String {
        let label = title.replacing("[", with: "(").replacing("]", with: ")")
        return "[\(label)](\(path))"
    }

    /// All charts of a run.
    public static func charts(_ result: RunResult) -> [Chart] {
        [freshness(result), classes(result), pushes(result), funnel(result), age(result)]
            + [waterfall(result)].compactMap(\.self)
    }

    /// No chart of a course of time has more steps than this: more would not show on a screen.
    static let largestStepCount = 300

    /// The width of a plot [px]: with its axis the picture is 640 wide, and its letters keep their size there.
    static let width: Int64 = 560

    /// What all charts have in common.
    ///
    /// - Parameters:
    ///   - name: The file's name without its suffix.
    ///   - title: What is to be seen, in a sentence of some 70 characters.
    ///   - subtitle: Of what, and in which steps.
    ///   - titleFrame: What the title is flush with: the plot (`group`), or all with its axes (`bounds`).
    ///   - body: The plot.
    init(
        name: String,
        title: String,
        subtitle: String,
        titleFrame: String = "group",
        body: [String: JSONValue]
    ) {
        self.name = name
        let common: [String: JSONValue] = [
            "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
            "title": ["text": .string(title), "subtitle": .string(subtitle)],
            "description": .string(subtitle.isEmpty ? "\(title)." : "\(title). \(subtitle)."),
            "background": "white",
            "padding": 10,
            "config": [
                "font": "sans-serif",
                // Reports put a text of their own on the whole picture; one on each mark would be read out loud.
                "aria": false,
                "title": [
                    "anchor": "start", "frame": .string(titleFrame), "fontSize": 15, "color": "#333333",
                    "subtitleFontSize": 12,
                    "subtitleColor": "#555555", "subtitlePadding": 5, "offset": 10, "limit": .integer(Chart.width + 60),
                ],
                "axis": [
                    "labelFontSize": 12, "titleFontSize": 12, "labelColor": "#333333", "titleColor": "#333333",
                    "gridColor": "#E5E5E5", "titleFontWeight": "normal", "titlePadding": 8,
                ],
                "legend": [
                    "labelFontSize": 12, "labelColor": "#333333", "labelLimit": 260, "titleFontSize": 12,
                    "titleColor": "#333333", "titleFontWeight": "normal", "symbolStrokeWidth": 3,
                ],
            ],
        ]
        specification = .object(common.merging(body) { $1 })
    }

    /// A chart of layers.
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
                "width": .integer(Chart.width),
                "height": .integer(height),
                "layer": .array(layers),
                "resolve": resolve,
            ]
        )
    }

    /// Colours of series, by name, in the order of the legend.
    static func colours(_ series: [(name: String, colour: Colour)]) -> JSONValue {
        [
            "field": "series",
            "type": "nominal",
            "scale": [
                "domain": .array(series.map { .string($0.name) }),
                "range": .array(series.map { .string($0.colour.rawValue) }),
            ],
            "legend": ["title": .null, "orient": "top"],
        ]
    }

    /// Okabe and Ito's colours, as far as they are used.
    enum Colour: String {
        case orange = "#E69F00"
        case skyBlue = "#56B4E9"
        case bluishGreen = "#009E73"
        case blue = "#0072B2"
        case vermillion = "#D55E00"
        case reddishPurple = "#CC79A7"
        case grey = "#999999"
        case black = "#000000"
    }

    /// The axis of the time of day.
    static func timeAxis(_ result: RunResult, _ steps: [TimeSteps.Step]) -> JSONValue {
        let clock = ClockTime(result.scenario)
        let from = steps.first?.from ?? .start
        let until = steps.last?.until ?? .start
        let time = until - from < .minutes(5) ? "%H:%M:%S" : "%H:%M"
        // The axis counts from 1 January 1970, so the day of the month is the day of the run.
        let label =
            "utchours(datum.value) == 0 && utcminutes(datum.value) == 0 && utcseconds(datum.value) == 0 "
            + "? [utcFormat(datum.value, '\(time)'), utcFormat(datum.value, 'day %-d')] "
            + ": utcFormat(datum.value, '\(time)')"
        return [
            "field": "from",
            "type": "temporal",
            "scale": [
                "type": "utc",
                "domain": [.integer(clock.axisMilliseconds(from)), .integer(clock.axisMilliseconds(until))],
                "nice": false,
            ],
            "axis": ["labelExpr": .string(label), "title": "time of day", "labelOverlap": true, "tickCount": 10],
        ]
    }

    /// Text on top of other marks: once in white and broad, so that no line runs through it, and once as it is.
    static func textLayers(data: JSONValue, align: String, offset: Int64, encoding: JSONValue) -> [JSONValue] {
        let mark: [String: JSONValue] = [
            "type": "text", "align": .string(align), "baseline": "top", "dx": .integer(offset), "dy": 4,
            "fontSize": 12, "color": "#333333",
        ]
        let halo: [String: JSONValue] = ["stroke": "white", "strokeWidth": 4, "strokeJoin": "round"]
        return [
            ["data": data, "mark": .object(mark.merging(halo) { $1 }), "encoding": encoding],
            ["data": data, "mark": .object(mark), "encoding": encoding],
        ]
    }

    /// An axis without labels that puts texts below each other, counted from the top.
    static let textLine: JSONValue = [
        "field": "line",
        "type": "quantitative",
        "scale": ["domain": [0, 18], "reverse": true],
        "axis": .null,
    ]

    /// The same from the bottom upwards, where lines of shares seldom are.
    static let bottomTextLine: JSONValue = [
        "field": "line",
        "type": "quantitative",
        "scale": ["domain": [-2, 17]],
        "axis": .null,
    ]

    /// "1 replication", "3 replications".
    static func replications(_ result: RunResult) -> String {
        result.replications == 1 ? "1 replication" : "\(result.replications) replications"
    }

    /// The axis of a share of time.
    static func percentAxis(_ title: String) -> JSONValue {
        [
            "field": "percent",
            "type": "quantitative",
            "scale": ["domain": [0, 100], "nice": false],
            "axis": ["title": .string(title), "values": [0, 20, 40, 60, 80, 100]],
        ]
    }
}
