import Evaluation
import LiveActivityModel
import Quantities
import Testing

@testable import Reporting

/// Reports of several replications state means.
@Suite("Counts per run")
struct PerRunTests {
    private static func result(_ replications: Int) async throws -> RunResult {
        try await RunResult.running(.offlinePhones, replications: replications)
    }

    @Test("Report, terminal and charts have the counts of one run; files have the sums")
    func report() async throws {
        let result = try await Self.result(3)
        let sum = result.total.pushesSent
        let mean = Format.count(mean: result.perReplication(sum))
        let report = Report(result)
        #expect(
            report.blocks.markdown.contains("| Pushes sent per run | \(mean) |")
                || report.blocks.markdown.contains("Pushes sent per run")
        )
        #expect(report.summaryTable.contains("count per run"))
        #expect(report.summaryTable.contains(mean) && !report.summaryTable.contains(Format.count(sum)))
        #expect(Chart.pushes(result)?.title.hasPrefix("\(mean) pushes per run, ") == true)
        #expect(Chart.funnel(result)?.title.contains("episodes of staleness per run") == true)
        let stale = StaleTime(result)
        #expect(report.blocks.markdown.contains(Format.span(result.perReplication(stale.whole))))
        let file = try #require(RunFiles(result).files.first { $0.path == "summary.csv" })
        #expect(file.text.contains("all,pushes_sent_count,total,count,\(sum),"))
    }

    @Test("With one replication nothing is per run")
    func one() async throws {
        #expect(try await !Report(Self.result(1)).blocks.markdown.contains("per run"))
    }

    @Test("A check of a count states that it applies to the sum")
    func checks() async throws {
        let result = try await Self.result(3)
        let checks = try ["pushes_sent_count <= 1", "displayed_fresh_time_ratio > 1%"]
            .map {
                Check(try Comparison(parsing: $0))
            }
        let list = CheckList(try CheckOutcome.outcomes(of: checks, in: result))
        #expect(list.text.contains("pushes_sent_count (sum of 3 runs)"))
        #expect(
            list.verdict.contains("pushes_sent_count <= 1: \(Format.count(result.total.pushesSent)) (sum of 3 runs)")
        )
        #expect(!list.text.contains("displayed_fresh_time_ratio (sum"))
        #expect(!list.csv.contains("sum of"))
    }

    @Test("A count that the run cannot show has a reason instead of a tile or a cell")
    func unmet() async throws {
        let result = try await Self.result(1)
        let tile = try #require(HeadlineTile.tiles(of: result).last)
        #expect(tile.value == "–" && tile.interval.isEmpty)
        #expect(
            tile.unmet == "not measured: the run ends before Apple's limit"
                && tile.label == "cards left until Apple's limit"
        )
        #expect(Report(result).blocks.markdown.contains("not measured: the run ends before Apple's limit"))
    }
}
