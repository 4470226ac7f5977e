import Evaluation
import LiveActivityModel
import Quantities
import TextFormats

/// A chart of a run as a Vega-Lite 5 specification with its data.
///
/// The same run gives the same bytes. Colours are those of Okabe and Ito ("Color Universal Design", 2008), which are
/// distinguishable with any colour vision.
public struct Chart: ReportPart, Hashable, Sendable {
    /// The file's name without its suffix.
    let name: String
    /// The statement of the chart, in a sentence above it.
    let title: String
    let specification: JSONValue

    /// The specification, as in its file.
    public var text: String { specification.text }

    /// The suffix of every chart's file name.
    static let fileSuffix = ".vl.json"

    /// The file's path within a result directory.
    var path: String { "charts/\(name)\(Chart.fileSuffix)" }

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
        return lines.count > 1 ? .strings(lines) : .string(text)
    }

    /// The number of characters of a title and of a subtitle that fit above a chart.
    private static let (longestTitle, longestSubtitle) = (70, 95)

    /// The link to the chart in a report.
    var blocks: [Block] { [.chart(title: title.replacing("[", with: "(").replacing("]", with: ")"), path: path)] }

    static func charts(_ result: RunResult, checks: CheckList = CheckList([])) -> [Chart] {
        [
            freshness(result, checks: checks), classes(result), pushes(result), funnel(result), age(result),
            waterfall(result),
        ]
        .compactMap(\.self) + capacity(result, Congestion.all(in: result)) + cities(result)
    }

    /// The maximum number of steps of a time series; more would not be visible on a screen.
    static let largestStepCount = 300

    /// The width of a plot [px]: with its axis the chart is 640 px wide, at which text keeps its size.
    static let width: Int64 = 560

    /// The values of a template's holes, by name.
    typealias Values = [String: JSONValue]

    /// Creates a chart from a template.
    ///
    /// - Parameters:
    ///   - template: The name of the template.
    ///   - title: The statement of the chart, in a sentence; a long one is broken into lines.
    ///   - subtitle: The subject, and the length of steps.
    init(template: String, name: String, title: String, subtitle: String, _ values: Values...) {
        self.name = name
        self.title = title
        let head: Values = [
            "titleLines": Chart.lines(title, longest: Chart.longestTitle),
            "subtitleLines": Chart.lines(subtitle, longest: Chart.longestSubtitle),
            "description": .string(subtitle.isEmpty ? "\(title)." : "\(title). \(subtitle)."),
        ]
        specification = ChartTemplate(template).filled(values.reduce(head) { $0.merging($1) { $1 } })
    }

    // MARK: - Values

    /// Returns the names and colours of series, in the order of the legend.
    static func series(_ series: [(name: String, colour: Colour)]) -> Values {
        ["names": .strings(series.map(\.name)), "looks": .array(series.map(\.colour.json))]
    }

    /// The colours of Okabe and Ito, as far as series that depend on the data use them.
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

    /// Returns a row of a time series; nil is a gap.
    static func row(at from: JSONValue, _ series: String, _ value: Double?, as field: String = "percent") -> JSONValue {
        ["from": from, "series": .string(series), field: value.map { .decimal($0, places: 3) } ?? .null]
    }

    /// Returns both ends of an axis.
    static func domain(_ low: Double, _ high: Double, places: Int = 6) -> JSONValue {
        [.decimal(low, places: places), .decimal(high, places: places)]
    }

    /// Returns the members of a row for the bounds of an interval; empty if there is no interval.
    static func bounds(_ interval: ClosedRange<Double>?) -> Values {
        guard let interval else { return [:] }
        return [
            "low": .decimal(interval.lowerBound, places: 6), "high": .decimal(interval.upperBound, places: 6),
        ]
    }

    /// Returns the axis of levels in a given order; slanted labels have room for long names.
    static func levels(_ labels: [String], title: String, isSlanted: Bool) -> Values {
        [
            "levels": .strings(labels), "title": .string(title), "angle": isSlanted ? -40 : 0,
            "overlap": .bool(!isSlanted),
        ]
    }

    /// Returns the time of day and the faults over the steps of a run.
    static func day(_ result: RunResult, _ steps: [TimeSteps.Step]) -> Values {
        day(result.scenario, (steps.first?.from ?? .start)..<(steps.last?.until ?? .start))
    }

    /// Returns the time of day and the faults over an interval of a run.
    static func day(_ scenario: Scenario, _ stretch: Range<Instant>) -> Values {
        let clock = ClockTime(scenario)
        func time(_ microseconds: Int64) -> JSONValue {
            .integer(clock.axisMilliseconds(Instant(microseconds: microseconds)))
        }
        let range = stretch.lowerBound.microseconds..<stretch.upperBound.microseconds
        let format = stretch.upperBound - stretch.lowerBound < .minutes(5) ? "%H:%M:%S" : "%H:%M"
        // The axis counts from 1 January 1970, so the day of the month is the day of the run, in its first month.
        return [
            "timeDomain": [time(range.lowerBound), time(range.upperBound)],
            "timeLabel": .string(timeLabel(format, day: clock.axisDay)),
            "faults": .array(faults(FaultSpan.all(of: scenario), within: range, time: time)),
        ]
    }

    /// Returns the expression of a label of the time axis: the time of day, and at midnight also the day.
    static func timeLabel(_ format: String, day: String) -> String {
        "utchours(datum.value) == 0 && utcminutes(datum.value) == 0 && utcseconds(datum.value) == 0 "
            + "? [utcFormat(datum.value, '\(format)'), \(day)] : utcFormat(datum.value, '\(format)')"
    }

    /// The number of lines on which the names of neighbouring faults alternate.
    static let faultLines = 4

    /// Returns rows of faults, cut to a time interval [µs].
    ///
    /// - Parameters:
    ///   - firstLine: The line of the first name, from the bottom.
    ///   - time: Converts an instant to the unit of the axis.
    static func faults(
        _ faults: [FaultSpan],
        within stretch: Range<Int64>,
        firstLine: Int = 0,
        time: (Int64) -> JSONValue
    ) -> [JSONValue] {
        faults.filter { $0.from < stretch.upperBound && $0.until >= stretch.lowerBound }
            .enumerated()
            .map { index, fault in
                let from = max(fault.from, stretch.lowerBound)
                return [
                    "from": time(from), "until": time(max(from, min(fault.until, stretch.upperBound))),
                    "fault": .string(Wording.fault(fault.kind)),
                    "line": .integer(Int64(firstLine + index % faultLines)),
                ]
            }
    }

    /// Returns the identity of the run for a chart.
    static func subtitle(_ result: RunResult) -> String {
        "\(result.scenario.name), seed \(result.scenario.seed), \(Format.replications(result.replications))"
    }

    static func subtitle(_ result: RunResult, _ steps: [TimeSteps.Step]) -> String {
        let step = steps.map(\.length).max() ?? .zero
        return "\(subtitle(result)), in steps of \(Format.span(step.microseconds))"
    }
}
