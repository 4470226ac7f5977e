import Evaluation
import LiveActivityModel
import Quantities
import Testing
import TextFormats

@testable import Reporting

@Suite("Capacity of several runs, for a page")
struct CapacityPageTests {
    /// The run of ``CongestionTests``, with a number of streams; its queue has at most one push.
    private static func result(streams: Int, _ change: (inout Scenario) -> Void = { _ in }) async throws -> RunResult {
        var scenario = CongestionTests.scenario()
        scenario.sender.streams = streams
        change(&scenario)
        return try await RunResult.running(scenario)
    }

    private static func names(_ charts: [Chart]) -> [String] { charts.map(\.name) }

    private static func layer(_ chart: Chart, _ kind: String) -> JSONValue? {
        chart.specification["layer"]?.elements.first { $0["mark"]?["type"] == .string(kind) }
    }

    @Test("Both runs have the same quantities and axes; the limit is drawn in each")
    func sideBySide() async throws {
        let results = [try await Self.result(streams: 1), try await Self.result(streams: 2)]
        let charts = Chart.capacity(sideBySide: results)
        let names = ["streams", "queue", "wait", "requests"]
        #expect(charts.map(Self.names) == [names, names])
        for (base, changed) in zip(charts[0], charts[1]) {
            let encodings = [base, changed].map { Self.layer($0, "line")?["encoding"] }
            #expect(encodings[0] != nil && encodings[0] == encodings[1], "\(base.name)")
        }
        // 1.1 times the larger limit.
        let scale = Self.layer(charts[0][0], "line")?["encoding"]?["y"]?["scale"]
        #expect(scale?["domain"]?.text == "[0.000, 2.200]\n")
        let limits = charts.map { Self.layer($0[0], "rule")?["data"]?["values"]?.elements.map { $0["limit"] } }
        #expect(limits == [[.string("limit: 1")], [.string("limit: 2")]])
        #expect(charts.map { $0[0].title } == ["At most 1 of 1 stream in use", "At most 2 of 2 streams in use"])
        #expect(charts[0][1].specification.text.contains("; no limit"))
    }

    @Test("A limit far above the curve is stated instead of drawn; a budget has a chart, with its refill")
    func limits() async throws {
        let result = try await Self.result(streams: 100) { scenario in
            scenario.monitor.enabled = true
            scenario.monitor.retry.budget = Scenario.Budget()
            scenario.monitor.retry.budget?.perSecond = 0.5
            scenario.sender.retryBudget = Scenario.Budget()
            scenario.sender.retryBudget?.perPush = 0.1
        }
        let charts = Chart.capacity(sideBySide: [result])[0]
        #expect(Self.names(charts) == ["streams", "queue", "wait", "requests", "retries", "repeats"])
        #expect(Self.layer(charts[0], "rule") == nil)
        #expect(charts[0].specification.text.contains("; limit: 100, above the axis"))
        #expect(charts[4].specification.text.contains("refill: 0.50 a second"))
        #expect(charts[5].specification.text.contains("; no limit"))
    }

    @Test("The table has a row for each budget, with its refill and the retries or repeats that took a token")
    func budgets() async throws {
        let result = try await Self.result(streams: 100) { scenario in
            scenario.monitor.enabled = true
            scenario.monitor.retry.budget = Scenario.Budget()
            scenario.sender.retryBudget = Scenario.Budget()
            scenario.sender.retryBudget?.perSecond = 0.25
            scenario.sender.retryBudget?.capacity = 5
            // Each of the three requests takes 30 s and is repeated once.
            scenario.sender.timeout = .seconds(5)
            scenario.sender.attempts = 2
        }
        let rows = Report(result).limitsTable.rows
        #expect(
            rows.map { $0[0] } == [
                "streams in use", "pushes in the queue", "requests a second",
                "retries a second, by the monitor's budget", "repeats a second, by the sender's budget",
            ]
        )
        // Three repeats in 100 s.
        #expect(rows[4] == ["repeats a second, by the sender's budget", "0.25, burst 5", "0.03", "–"])
        let without = try await Self.result(streams: 100)
        #expect(Report(without).limitsTable.rows.count == 3)
    }

    @Test("Each run has its answer and its limits")
    func json() async throws {
        let results = [try await Self.result(streams: 1), try await Self.result(streams: 2)]
        let worlds = CapacityPage.json(of: results).elements
        #expect(worlds.count == 2)
        let answer = try #require(worlds[0]["answer"]?.text)
        #expect(answer.contains("Sender streams: full from 12:00:10 to 12:01:10"), "\(answer)")
        #expect(worlds[0]["limits"]?["columns"]?.elements.first == "of the simulated cells")
        #expect(worlds[0]["limits"]?["rows"]?.elements.first?.elements.prefix(2) == ["streams in use", "1"])
        #expect(worlds[1]["charts"]?.elements.map { $0["name"] } == ["streams", "queue", "wait", "requests"])
    }
}

extension JSONValue {
    fileprivate subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[key]
    }

    fileprivate var elements: [JSONValue] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }
}
