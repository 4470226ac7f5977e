import LiveActivityModel
import Testing

@testable import Evaluation

@Suite("Comparisons")
struct ComparisonTests {
    @Test(
        "A text is parsed and written in a canonical form",
        arguments: [
            ("displayed_fresh_time_ratio>=95%", "displayed_fresh_time_ratio >= 95%"),
            ("  peak_age_us.p95   <  90s ", "peak_age_us.p95 < 1m30s"),
            ("events_count != 1e3", "events_count != 1000"),
            ("pushes_per_activity{all} <= -0.5", "pushes_per_activity <= -0.5"),
            ("send_queue_peak_count == 0", "send_queue_peak_count == 0"),
            ("fresh_time_ratio@0s..1h > 0.1%", "fresh_time_ratio@0s..1h > 0.1%"),
            ("displayed_fresh_time_ratio>=97%  with 0.95 ", "displayed_fresh_time_ratio >= 97% with 95%"),
            ("peak_age_us.p95 < 90s with 99.5%", "peak_age_us.p95 < 1m30s with 99.5%"),
            ("fresh_time_ratio > 99.99999999999999%", "fresh_time_ratio > 99.99999999999999%"),
            ("fresh_time_ratio > 0.000000000000000000001%", "fresh_time_ratio > 0.000000000000000000001%"),
            ("fresh_time_ratio > 12345678901234567890%", "fresh_time_ratio > 12345678901234568000%"),
        ]
    )
    func roundTrip(text: String, canonical: String) throws {
        let comparison = try Comparison(parsing: text)
        #expect(comparison.text == canonical)
        #expect(try Comparison(parsing: canonical) == comparison)
    }

    @Test(
        "Invalid comparisons are rejected",
        arguments: [
            "", "events_count", "events_count 5", "events_count = 5", "events_count => 5", "events_count > ",
            "> 5", "events_count > five", "events_count > 5 > 4", "events_count > nan", "events_count > -5s",
            "events_count > 5 apples", "events_count <> 5", "events_count > 5 with", "events_count > 5 with 50%",
            "events_count > 5 with 99.9%", "events_count > 5 with 95", "events_count > 5 with 2s",
            "events_count == 5 with 95%",
            "events_count != 5 with 95%", "events_count > 5 with 95% with 95%",
        ]
    )
    func malformed(text: String) {
        #expect(throws: ResponseError.self) { try Comparison(parsing: text) }
    }

    @Test("Relations are strict or not, as written")
    func relations() {
        let around: [(Relation, [Bool])] = [
            (.less, [true, false, false]), (.lessOrEqual, [true, true, false]), (.greater, [false, false, true]),
            (.greaterOrEqual, [false, true, true]), (.equal, [false, true, false]), (.unequal, [true, false, true]),
        ]
        #expect(around.map(\.0) == Relation.allCases.map(\.self))
        for (relation, expected) in around {
            #expect([4.0, 5, 6].map { relation.holds($0, 5) } == expected)
        }
    }

    @Test(
        "The limit is in the unit of the response",
        arguments: [
            ("peak_age_us > 1.5s", 1_500_000.0), ("peak_age_us > 0", 0), ("fresh_time_ratio > 95%", 0.95),
            ("fresh_time_ratio > 0.95", 0.95), ("events_count > 12", 12), ("pushes_per_activity > 1.5", 1.5),
            ("peak_age_us.count > 12", 12),
        ]
    )
    func limit(text: String, value: Double) throws {
        #expect(try Comparison(parsing: text).resolve(in: .smallPoisson).limit == value)
    }

    @Test(
        "A limit in another kind of unit is rejected",
        arguments: [
            (
                "peak_age_us > 90",
                #"must compare peak_age_us with a duration, such as 250us 250ms 3s 2m 8h 1d 1h30m, got "90""#
            ),
            ("events_count > 90s", #"must compare events_count with a number such as 1200, got "1m30s""#),
            ("fresh_time_ratio > 1s", #"must compare fresh_time_ratio with a share such as 0.95 or 95%, got "1s""#),
            ("fresh_time_ratio > 97", #"must compare fresh_time_ratio with a share such as 0.95 or 95%, got "97""#),
            ("pushes_per_activity < 5%", #"must compare pushes_per_activity with a number such as 1.5, got "5%""#),
        ]
    )
    func unfit(text: String, message: String) throws {
        let comparison = try Comparison(parsing: text)
        let error = #expect(throws: ResponseError.self) { try comparison.resolve(in: .smallPoisson) }
        #expect(error?.description == message)
    }
}
