import LiveActivityModel
import Statistics
import Testing

@testable import Evaluation

/// The rules from batches to an interval, or to the reason for having none, each computed by hand.
@Suite("Rules for printing an interval")
struct IntervalRuleTests {
    private static func counts(_ values: [Double]) -> IntervalRule {
        IntervalRule(parts: values.map { ($0, 1) })
    }

    private static func bounds(_ certainty: Certainty) -> ClosedRange<Double>? {
        guard case .interval(let bounds, _) = certainty else { return nil }
        return bounds
    }

    private static func reason(_ certainty: Certainty) -> IntervalGap.Reason? {
        guard case .gap(let gap) = certainty else { return nil }
        return gap.reason
    }

    /// Values around a mean, neither skewed nor constant.
    private static func steady(_ mean: Double, _ deviation: Double, parts: Int = 16) -> [Double] {
        (0..<parts).map { mean + deviation * [-1.0, 1, -0.5, 0.5][$0 % 4] }
    }

    // MARK: - Counts

    @Test("A count of 0 reaches to 3.7; a few events have the exact interval, however they are split into batches")
    func fewCounts() throws {
        let none = try #require(Self.bounds(Self.counts([0, 0, 0, 0]).count(isOpenEnded: true)))
        #expect(none.lowerBound == 0 && abs(none.upperBound - 3.689) < 1e-3)
        let three = try #require(
            Self.bounds(Self.counts([1, 1, 1] + [Double](repeating: 0, count: 13)).count(isOpenEnded: true))
        )
        let exact = GammaInterval(estimate: 3, dispersion: 1).range
        #expect(three.lowerBound <= exact.lowerBound && three.upperBound >= exact.upperBound && three.upperBound < 11)
    }

    @Test("Large counts have the width of Student's interval, but at least that of a Poisson count")
    func manyCounts() throws {
        let values = Self.steady(1000, 200)
        let interval = try #require(Self.bounds(Self.counts(values).count(isOpenEnded: true)))
        let student = try #require(StudentInterval(values))
        #expect(abs((interval.upperBound - interval.lowerBound) / 2 / (student.halfWidth * 16) - 1) < 0.02)
        let even = try #require(Self.bounds(Self.counts(Self.steady(1000, 1)).count(isOpenEnded: true)))
        #expect(abs((even.upperBound - even.lowerBound) / 2 / (1.96 * 16_000.0.squareRoot()) - 1) < 0.01)
        let fixed = try #require(Self.bounds(Self.counts(Self.steady(1000, 1)).count(isOpenEnded: false)))
        #expect(fixed.upperBound - fixed.lowerBound < 15)
        #expect(Self.reason(Self.counts([50, 50, 50]).count(isOpenEnded: false)) == .noVariation)
    }

    @Test("Clustered events have no interval while they are few or zero")
    func clusters() {
        let one = Self.counts([40] + [Double](repeating: 0, count: 15))
        #expect(Self.reason(one.count(isOpenEnded: true)) == .fewEvents)
        #expect(Self.reason(Self.counts([0, 0, 0]).count(isOpenEnded: true, isClustered: true)) == .noVariation)
        #expect(Self.bounds(Self.counts(Self.steady(100, 30)).count(isOpenEnded: true, isClustered: true)) != nil)
    }

    // MARK: - Shares of events

    @Test("A share of events at 0 or 1 has a width, by Wilson's formula")
    func sharesOfEvents() throws {
        let all = IntervalRule(parts: [(5, 5), (4, 4), (6, 6), (5, 5)]).shareOfEvents()
        #expect(all == .interval(WilsonInterval(share: 1, of: 20).range, parts: 4))
        let some = try #require(Self.bounds(IntervalRule(parts: [(5, 5), (4, 5), (5, 5), (4, 5)]).shareOfEvents()))
        #expect(some.contains(0.9) && some.lowerBound > 0.5 && some.upperBound < 1)
    }

    @Test("Clustered events count for less")
    func clusteredShares() throws {
        let single = IntervalRule(parts: [(5, 5), (4, 4), (6, 6), (5, 5)]).shareOfEvents()
        let clustered = IntervalRule(parts: [(8, 8), (1, 1), (9, 9), (2, 2)]).shareOfEvents()
        let (narrow, wide) = (try #require(Self.bounds(single)), try #require(Self.bounds(clustered)))
        #expect(wide.lowerBound < narrow.lowerBound - 0.05)
    }

    @Test("A share of clustered events has no interval below ten of them, even if there are none")
    func clusteredReasons() {
        func rule(_ events: Double) -> IntervalRule { IntervalRule(parts: Array(repeating: (events, 100), count: 8)) }
        #expect(Self.reason(rule(0).shareOfEvents(isClustered: true)) == .fewEvents)
        #expect(Self.reason(rule(1).shareOfEvents(isClustered: true)) == .fewEvents)
        #expect(Self.bounds(rule(2).shareOfEvents(isClustered: true)) != nil)
        #expect(Self.bounds(rule(0).shareOfEvents()) != nil)
    }

    // MARK: - Shares of time and means

    @Test("Steady batches have the width of Student's interval")
    func steadyParts() throws {
        let parts = Self.steady(20, 2).map { (numerator: $0, denominator: 100.0) }
        let share = try #require(Self.bounds(IntervalRule(parts: parts).share(heaviest: nil)))
        let mean = try #require(Self.bounds(IntervalRule(parts: parts).mean(heaviest: nil)))
        let student = try #require(RatioEstimator(parts)).halfWidth
        for interval in [share, mean] {
            #expect(abs((interval.upperBound - interval.lowerBound) / 2 / student - 1) < 0.02)
        }
    }

    @Test("No interval if one more of the heaviest contributions would move the value by more than the width")
    func heaviest() {
        let rule = IntervalRule(parts: Self.steady(20, 2).map { ($0, 100) })
        #expect(Self.bounds(rule.share(heaviest: (0, 2))) != nil)
        #expect(Self.reason(rule.share(heaviest: (0, 100))) == .heaviest)
        #expect(Self.reason(rule.mean(heaviest: (1e4, 100))) == .heaviest)
        #expect(Self.reason(Self.counts(Self.steady(20, 2)).sum(heaviest: 100)) == .heaviest)
    }

    @Test("The required factor: the heaviest weight falls with the size, the interval with its square root")
    func factor() throws {
        let rule = IntervalRule(parts: Self.steady(20, 2).map { ($0, 100) })
        guard case .gap(let gap) = rule.share(heaviest: (0, 100)) else { return #expect(Bool(false)) }
        let factor = try #require(gap.factor)
        // The same number of batches, each larger by the factor; deviations grow with its square root.
        let larger = IntervalRule(
            parts: Self.steady(20 * factor * 1.01, 2 * (factor * 1.01).squareRoot()).map { ($0, 101 * factor) }
        )
        #expect(Self.bounds(larger.share(heaviest: (0, 100))) != nil)
    }

    @Test("No interval wider than its value, and none for fewer than ten events")
    func few() {
        let three = IntervalRule(parts: [(1, 1), (4, 1), (6.5, 1)])
        #expect(Self.reason(three.mean(heaviest: nil)) == .fewEvents)
        let rare = IntervalRule(parts: ([3, 4, 2] + [Double](repeating: 0, count: 13)).map { ($0, 1000) })
        #expect(Self.reason(rare.share(heaviest: nil)) == .fewEvents)
        let nearlyAll = IntervalRule(
            parts: ([997, 996, 998] + [Double](repeating: 1000, count: 13)).map { ($0, 1000) }
        )
        #expect(Self.reason(nearlyAll.share(heaviest: nil)) == .fewEvents)
    }

    @Test("No interval of zero width")
    func noVariation() {
        #expect(Self.reason(IntervalRule(parts: [(5, 5), (6, 6), (5, 5)]).share(heaviest: nil)) == .noVariation)
        #expect(Self.reason(IntervalRule(parts: [(0, 5), (0, 6), (0, 5)]).mean(heaviest: nil)) == .noVariation)
        // One ride in one of the batches.
        #expect(Self.reason(IntervalRule(parts: [(5, 6), (0, 0), (0, 0)]).share(heaviest: nil)) == .fewEvents)
    }

    @Test("Batches of very different sizes, or with an outlier, give no interval")
    func uneven() {
        let small = (0..<13).map { (10 + Double($0 % 3), 50.0) }
        let sizes = IntervalRule(parts: [(Double, Double)](repeating: (200, 1000), count: 3) + small)
        #expect(Self.reason(sizes.mean(heaviest: nil)) == .fewEvents)
        let skewed = IntervalRule(parts: (Self.steady(20, 0.5, parts: 15) + [30]).map { ($0, 100) })
        #expect(Self.reason(skewed.mean(heaviest: nil)) == .fewEvents)
    }

    @Test("A mean of values with a skewness of 4 needs 400 of them")
    func skewedValues() {
        let rule = IntervalRule(parts: Self.steady(20, 2).map { ($0, 100) })
        #expect(Self.reason(rule.mean(heaviest: nil, events: (skewness: 4, count: 399))) == .fewEvents)
        #expect(Self.bounds(rule.mean(heaviest: nil, events: (skewness: 4, count: 401))) != nil)
    }
}
