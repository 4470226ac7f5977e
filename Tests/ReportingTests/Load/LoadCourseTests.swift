import Evaluation
import Foundation
import LiveActivityModel
import Quantities
import Results
import Testing

@testable import Reporting

struct LoadCourseTests {
    /// Windows of one second each: requests due, finished, accepted, and rejected for one reason or another.
    private static func course(
        _ windows: [(asked: Int?, done: Int, outcomes: [Int])],
        measuredFrom: Int64 = 0
    ) -> LoadCourse {
        LoadCourse(
            items: "requests",
            done: "answered",
            outcomes: ["accepted", "TooManyRequests", "no answer in time"],
            measuredFrom: measuredFrom,
            windows: windows.enumerated()
                .map { index, window in
                    LoadCourse.Window(
                        start: Int64(index) * 1_000_000,
                        length: 1_000_000,
                        asked: window.asked,
                        done: window.done,
                        latency: .init(median: 100 + Double(index), percentile99: 2000, longest: 5000 - Double(index)),
                        outcomes: window.outcomes
                    )
                },
            percentile99: 2000
        )
    }

    static let ordinary = course([
        (1000, 1000, [990, 10, 0]), (1000, 900, [880, 15, 5]), (nil, 80, [80, 0, 0]),
    ])

    @Test("the text states the counts")
    func sentences() {
        let course = Self.ordinary
        #expect(course.rateSentence == "Target: 1,000 requests a second; answered 950 while it ran")
        let rate = "Target: 1,000 requests a second; answered 224.94 per second during the load"
        #expect(course.rateSentence(answered: "224.94") == rate, "it may be too short for a whole second")
        let longer = Self.course([(1000, 0, [0, 0, 0])] + (0..<3).map { _ in (1000, 950, [950, 0, 0]) })
        #expect(longer.rateSentence(answered: "950.00").hasSuffix(" during the load (over its whole seconds)"))
        var warm = longer
        warm.measuredFrom = 1_000_000
        #expect(
            warm.rateSentence(answered: "950.00")
                .hasSuffix(" during the load (over its whole seconds, without the first one after the warm-up)")
        )
        #expect(course.latencySentence == "99 % of answered requests took at most 2 ms from their due time")
        #expect(course.outcomeSentence == "98.48 % accepted; most of the rest: TooManyRequests")
        #expect(course.shortfallSentence == course.outcomeSentence)
        #expect(course.totals == [1950, 25, 5])
    }

    @Test("The sentence on latency has the bound of the tile if requests without an answer are the slowest")
    func boundedSentence() throws {
        var results = LoadReport.apns([
            SummaryRow("request_latency_us", "p99", .integer(7_550_000)),
            SummaryRow("pushes_sent_count", .integer(1000)),
            SummaryRow("apns_response_missing_count", .integer(40)),
            SummaryRow("unanswered_wait_us", "min", .integer(10_000_000)),
        ])
        results.course = Self.ordinary
        let sentence = "The p99 latency from the due time is at least 10 s: 40 of 1,000 requests have no answer"
        #expect(results.boundedCourse?.latencySentence == sentence)
        #expect(HeadlineTile.tiles(of: results.rows).contains { $0.value == "≥ 10 s, 40 unanswered" })
    }

    @Test("the few responses after the plan's end are no rate: the line ends with the plan")
    func rest() throws {
        func rate(_ rest: Int) throws -> String {
            let windows: [(asked: Int?, done: Int, outcomes: [Int])] = [
                (1000, 1000, [1000, 0, 0]), (nil, rest, [rest, 0, 0]),
            ]
            return try #require(Chart.charts(Self.course(windows), subtitle: "").first { $0.name == "rate" }).text
        }
        #expect(try rate(80) == rate(40))
        // Without a plan the last window is like the others.
        let closed = Self.course([(nil, 500, [500, 0, 0]), (nil, 77, [77, 0, 0])])
        #expect(Chart.charts(closed, subtitle: "")[0].text.contains("\"value\": 77"))
    }

    @Test("unmeasured requests do not count")
    func warmUp() {
        let course = Self.course([(10, 10, [5, 5, 0]), (200, 100, [100, 0, 0])], measuredFrom: 1_000_000)
        #expect(course.rateSentence == "Target: 200 requests a second; answered 100 while it ran")
        #expect(course.outcomeSentence == "All 100 requests accepted" && course.shortfallSentence == nil)
    }

    @Test("a changing rate is described by its mean, a closed loop by the finished requests")
    func kinds() {
        let rising = Self.course([(100, 100, [100, 0, 0]), (300, 300, [300, 0, 0])])
        #expect(rising.rateSentence == "Target: 200 requests a second; answered 200 on average while it ran")
        let closed = Self.course([(nil, 500, [500, 0, 0]), (nil, 700, [700, 0, 0])])
        #expect(closed.rateSentence == "600 requests a second answered on average")
        var nothing = LoadCourse(
            items: "requests",
            done: "answered",
            outcomes: ["accepted"],
            windows: [],
            percentile99: nil
        )
        #expect(nothing.rateSentence == "No requests were answered")
        #expect(nothing.latencySentence == "No latency: no requests were answered")
        nothing.isTimed = false
        #expect(nothing.latencySentence == nil)
        #expect(nothing.outcomeSentence == "No requests to count by outcome")
    }

    @Test("a fault is marked in the load's own time, in words, above the unmeasured part; a later one is not")
    func faults() throws {
        var scenario = Scenario()
        scenario.faults = [
            Scenario.Fault(kind: .apnsSilent, at: .seconds(100), duration: .seconds(200)),
            Scenario.Fault(kind: .connectionLost, at: .seconds(250), duration: .zero),
            Scenario.Fault(kind: .apnsSlow, at: .seconds(300), duration: .seconds(10)),
        ]
        var course = Self.course([(10, 10, [10, 0, 0]), (10, 10, [10, 0, 0]), (10, 10, [10, 0, 0])])
        let plain = Chart.charts(course, subtitle: "")
        #expect(!plain[0].text.contains("\"fault\""))
        course.faults = FaultSpan.all(of: scenario, atSpeed: 100)
        for chart in Chart.charts(course, subtitle: "").prefix(2) {
            let layers = try DrawnLayer.layers(of: chart.text)
            // The span and the instant are behind the lines, the names in front, as in a report of the simulator.
            #expect(layers.map { $0.mark } == ["rect", "rule", "line", "text", "text"], "\(chart.name)")
            for index in [0, 1, 3, 4] {
                #expect(layers[index].rows.map { $0["from"] as? Double } == [1, 2.5])
                #expect(layers[index].rows.map { $0["until"] as? Double } == [3, 2.5])
                #expect(layers[index].rows.map { $0["fault"] as? String } == ["APNs silent", "connections lost"])
                #expect(layers[index].rows.map { $0["line"] as? Int } == [0, 1])
            }
        }
        course.measuredFrom = 1_000_000
        let named = try #require(DrawnLayer.layers(of: Chart.charts(course, subtitle: "")[0].text).last)
        #expect(named.rows.map { $0["line"] as? Int } == [1, 2])
    }

    @Test("merged windows keep their counts and the worst latencies")
    func coarser() {
        let course = Self.course((0..<10).map { (asked: 100, done: 90 + $0, outcomes: [90, $0, 0]) })
        #expect(course.coarser(atMost: 10) == course)
        let coarse = course.coarser(atMost: 4)
        #expect(coarse.windows.map(\.start) == [0, 3_000_000, 6_000_000, 9_000_000])
        #expect(coarse.windows.map(\.length) == [3_000_000, 3_000_000, 3_000_000, 1_000_000])
        #expect(coarse.windows.map(\.asked) == [300, 300, 300, 100])
        #expect(coarse.windows[1].outcomes == [270, 3 + 4 + 5, 0])
        #expect(coarse.windows[1].latency == LoadCourse.Latency(median: 105, percentile99: 2000, longest: 4997))
        #expect(coarse.totals == course.totals)
    }
}
