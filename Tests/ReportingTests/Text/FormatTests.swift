import Evaluation
import Testing

@testable import Reporting

struct FormatTests {
    @Test(
        arguments: [
            (0, "0"), (999, "999"), (1000, "1,000"), (-1000, "-1,000"), (123_456, "123,456"), (1_234_567, "1,234,567"),
            (Int64.min, "-9,223,372,036,854,775,808"),
        ] as [(Int64, String)]
    )
    func count(number: Int64, text: String) {
        #expect(Format.count(number) == text)
    }

    @Test(
        arguments: [
            (0.97314, "97.31 %"), (0, "0.00 %"), (1, "100.00 %"), (0.000_01, "0.00 %"), (nil, "–"), (.nan, "–"),
        ] as [(Double?, String)]
    )
    func percent(share: Double?, text: String) {
        #expect(Format.percent(share) == text)
    }

    @Test(arguments: [(0.95, "95 %"), (0.999, "99.9 %"), (0.9, "90 %"), (1, "100 %"), (0.0001, "0.01 %"), (.nan, "–")])
    func level(share: Double, text: String) {
        #expect(Format.level(share) == text)
    }

    @Test("Half a push is negligible if there are many")
    func differenceOfCounts() {
        #expect(Format.difference(1234.5, unit: "count", isShare: false) == "+1,235")
        #expect(Format.difference(-2.5, unit: "count", isShare: false) == "−2.50")
    }

    @Test
    func aPartOfNothingIsUndefined() {
        #expect(Format.percent(0, of: 0) == "–")
        #expect(Format.percent(1, of: 3) == "33.33 %")
    }

    @Test(
        arguments: [
            (0, "0 s"), (7, "7 µs"), (999, "999 µs"), (1000, "1 ms"), (2500, "2.5 ms"), (41_234, "41 ms"),
            (1_000_000, "1 s"), (2_345_678, "2.35 s"), (41_234_567, "41.2 s"), (60_000_000, "60 s"),
            (120_000_000, "2 min"), (725_000_000, "12 min 05 s"), (3_599_700_000, "60 min 00 s"),
            (7_200_000_000, "2 h"), (18_420_000_000, "5 h 07 min"), (86_400_000_000_000, "24,000 h"),
            (3_599_970_000_000, "1,000 h 00 min"), (3_600_030_000_000, "1,000 h"),
            (-1500, "-1.5 ms"),
        ] as [(Int64, String)]
    )
    func span(microseconds: Int64, text: String) {
        #expect(Format.span(microseconds) == text)
    }

    @Test(arguments: [(nil, "–"), (.nan, "–"), (1234.6, "1.2 ms")] as [(Double?, String)])
    func spanOfAMean(microseconds: Double?, text: String) {
        #expect(Format.span(microseconds) == text)
    }

    @Test(arguments: [(nil, "–"), (0, "0.00"), (-1234.5, "-1,234.50"), (19, "19.00")] as [(Double?, String)])
    func number(number: Double?, text: String) {
        #expect(Format.number(number) == text)
    }

    @Test
    func undefinedRows() {
        #expect(Format.value(nil) == "–")
        #expect(Format.interval(nil) == "–")
    }

    @Test("Shares are written in percent, ratios of two speeds are not")
    func shares() {
        func text(_ metric: String) -> String {
            Format.value(SummaryRow(scope: "all", metric: metric, stat: "ratio", unit: "1", value: .decimal(0.5)))
        }
        #expect(text("displayed_fresh_time_ratio") == "50.00 %" && text("errors_ratio") == "50.00 %")
        #expect(text("speed_up") == "0.50")
    }

    @Test("A difference has the reach of chance in its unit; a relative one has one place below 10 %")
    func differencesWithReach() {
        #expect(Format.difference(0.0042, reach: 0.0005, unit: "1", isShare: true) == "+0.42 ± 0.05 pp")
        #expect(Format.difference(-2, reach: .infinity, unit: "1", isShare: false) == "−2.00")
        #expect(Format.difference(nil, reach: 1, unit: "1", isShare: false) == "–")
        #expect([-0.24, 0.0136, 0].map { Format.relative($0) } == ["−24 %", "+1.4 %", "±0.0 %"])
        #expect(Format.relative(nil).isEmpty)
    }
}
