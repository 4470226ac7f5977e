import LiveActivityModel
import Testing

@testable import Studio

@Suite("Grid requests")
struct GridQuestionTests {
    private func question(of responses: String...) throws -> GridQuestion {
        let texts = responses.map { "\"\($0)\"" }.joined(separator: ",")
        let text = #"{"ask":1,"base":[],"columns":["a=1"],"rows":["b=1"],"responses":[\#(texts)]}"#
        return try GridQuestion(Message(Array(text.utf8)))
    }

    /// Without this check the studio would exit and close all pages.
    @Test(
        "A response that needs its own measurement of part of the run is refused; one from the time series is accepted"
    )
    func windows() throws {
        let told = try question(of: "displayed_fresh_time_ratio@15m..45m", "pushes_sent_count")
        #expect(try told.resolved(in: Scenario()).count == 2)
        let refused = try question(of: "pushes_sent_count", "stage_lag_us@15m..45m")
        let error = #expect(throws: MessageError.self) { try refused.resolved(in: Scenario()) }
        let beginning = "responses: stage_lag_us@15m..45m needs its own measurement"
        #expect(error?.sentence.hasPrefix(beginning) == true)
    }
}
