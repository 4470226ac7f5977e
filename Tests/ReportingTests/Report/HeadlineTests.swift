import Testing

@testable import Evaluation
@testable import Reporting

@Suite("The headline of a run")
struct HeadlineTests {
    private static func headline(_ values: [String: Double]) -> Headline {
        Headline { metric, statistic, scope in
            values["\(metric) \(statistic) \(scope)"].map { SummaryRow(metric, .decimal($0)) }
        }
    }

    private static let values = [
        "ride_fresh_coverage_ratio ratio all": 0.84526, "ride_stale_coverage_ratio ratio all": 0.03694,
        "ride_no_card_time_ratio ratio all": 0.1178, "ride_stage_coverage_ratio ratio all": 0.8746,
        "fresh_time_ratio ratio all": 0.980_86, "displayed_fresh_time_ratio ratio during_ride": 0.9581,
        "displayed_fresh_time_ratio denominator after_ride": 3.38, "displayed_fresh_time_ratio denominator all": 100,
    ]

    @Test("Shares of ride time come first; each other number names its whole; the gap is that of the printed numbers")
    func sentences() {
        #expect(
            Self.headline(Self.values).sentences == [
                "Of ride time: fresh card 84.53 % · stale card 3.69 % · no card 11.78 %.",
                "Right stage: 87.46 % of ride time.", "Leftover cards: 3.38 % of screen time.",
                "Believed fresh: 98.09 % of watched time, 2.28 points above the 95.81 % of screen time during rides that is "
                    + "fresh.",
            ]
        )
    }

    @Test("A number without a value is left out, and a belief without a share to compare with has no gap")
    func gaps() {
        #expect(Self.headline([:]).sentences == ["There were no rides."])
        let belief = Self.headline(["fresh_time_ratio ratio all": 0.5])
        #expect(belief.sentences == ["There were no rides.", "Believed fresh: 50.00 % of watched time."])
        var values = Self.values
        values["fresh_time_ratio ratio all"] = 0.958_11
        #expect(Self.headline(values).gap == "the same as")
        values["fresh_time_ratio ratio all"] = 0.9
        #expect(Self.headline(values).gap == "5.81 points below")
    }

    @Test(
        "Printed shares add up to 100 %: the last takes the rest, and none is negative",
        arguments: [
            ([0.845_26, 0.036_94, 0.1178], ["84.53 %", "3.69 %", "11.78 %"]),
            // Rounded one by one: 33.34 + 33.33 + 33.34.
            ([0.333_351, 0.333_298, 0.333_351], ["33.34 %", "33.33 %", "33.33 %"]),
            // Rounded one by one: 50.01 + 50.00 + 0.00.
            ([0.500_051, 0.499_95, 0], ["50.01 %", "49.99 %", "0.00 %"]),
            ([0, 0, 1], ["0.00 %", "0.00 %", "100.00 %"]),
            ([1, 0, 0], ["100.00 %", "0.00 %", "0.00 %"]),
        ] as [([Double], [String])]
    )
    func addingUp(shares: [Double], texts: [String]) {
        #expect(Format.percents(ofWhole: shares) == texts)
    }
}
