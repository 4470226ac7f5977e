import Testing

@testable import Evaluation

@Suite("Objectives")
struct ObjectiveTests {
    @Test(
        "A text is parsed and written in a canonical form",
        arguments: [
            ("pushes_per_activity", "pushes_per_activity"),
            (" sender.connections ", "sender.connections"),
            ("3*sender.connections+0.001*pushes_sent_count", "3 * sender.connections + 0.001 * pushes_sent_count"),
            (
                "age_of_information_us{stage:on-trip}.p95 * 2 - cells",
                "2 * age_of_information_us{stage:on-trip}.p95 - cells"
            ),
            ("-cells + 1e-3 * events_count", "-cells + 0.001 * events_count"),
            ("-2 * cells", "-2 * cells"), ("events_count - -2 * cells", "events_count + 2 * cells"),
            ("monitor.retry.max_attempts * -1", "-monitor.retry.max_attempts"),
        ]
    )
    func roundTrip(text: String, canonical: String) throws {
        let objective = try Objective(parsing: text)
        #expect(objective.text == canonical)
        #expect(try Objective(parsing: canonical) == objective)
    }

    @Test(
        "A text that is not a sum of terms is rejected",
        arguments: [
            "", "3", "3 * 4", "events_count +", "events_count * cells", "0 * cells", "2 cells", "(cells)", "a + + b",
            "a - - b",
            "2 * 3 * cells", "nan * cells",
        ]
    )
    func malformed(text: String) {
        #expect(throws: ResponseError.malformedObjective(text)) { try Objective(parsing: text) }
    }
}
