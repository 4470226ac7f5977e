import Experiments
import LiveActivityModel
import Testing

@testable import Reporting

struct SummaryTableTests {
    @Test
    func golden() async throws {
        let result = try await RunResult.running(.oneRide)
        let text = SummaryTable(result).text.replacing("\(RunID(.oneRide))", with: "RUN_ID")
        #expect(try text == Fixture.text("one-ride.summary.txt"), "\(text)")
    }

    @Test
    func fitsATerminal() async throws {
        let text = SummaryTable(try await RunResult.running(.offlinePhones, replications: 3)).text
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.filter { $0.count > 100 } == [])
        #expect(lines.count <= 32)
    }
}
