import Evaluation
import LiveActivityModel
import Testing

@testable import Reporting
@testable import ScenarioLanguage

struct ReportSummaryTableTests {
    @Test
    func golden() async throws {
        let result = try await RunResult.running(.oneRide)
        let text = Report(result).summaryTable.replacing("\(RunID(.oneRide))", with: "RUN_ID")
        #expect(try text == Fixture.text("one-ride.summary.txt"), "\(text)")
    }

    @Test
    func fitsATerminal() async throws {
        let text = Report(try await RunResult.running(.offlinePhones, replications: 3)).summaryTable
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.filter { $0.count > 80 } == [])
        #expect(lines.count <= 36)
        #expect(text.contains("count per run"))
    }
}
