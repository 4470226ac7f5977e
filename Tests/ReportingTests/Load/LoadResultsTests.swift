import Experiments
import Foundation
import Testing

@testable import Reporting

/// The files of a load in real time.
struct LoadResultsTests {
    private static func results(_ course: LoadCourse?) -> LoadResults {
        var results = LoadResults(
            name: "load apns",
            seed: 7,
            settings: [("rate", "1000/s")],
            rows: [
                SummaryRow(
                    scope: "all",
                    metric: "pushes_sent_count",
                    stat: "total",
                    unit: "count",
                    value: .integer(1980)
                )
            ]
        )
        results.course = course
        results.notes = ["A note."]
        return results
    }

    @Test("the report begins with the answer and has every chart in its place")
    func report() throws {
        let files = RunFiles(Self.results(LoadCourseTests.ordinary)).files
        let report = try #require(files.first { $0.path == "report.md" }).text
        #expect(report.hasPrefix("# load apns\n\n**Asked for 1,000 requests a second, answered 950. 99 % of answered "))
        let charts = files.map(\.path).filter { $0.hasPrefix("charts/") }
        #expect(charts == ["charts/rate.vl.json", "charts/latency.vl.json", "charts/outcomes.vl.json"])
        for chart in charts { #expect(report.contains("](\(chart))")) }
        for file in files where file.path.hasPrefix("charts/") {
            let json = try JSONSerialization.jsonObject(with: Data(file.text.utf8)) as? [String: Any]
            #expect(((json?["layer"] ?? json?["vconcat"]) as? [Any])?.isEmpty == false)
        }
    }

    @Test("without a course there are no charts, and the report does without them")
    func withoutCourse() throws {
        let files = RunFiles(Self.results(nil)).files
        #expect(files.map(\.path) == ["report.md", "run.json", "summary.csv"])
        #expect(files[0].text.hasPrefix("# load apns\n\nA note.\n\n## Results\n"))
    }

    @Test("a reason that is rare has a plot in which it is seen, the rarest ones one colour")
    func outcomes() throws {
        var course = LoadCourseTests.ordinary
        course.outcomes = ["accepted"] + (1...8).map { "reason \($0)" }
        for index in course.windows.indices { course.windows[index].outcomes = [1000] + (1...8).map { $0 } }
        let chart = try #require(Chart.charts(course, subtitle: "").last).text
        #expect(chart.contains(#""domain": ["reason 8", "reason 7", "reason 6", "reason 5", "reason 4", "any other"]"#))
        // 1 + 2 + 3 a second.
        #expect(chart.contains(#"{"from": 1.000000, "order": 5, "series": "any other", "value": 6.000}"#))
    }

    @Test("what is not measured is shaded, and a window without latencies leaves a gap")
    func gaps() throws {
        var course = LoadCourseTests.ordinary
        course.measuredFrom = 1_000_000
        course.windows[1].latency = nil
        let charts = Chart.charts(course, subtitle: "")
        #expect(charts[0].text.contains(#"{"from": 0.000000, "line": 0, "name": "not measured", "until": 1.000000}"#))
        #expect(charts[1].text.contains(#"{"from": 1.000000, "order": 2, "series": "half within", "value": null}"#))
        #expect(!charts[2].text.contains("not measured"))
    }
}
