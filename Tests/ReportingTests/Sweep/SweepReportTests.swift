import Foundation
import Statistics
import TestSupport
import Testing

@testable import Evaluation
@testable import Reporting
@testable import ScenarioLanguage
@testable import Studies

@Suite("Reports of sweeps")
struct SweepReportTests {
    @Test("A grid's points are arranged by row and column, with gaps where a condition omits them")
    func grid() async throws {
        let factors = """
            factors:
              vary: {content.ttl: [30s, 90s], monitor.fresh_limit: [0s, 30s, 1m]}
              where: ["monitor.fresh_limit < content.ttl"]
              responses: [pushes_per_activity]
            """
        let analysis = try await SmallSweep.analysis(factors, replications: 1)
        let grid = try #require(SweepGrid(analysis.result))
        #expect(grid.rows == SweepGrid.Axis(title: "content.ttl", labels: ["30s", "90s"]))
        #expect(grid.columns == SweepGrid.Axis(title: "monitor.fresh_limit", labels: ["0s", "30s", "1m"]))
        #expect(grid.sheets == nil)
        let places = (0..<2).map { row in (0..<3).map { grid.point(row: row, column: $0, sheet: 0) } }
        #expect(places == [[0, nil, nil], [1, 2, 3]])
    }

    @Test("Each map is printed once, even if another response's name begins with its name")
    func mapsOfSimilarNames() async throws {
        let factors = """
            factors:
              vary: {apns.loss: [0, 0.1], monitor.fresh_limit: [0s, 30s]}
              responses: [age_of_information_us, age_of_information_us.p95]
            """
        let analysis = try await SmallSweep.analysis(factors, replications: 2)
        let maps = Chart.charts(analysis).filter { $0.name.hasPrefix("map-") }
        #expect(maps.count == 2)
        let text = analysis.report
        for map in maps { #expect(text.components(separatedBy: map.blocks.markdown).count == 2) }
    }

    @Test("Points that cannot show a response have empty cells, and table, effects and charts agree")
    func notMeasured() async throws {
        let factors = """
            factors:
              vary: {monitor.enabled: [false, true], content.refresh: [60s, 200s]}
              responses: [ended_severe_count, displayed_fresh_time_ratio]
            checks: [ended_severe_count < 1000]
            """
        let analysis = try await SmallSweep.analysis(factors)
        let result = analysis.result
        #expect(result.points.map { $0.rows[0]?.value == nil } == [true, true, false, false])
        func lines(_ text: String) -> [Substring] { text.split(separator: "\n") }
        #expect(lines(CSVText.points(result))[1].hasPrefix("0,false,60s,3,,,,0."))
        #expect(lines(CSVText.results(result))[1] == "0,0,ended_severe_count,count,")
        #expect(lines(CSVText.effects(analysis))[1] == "ended_severe_count,count,monitor.enabled,false,0,,,,")
        #expect(lines(CSVText.effects(analysis))[2].hasPrefix("ended_severe_count,count,monitor.enabled,true,2,"))
        #expect(lines(CSVText.checks(result))[1].hasSuffix(",,1000.000000,not_measured"))
        let text = analysis.report
        let place = "at 2 of 4 design points: the monitor is off"
        #expect(text.contains("- `ended_severe_count` is not measured \(place)."), "\(text)")
        #expect(text.contains("holds at 2 of 4 points. It is not measured \(place)."), "\(text)")
        #expect(text.contains("✗ **Checks not measured**, of 4 design points: `ended_severe_count < 1000`"))
        #expect(!text.contains("Failed checks"))
        #expect(text.contains(#/\| ended_severe_count +\| +– \|/#), "one level alone has no effect: \(text)")
        for chart in Chart.charts(analysis) where chart.name.hasSuffix("ended-severe-count") {
            #expect(chart.text.contains("not measured \(place)"), "\(chart.name)")
        }
    }

    @Test("Zipped factors share one axis; a third factor makes sheets")
    func sheets() async throws {
        let factors = """
            factors:
              vary:
                content.ttl: [30s, 90s]
                apns.expiration: [30s, 2m]
                monitor.fresh_limit: [0s, 30s]
                sender.timeout: {short: 2s, long: 10s}
              zip: [[content.ttl, apns.expiration]]
              responses: [displayed_fresh_time_ratio]
            """
        let analysis = try await SmallSweep.analysis(factors, replications: 1)
        let grid = try #require(SweepGrid(analysis.result))
        #expect(grid.rows == SweepGrid.Axis(title: "content.ttl + apns.expiration", labels: ["30s", "90s, 2m"]))
        #expect(grid.sheetTitles == ["sender.timeout = short", "sender.timeout = long"])
        #expect(grid.point(row: 1, column: 0, sheet: 1) == 5)
        let names = Chart.charts(analysis).map(\.name)
        #expect(
            names.filter { $0.hasPrefix("map-") } == ["short", "long"].map { "map-displayed-fresh-time-ratio-\($0)" }
        )
        #expect(analysis.report.contains("**sender.timeout = long**"))
    }

    @Test("A map marks the points at which a check of its response fails, and states the limit")
    func failingCells() async throws {
        let factors = """
            factors:
              vary: {content.refresh: [60s, 200s], monitor.fresh_limit: [30s, 1m]}
              responses: [displayed_fresh_time_ratio]
            checks: [displayed_fresh_time_ratio > 80%]
            """
        let analysis = try await SmallSweep.analysis(factors)
        let failing = analysis.result.points.count { $0.outcomes[0].verdict != .holds }
        #expect((1..<4).contains(failing))
        let map = try #require(Chart.charts(analysis).first { $0.name.hasPrefix("map-") }).text
        // Labels end with the mark; the subtitle may have it at the end of a line.
        #expect(map.matches(of: /[0-9≈] ✗"/).count == failing)
        #expect(map.contains("✗ fails the check > 80%"))
    }

    @Test("A table for the terminal has every response, four per block")
    func terminalTable() async throws {
        let factors = """
            factors:
              vary: {content.refresh: [60s, 200s]}
              responses:
                [displayed_fresh_time_ratio, pushes_per_activity, age_of_information_us, stage_lag_us, fresh_time_ratio]
            """
        let result = try await SmallSweep.analysis(factors).result
        let table = result.table()
        let blocks = table.components(separatedBy: "\n\n")
        // The values in two blocks, the definition of today, and the differences in two blocks.
        #expect(blocks.count == 6, "\(table)")
        for response in result.responses { #expect(table.contains(response)) }
        #expect(blocks[2].hasPrefix("point  refresh  fresh_time_ratio"))
        #expect(blocks[1].split(separator: "\n").count == 3 && blocks[4].split(separator: "\n").count == 2)
        #expect(blocks[3] == "Today (*) is the scenario without the factors: content.refresh = 60s (point 0).")
        // On a terminal, blocks are as wide as it is, and no response is missing.
        for width in [60, 90, 300] {
            let lines = result.table(width: width).split(separator: "\n")
            let isTable = { (line: Substring) in line.hasPrefix("point") || line.first == " "
            }
            #expect(lines.filter(isTable).allSatisfy { $0.count <= width }, "\(width)")
            for response in result.responses { #expect(lines.contains { $0.contains(response) }) }
        }
    }

    @Test("Each point has its difference to today's setting, in the same worlds")
    func againstToday() async throws {
        let factors = """
            factors:
              vary: {content.refresh: [50s, 200s]}
              responses: [ride_fresh_coverage_ratio, pushes_per_activity]
            checks: [pushes_per_activity <= 12]
            """
        let analysis = try await SmallSweep.analysis(factors, replications: 5)
        let result = analysis.result
        #expect(result.points.count == 2 && result.presents.map(\.point.number) == [2])
        #expect(result.sweep.present(of: 0) == 2 && result.sweep.present(of: 1) == 2)
        let change = try #require(result.change(of: 1, at: 1))
        let pushes = [result.presents[0], result.points[1]].compactMap { $0.rows[1]?.value?.double }
        #expect(change.present == pushes[0] && change.difference == pushes[1] - pushes[0] && change.difference < 0)
        #expect(change.chance?.isBeyondChance == true)
        let text = SweepReport(analysis: analysis, charts: Chart.charts(analysis)).blocks.markdown
        #expect(text.contains("## Against today"))
        #expect(text.contains("content.refresh = 1m (point 2, beside the design)."))
        let csv = try #require(CSVText.present(result))
        #expect(csv.hasPrefix("point,today_point,response,unit,value,today,difference,low,high\n0,2,"))
        let chart = try #require(Chart.charts(analysis).first { $0.name == "pareto" })
        #expect(
            chart.text.contains("today: 1m")
                && chart.text.contains("\"domain\": [\"on the Pareto front\", \"dominated\", \"today\"]")
        )
        #expect(chart.text.contains("dashed: pushes_per_activity <= 12"))
    }

    @Test(
        "If rides are a factor, the pushes against today are for a range of rides; equal points and near limits are drawn"
    )
    func ridesOfWorlds() async throws {
        let worlds = try await SmallSweep.analysis(
            """
            factors:
              vary: {rides.scale: {1x: 1, 2x: 2}, content.refresh: [60s, 200s]}
              responses: [displayed_fresh_time_ratio, pushes_per_activity]
            """
        )
        let text = worlds.report
        #expect(
            text.contains("Pushes are for the rides that were simulated: 20 to 40 per run of 20 min; a point has"),
            "\(text)"
        )
        let factors = """
            factors:
              vary: {content.refresh: {brisk: 60s, as brisk: 60s}}
              responses: [displayed_fresh_time_ratio, pushes_per_activity]
            """
        let analysis = try await SmallSweep.analysis(factors)
        let interval = try #require(analysis.result.points[0].rows[1]?.interval)
        let limit = (interval.lowerBound * 1000).rounded(.up) / 1000
        let checked = try await SmallSweep.analysis(factors + "\nchecks: [pushes_per_activity > \(limit)]")
        let chart = try #require(Chart.charts(checked).first { $0.name == "pareto" })
        #expect(chart.title == "2 of 2 design points are on the Pareto front, with the same values")
        #expect(chart.text.contains("dashed: pushes_per_activity > ") && !chart.text.contains("outside the chart"))
    }

    @Test("If the interval of a check's value contains its limit, the count of points states it")
    func doubtfulChecks() async throws {
        func factors(_ limit: String) -> String {
            """
            factors:
              vary: {content.refresh: [60s, 200s]}
              responses: [displayed_fresh_time_ratio]
            checks: [pushes_per_activity > \(limit)]
            """
        }
        let analysis = try await SmallSweep.analysis(factors("1"))
        let row = try #require(analysis.result.points[0].outcomes[0].value?.double)
        #expect(!analysis.report.contains("ndecided"))
        // A limit just below the mean is within any interval.
        let doubtful = try await SmallSweep.analysis(factors("\((row * 1000).rounded() / 1000)"))
        #expect(doubtful.result.doubtfulPoints(ofCheck: 0) == [0])
        #expect(
            try #require(SweepAnswer(analysis: doubtful).lines.last)
                .hasSuffix(
                    " holds at 0 of 2 points and fails at 1; 3 replications cannot decide at content.refresh = 60s, where the "
                        + "interval of the value contains the limit."
                )
        )
        #expect(doubtful.report.contains("| undecided at |"))
        // Just above the mean, the check does not hold at either point, but fails at one only.
        let above = try await SmallSweep.analysis(factors("\((row * 1000).rounded() / 1000 + 0.002)"))
        let text = above.report
        #expect(
            text.contains("✗ **Failed checks**, of 2 design points: `")
                && text.contains("? **Undecided checks**, of 2 ")
        )
        #expect(text.ranges(of: "` at 1").count == 2, "\(text)")
        #expect(above.result.mark([0], at: 0) == " ?" && above.result.mark([0], at: 1) == " ✗")
    }

    @Test("Uncertainty is stated beside each world's result; an effect over a part of a grid states its contents")
    func doubtInAnswers() async throws {
        func analysis(_ limit: String) async throws -> SweepAnalysis {
            try await SmallSweep.analysis(
                """
                factors:
                  vary: {content.refresh: [60s, 200s], apns.loss: {none: 0%, some: 1%}}
                  responses: [displayed_fresh_time_ratio]
                checks: [pushes_per_activity > \(limit)]
                """
            )
        }
        let sure = try await analysis("1")
        #expect(SweepAnswer(analysis: sure).lines.prefix(2).allSatisfy { $0.hasSuffix("with any choice.") })
        let row = try #require(sure.result.points[0].outcomes[0].value?.double)
        let lines = SweepAnswer(analysis: try await analysis("\((row * 1000).rounded() / 1000)")).lines
        #expect(lines[0].hasSuffix(", but 1 of 2 points is not certain."), "\(lines)")
        #expect(!lines.contains { $0.contains("a part of a grid") })
        let part = try await SmallSweep.analysis(
            """
            factors:
              vary: {content.refresh: [60s, 200s], monitor.fresh_limit: [30s, 90s]}
              where: [content.refresh > monitor.fresh_limit]
              responses: [displayed_fresh_time_ratio]
            """
        )
        #expect(part.result.points.count == 3)
        #expect(
            SweepAnswer(analysis: part).lines
                .contains { $0.contains("It is not known which factor moves ") && $0.contains("a part of a grid") }
        )
        let effects = try #require(Chart.charts(part).first { $0.name.hasPrefix("effects-") })
        #expect(effects.title.contains("over a part of a grid"), "\(effects.title)")
    }

    @Test("Points that are statistically tied with the best are listed by their levels")
    func equalsOfTheBest() async throws {
        func line(_ vary: String) async throws -> String {
            let factors = "factors: {vary: {\(vary)}, responses: [displayed_fresh_time_ratio]}"
            return SweepAnswer(analysis: try await SmallSweep.analysis(factors)).lines[0]
        }
        let refresh = "content.refresh: {brisk: 60s, as brisk: 60s, slow: 200s}"
        let one = try await line(refresh)
        #expect(
            one.contains(": 2 of 3 points (brisk and as brisk) are statistically tied, and the best value is "),
            "\(one)"
        )
        let two = try await line("\(refresh), content.ttl: {short: 90s, as short: 90s}")
        #expect(
            two.contains(
                "(brisk with short, brisk with as short, as brisk with short and as brisk with as short) are statistically tied"
            ),
            "\(two)"
        )
        // A random refresh makes two replications differ so strongly that the most pushes may be chance.
        let factors = """
            factors:
              vary: {content.refresh: {brisk: 60s, slow: 70s, drawn: {exponential: {mean: 56s}}}}
              responses: ["pushes_sent_count{kind:update}"]
            """
        let drawn = SweepAnswer(analysis: try await SmallSweep.analysis(factors, replications: 2)).lines[0]
        #expect(
            drawn.contains(
                "(slow and drawn) are statistically tied, and the best value is 136 (90.01 – 197); worst, though not beyond chance, "
                    + "with content.refresh = drawn: "
            ),
            "\(drawn)"
        )
    }

    @Test("If the world varies too, there is one result for each world", .enabled(if: Loop.isFull))
    func worlds() async throws {
        func lines(_ checks: String) async throws -> [String] {
            let factors = """
                factors:
                  vary: {content.refresh: [60s, 200s], apns.loss: {none: 0%, all: 100%}}
                  responses: [displayed_fresh_time_ratio]
                \(checks)
                """
            return SweepAnswer(analysis: try await SmallSweep.analysis(factors)).lines
        }
        let plain = try await lines("")
        #expect(
            plain[0]
                .hasPrefix(
                    "Where apns.loss = none: `displayed_fresh_time_ratio` is best with content.refresh = 60s: **"
                )
        )
        #expect(plain[0].contains("; worst with content.refresh = 200s: **"))
        #expect(plain[1].hasPrefix("Where apns.loss = all: "))
        let checked = try await lines("checks: [displayed_fresh_time_ratio > 80%]")
        #expect(checked[0] == "Where apns.loss = none: every check holds with **content.refresh = 60s**.")
        #expect(checked[1] == "Where apns.loss = all: no choice passes every check.")
    }

    @Test("The cost of freshness is reported for decisions only, not for conditions of the world")
    func tradeOff() async throws {
        func factors(_ path: String) -> String {
            "factors: {vary: {\(path): [1, 2]}, responses: [displayed_fresh_time_ratio, pushes_per_activity]}"
        }
        #expect(try await SmallSweep.analysis(factors("sender.attempts")).tradeOff != nil)
        #expect(try await SmallSweep.analysis(factors("rides.scale")).tradeOff == nil)
    }
}
