import LiveActivityModel
import Testing

@testable import Evaluation
@testable import InputFiles
@testable import ScenarioLanguage

@Suite("Conditions on design points")
struct ConditionTests {
    private static let values = PointValues(
        tree: .mapping(
            [
                .init(
                    key: "monitor",
                    value: .mapping(
                        [
                            .init(key: "fresh_limit", value: .word("2m")),
                            .init(key: "retry", value: .word("{max_attempts: 1}")),
                            .init(key: "feedback", value: .text("acceptance")),
                        ],
                        isCompact: false
                    )
                ),
                .init(key: "apns", value: .mapping([.init(key: "loss", value: .number("0.01"))], isCompact: false)),
                .init(key: "cells", value: .number("4")),
            ],
            isCompact: false
        ),
        labels: ["monitor.retry": "none"]
    )

    @Test(
        "Durations compare as durations, numbers and shares as numbers, everything else as text",
        arguments: [
            ("monitor.fresh_limit == 120s", true), ("monitor.fresh_limit > 90s", true),
            ("monitor.fresh_limit<2m", false), ("monitor.fresh_limit > 0", true), ("1m >= monitor.fresh_limit", false),
            ("apns.loss == 1%", true), ("apns.loss <= 0.5%", false), ("cells != 4", false), ("cells >= 4", true),
            ("monitor.retry == none", true), ("monitor.retry != none", false), ("monitor.feedback == delivery", false),
            ("monitor.fresh_limit <= monitor.fresh_limit", true), ("monitor.feedback == acceptance", true),
        ]
    )
    func holds(_ text: String, _ expected: Bool) throws {
        let condition = try #require(Condition(parsing: text))
        #expect(try condition.holds(of: Self.values) == expected)
        #expect(Condition(parsing: condition.text) == condition)
    }

    @Test(
        "Incomparable values are reported",
        arguments: ["monitor.fresh_limit > 3", "monitor.retry < none", "monitor.nothing == 3", "fresh_limit == 2m"]
    )
    func errors(_ text: String) throws {
        let condition = try #require(Condition(parsing: text))
        #expect(throws: Condition.EvaluationError.self) { try condition.holds(of: Self.values) }
    }

    @Test(
        "A name that is no level of the factor is recognized on either side",
        arguments: [
            ("monitor.retry != nonne", "nonne"), ("rapid == monitor.retry", "rapid"), ("monitor.retry == none", nil),
            ("monitor.retry == {max_attempts: 3}", nil), ("monitor.retry == 3", nil),
            ("monitor.feedback == nonne", nil),
            ("monitor.retry == monitor.feedback", nil), ("content.ttl == long", nil), ("monitor.retry > nonne", nil),
        ]
    )
    func unknownLevels(_ text: String, _ name: String?) throws {
        let origin = Origin(.file(line: 1, column: 1))
        let levels = [("none", "{max_attempts: 1}"), ("quick", "{max_attempts: 3}")]
            .map { FactorLevel(label: $0.0, value: $0.1, origin: origin) }
        let ttl = FactorRange(
            lower: 6e7,
            upper: 6e8,
            measure: .duration,
            scale: .log,
            steps: 3,
            origin: origin,
            ends: ["1m", "10m"]
        )
        let factors = [
            Factor(path: "content.ttl", levels: .range(ttl), origin: origin),
            Factor(path: "monitor.retry", levels: .listed(levels), origin: origin),
        ]
        let found = try #require(Condition(parsing: text)).unknownLevel(of: factors)
        #expect(found?.name == name && found?.factor == (name == nil ? nil : 1))
    }

    @Test("Text that resembles an operator is part of a value")
    func operatorsInValues() throws {
        let condition = try #require(Condition(parsing: "rides.trace.file != data/date=2024/x<y.csv"))
        #expect(condition.right == "data/date=2024/x<y.csv" && condition.relation == .unequal)
    }

    @Test(
        "Other texts are not conditions",
        arguments: ["", "a", "a = b", "a >", "> b", "a => b", "a >< b", "a > b and c > d", "a < b < c"]
    )
    func noConditions(_ text: String) {
        #expect(Condition(parsing: text) == nil)
    }
}
