import LiveActivityModel
import Testing

@testable import Evaluation
@testable import Results

@Suite("Metrics of loads")
struct LoadMetricTests {
    @Test(
        "Each is declared once, under a name of its own that ends with its unit, with one sentence"
    )
    func declarations() {
        let all = MetricDeclaration.loads
        let simulated = MetricCatalog.declarations
        #expect(Set(all.map(\.name) + simulated.map(\.name)).count == all.count + simulated.count)
        #expect(Set(all.map(\.meaning) + simulated.map(\.meaning)).count == all.count + simulated.count)
        for metric in all {
            let isShare = metric.name.hasSuffix("_ratio")
            #expect((metric.unit == "1") == isShare, "\(metric.name)")
            #expect(metric.meaning.hasSuffix(".") && metric.meaning.count > 15, "\(metric.name)")
            #expect(!metric.statisticsOfLoads.isEmpty && !metric.scopesOfLoads.isEmpty, "\(metric.name)")
        }
    }

    @Test("A scope means the same in every metric that has it")
    func parts() {
        var words: [String: String?] = [:]
        for scope in (MetricDeclaration.loads + MetricCatalog.declarations).flatMap(\.scopesOfLoads) {
            #expect(words[scope.name] ?? scope.words == scope.words, "\(scope.name)")
            words[scope.name] = scope.words
        }
    }

    @Test("Comparisons use the declared direction; what a load sends is neither better nor worse")
    func directions() {
        for metric in MetricDeclaration.loads { #expect(MetricDirection(inLoads: metric.name) == metric.direction) }
        #expect(MetricDirection(inLoads: "pushes_sent_count") == .neutral)
        #expect(MetricDirection(inLoads: "send_time_us") == .lower)
        #expect(MetricDirection(inLoads: "displayed_fresh_time_ratio") == .higher)
    }

    @Test("Declared shares are the load's, the simulator's follow from their names")
    func shares() {
        #expect(SummaryRow.isShare("errors_ratio", unit: "1"))
        #expect(!SummaryRow.isShare("request_latency_us", unit: "us"))
        #expect(SummaryRow.isShare("displayed_fresh_time_ratio", unit: "1"))
    }
}
