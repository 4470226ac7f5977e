import ExternalPrograms
import Foundation
import LiveActivityModel
import ScenarioLanguage
import TestSupport
import Testing

@testable import Evaluation
@testable import Reporting

struct SweepChartTests {
    private static let limits = SweepGrid.Axis(title: "monitor.fresh_limit", labels: ["1m", "2m", "5m"])
    private static let attempts = SweepGrid.Axis(title: "monitor.retry.max_attempts", labels: ["1", "3"])

    /// One chart of each kind, from invented numbers.
    static let charts = [
        Chart.heatMap(
            name: "heat-map",
            title: "Fresh on phones is best with a short limit and three attempts",
            subtitle: "tune-fresh-limit, mean of 5 replications",
            x: limits,
            y: attempts,
            response: "fresh on phones [% of time]",
            cells: cells([[96.1, 95.2, nil], [97.4, 96.6, 92.05]])
        ),
        Chart.pareto(
            name: "pareto",
            title: "Beyond 36 pushes per activity freshness hardly grows",
            subtitle: "tune-fresh-limit, 95 % intervals",
            cost: "pushes per activity",
            gain: "fresh on phones [% of time]",
            points: [
                Chart.TradeOff(label: "5m, 1", cost: 30, gain: 92, gainInterval: 91.5...92.5, isOnFront: true),
                Chart.TradeOff(label: "2m, 3", cost: 34, gain: 96.6, gainInterval: 96.2...97, isOnFront: true),
                Chart.TradeOff(label: "2m, 1", cost: 35, gain: 95.2, isOnFront: false),
                Chart.TradeOff(label: "1m, 3", cost: 40, gain: 97.4, gainInterval: 97...97.8, isOnFront: true),
                Chart.TradeOff(label: "lost", cost: .nan, gain: 1, isOnFront: true),
            ]
        ),
        Chart.sensitivity(
            name: "sensitivity",
            title: "The fresh limit explains most of freshness",
            subtitle: "displayed_fresh_time_ratio, 1,024 evaluations, 95 % intervals",
            bars: [
                Chart.SensitivityBar(
                    factor: "monitor.retry.max_attempts",
                    firstOrder: (0.1, 0.05...0.15),
                    total: (0.25, 0.2...0.3)
                ),
                Chart.SensitivityBar(
                    factor: "monitor.fresh_limit",
                    firstOrder: (0.7, 0.62...0.78),
                    total: (0.82, 0.75...0.9)
                ),
            ]
        ),
        Chart.mainEffects(
            name: "main-effects",
            title: "A longer limit costs freshness, more attempts bring a little",
            subtitle: "means over the other factor's levels, 95 % intervals",
            response: "fresh on phones [% of time]",
            effects: [
                Chart.MainEffect(
                    factor: "monitor.fresh_limit",
                    levels: [
                        .init(label: "1m", mean: 96.7, interval: 96.4...97), .init(label: "2m", mean: 95.9),
                        .init(label: "5m", mean: 92.1, interval: 91.8...92.4),
                    ]
                ),
                Chart.MainEffect(
                    factor: "monitor.retry.max_attempts",
                    levels: [.init(label: "1", mean: 94.5), .init(label: "3", mean: 95.4)]
                ),
            ]
        ),
    ]

    @Test(arguments: charts)
    func chartIsAVegaLiteSpecification(_ chart: Chart) throws {
        let json = try JSONSerialization.jsonObject(with: Data(chart.text.utf8)) as? [String: Any]
        #expect(json?["$schema"] as? String == "https://vega.github.io/schema/vega-lite/v5.json")
        #expect((json?["description"] as? String)?.hasPrefix(chart.title) == true)
        #expect(chart.blocks.markdown == "[\(chart.title)](charts/\(chart.name).vl.json)\n")
    }

    /// The Python with the packages of notebooks-export that `make notebooks` installs.
    private static let python = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../.venv/bin/python").standardized.path

    @Test(.enabled(if: Subprocess.run([python, "-c", "import vl_convert"])?.status == 0))
    func everyChartCanBeDrawn() async throws {
        let scratch = Scratch()
        let charts =
            Self.charts + Chart.charts(try await RunResult.running(.oneRide))
            + Chart.charts(LoadCourseTests.ordinary, subtitle: "load apns, seed 7")
        for chart in charts { try scratch.write(chart.text, to: "\(chart.name)\(Chart.fileSuffix)") }
        let paths = charts.map { "\(scratch.path)/\($0.name)\(Chart.fileSuffix)" }
        let outcome = try #require(Subprocess.run([Self.python, "-c", ChartRenderer.script, scratch.path] + paths))
        #expect(outcome.status == 0, "\(outcome.text)")
        for chart in charts {
            let svg = try scratch.text("\(chart.name).svg")
            // A long title is cut off with an ellipsis, and a long line at the edge if the reader's font is wide.
            let text = svg.replacing(#/<\/tspan><tspan[^>]*>/#, with: " ").replacing(#/<\/?tspan>/#, with: "")
            #expect(text.contains(">\(HTMLText.escaped(chart.title))</text>"), "\(chart.name) has its whole title")
            let title = try #require(svg.firstMatch(of: #/font-weight="bold"[^>]*>(.*?)<\/text>/#)).1
            let longest = title.matches(of: #/[^<>]+(?=<\/tspan>|$)/#).map(\.0.count).max() ?? 0
            #expect(longest <= 62, "\(chart.name): \(title)")
            let ids = svg.matches(of: /\sid="([^"]*)"/).map { String($0.1) }
            #expect(ids.allSatisfy { $0.hasPrefix("\(chart.name)-") }, "ids are the chart's own")
        }
    }

    @Test
    func heatMapPrintsEachKnownValueInAnInkThatCanBeRead() {
        let text = Self.charts[0].text
        #expect(
            text.contains(
                #"{"ground": "dark", "label": "92.05", "value": 92.050000, "x": "5m", "y": "3"}"#
            )
        )
        #expect(
            text.contains(
                #"{"ground": "light", "label": "97.40", "value": 97.400000, "x": "1m", "y": "3"}"#
            )
        )
        #expect(text.matches(of: /"label"/).count == 5 + 2, "five values and the encodings that name them")
        #expect(text.contains(#""sort": ["1", "3"]"#), "levels go down as in the table")
    }

    private static func cells(_ values: [[Double?]]) -> [[Chart.MapCell?]] {
        values.map { row in row.map { $0.map { Chart.MapCell(value: $0) } } }
    }

    @Test(
        "Each cell has the colour of its value; marks show cells tied with the best and failing cells"
    )
    func heatMapOfEquals() {
        let (x, y) = (SweepGrid.Axis(title: "x", labels: ["a", "b", "c"]), SweepGrid.Axis(title: "y", labels: ["1"]))
        let cells = [(9.0, false, ""), (4, true, " ✗"), (1, false, " ✗")].map(Chart.MapCell.init)
        let map = Chart.heatMap(name: "m", title: "M", subtitle: "", x: x, y: y, response: "r", cells: [cells])
        #expect(map.text.contains(#""ground": "dark", "label": "4.00 ≈ ✗", "value": 4.000000"#))
        #expect(map.text.contains(#""ground": "dark", "label": "1.00 ✗", "value": 1.000000"#))
        #expect(map.text.contains(#""field": "value","#))
    }

    @Test("Means of counts are rounded as in the tables")
    func heatMapOfCounts() {
        let (x, y) = (SweepGrid.Axis(title: "x", labels: ["a", "b"]), SweepGrid.Axis(title: "y", labels: ["1"]))
        let cells = Self.cells([[1_323_303.33, 8.5]])
        let map = Chart.heatMap(
            name: "m",
            title: "M",
            subtitle: "",
            x: x,
            y: y,
            response: "r",
            cells: cells,
            isCount: true
        )
        #expect(map.text.contains(#""label": "1,323,303","#) && map.text.contains(#""label": "8.50","#))
    }

    @Test("Points with the same values have one label on the front")
    func equalPoints() {
        let points = ["a", "b"].map { Chart.TradeOff(label: $0, cost: 1, gain: 2, isOnFront: true) }
        let chart = Chart.pareto(name: "p", title: "p", subtitle: "", cost: "c", gain: "g", points: points)
        #expect(chart.text.contains(#""label": "a and 1 equal","#))
    }

    @Test("If less is better, the smallest value has the lightest colour")
    func heatMapOfACost() {
        let (x, y) = (SweepGrid.Axis(title: "x", labels: ["a", "b"]), SweepGrid.Axis(title: "y", labels: ["1"]))
        func text(isLowBest: Bool) -> String {
            Chart.heatMap(
                name: "cost",
                title: "Cost",
                subtitle: "",
                x: x,
                y: y,
                response: "r",
                cells: Self.cells([[1, 9]]),
                isLowBest: isLowBest
            )
            .text
        }
        #expect(text(isLowBest: true).contains(#""reverse": true"#))
        #expect(text(isLowBest: true).contains(#""ground": "light", "label": "1.00""#))
        #expect(text(isLowBest: false).contains(#""ground": "dark", "label": "1.00""#))
    }

    @Test
    func heatMapOfOneCell() {
        let one = SweepGrid.Axis(title: "x", labels: ["1"])
        let chart = Chart.heatMap(
            name: "one",
            title: "One",
            subtitle: "",
            x: one,
            y: one,
            response: "r",
            cells: Self.cells([[3]])
        )
        #expect(!chart.text.contains("viridis"), "a single value has no range to be coloured by")
        #expect(chart.text.contains(#""description": "One.""#))
    }

    @Test("Values that chance alone may separate share one colour, and counts have no decimals")
    func heatMapWithinChance() {
        func map(isFlat: Bool) -> String {
            Chart.heatMap(
                name: "counts",
                title: "Counts",
                subtitle: "",
                x: Self.limits,
                y: Self.attempts,
                response: "pushes",
                cells: Self.cells([[5_020_745, 5_020_740, nil], [5_020_750, 5_020_745, 5_020_745]]),
                isFlat: isFlat,
                isCount: true
            )
            .text
        }
        #expect(map(isFlat: false).contains("viridis") && map(isFlat: false).contains("\"label\": \"5,020,745\""))
        #expect(!map(isFlat: true).contains("viridis") && map(isFlat: true).contains("\"value\": \"#3b528b\""))
    }

    @Test("The axis of main effects extends to the bound of chance")
    func mainEffectsWithinChance() {
        let chart = Chart.mainEffects(
            name: "effects",
            title: "None",
            subtitle: "",
            response: "r",
            effects: [.init(factor: "f", levels: [.init(label: "a", mean: 10), .init(label: "b", mean: 10.5)])],
            leastSpan: 8
        )
        #expect(chart.text.contains("\"domain\": [5.850000, 14.650000]"))
    }

    @Test("A line joins levels that are numbers; categories have points alone")
    func categories() async throws {
        func marks(_ levels: String) async throws -> [Bool] {
            let factors = "factors: {vary: {\(levels)}, responses: [ride_stage_coverage_ratio]}"
            let charts = Chart.charts(try await SmallSweep.analysis(factors))
            let text = try #require(charts.first { $0.name.hasPrefix("effects-") }).text
            return [text.contains("\"type\": \"line\""), text.contains("\"type\": \"point\"")]
        }
        #expect(try await marks("content.refresh: [50s, none, 200s]") == [true, false])
        #expect(try await marks("monitor.enabled: [true, false]") == [false, true])
        #expect(try await marks("monitor.enabled: [true, false], content.refresh: [50s, 200s]") == [true, true])
    }

    @Test
    func paretoFrontIsJoinedInTheOrderOfCostAndLabelledWithinThePlot() throws {
        let text = Self.charts[1].text
        #expect(!text.contains("lost"))
        // The cheapest point has no space to its left.
        #expect(try Self.label("5m, 1", in: Self.charts[1]) == "left")
        #expect(try Self.label("1m, 3", in: Self.charts[1]) == "right")
        #expect(!text.contains("2m, 1"), "dominated points bear no label")
        // The line is the first layer: its points precede the dominated point, which is cheaper than the last of them.
        let costs = try [30, 34, 40, 35].map { try #require(text.firstRange(of: "\"cost\": \($0).000000")).lowerBound }
        #expect(costs == costs.sorted())
    }

    @Test
    func paretoFrontOfManyPointsBearsFewLabels() {
        let points = (0..<100)
            .map { Chart.TradeOff(label: "<\($0)>", cost: Double($0), gain: Double($0), isOnFront: true) }
        let chart = Chart.pareto(name: "p", title: "p", subtitle: "", cost: "c", gain: "g", points: points)
        // A phone has room for other labels, and for fewer.
        let rows = chart.text.split(separator: "}")
        func labels(isNarrow: Bool) -> Set<String> {
            Set(
                rows.filter { $0.contains("\"narrow\"") == isNarrow }.flatMap { $0.matches(of: /<\d+>/) }
                    .map { String($0.output) }
            )
        }
        #expect(labels(isNarrow: true).isSuperset(of: ["<0>", "<99>"]))
        let labels = labels(isNarrow: false)
        #expect(labels.count == 14)
        #expect(labels.isSuperset(of: ["<0>", "<99>"]), "the ends of the front")
    }

    /// The alignment of a chart's label.
    private static func label(_ text: String, in chart: Chart) throws -> String {
        struct Specification: Decodable {
            struct Layer: Decodable {
                struct Mark: Decodable { var align: String? }
                struct Values: Decodable {
                    struct Row: Decodable { var label: String? }
                    var values: [Row]
                }
                var mark: Mark
                var data: Values
            }
            var layer: [Layer]
        }
        let layers = try JSONDecoder().decode(Specification.self, from: Data(chart.text.utf8)).layer
        return try #require(layers.first { $0.data.values.contains { $0.label == text } }?.mark.align)
    }

    @Test
    func sensitivityBarsStandInTheOrderOfTheirTotals() {
        #expect(Self.charts[2].text.contains(#""sort": ["monitor.fresh_limit", "monitor.retry.max_attempts"]"#))
    }

    @Test
    func mainEffectsShareOneVerticalScale() {
        let domains = Self.charts[3].text.matches(of: /"domain": \[[0-9.]+, [0-9.]+\]/).map { String($0.output) }
        // From 91.8 to 97 with a margin of one twentieth at each end.
        #expect(Set(domains) == ["\"domain\": [91.540000, 97.260000]"])
    }

    @Test
    func chartsOfNothing() {
        let none = SweepGrid.Axis(title: "x", labels: [])
        for chart in [
            Chart.heatMap(name: "h", title: "h", subtitle: "", x: none, y: none, response: "r", cells: []),
            Chart.pareto(name: "p", title: "p", subtitle: "", cost: "c", gain: "g", points: []),
            Chart.sensitivity(name: "s", title: "s", subtitle: "", bars: []),
            Chart.mainEffects(name: "m", title: "m", subtitle: "", response: "r", effects: []),
        ] {
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(chart.text.utf8)) }
        }
    }
}
