import Statistics
import Testing

struct ResponseChangeTests {
    @Test(
        "Intervals next to a band of ±1",
        arguments: [
            (1.5, 2.5, .increase), (1.0, 2.5, .notSure), (0.5, 1.5, .notSure), (-1.0, 1.0, .withinNoise),
            (0.2, 0.4, .withinNoise), (-1.5, 0.5, .notSure), (-1.5, 1.5, .notSure), (-3, -1, .notSure),
            (-3, -1.5, .decrease), (1.0, 1.0, .withinNoise),
        ] as [(Double, Double, ResponseChange)]
    )
    func band(_ lower: Double, _ upper: Double, _ change: ResponseChange) {
        #expect(ResponseChange(lower: lower, upper: upper, band: 1) == change)
    }

    @Test(
        "Without a band",
        arguments: [
            (0.0, 0.0, .withinNoise), (0.0, 1.0, .notSure), (0.1, 1.0, .increase), (-1.0, -0.1, .decrease),
        ] as [(Double, Double, ResponseChange)]
    )
    func noBand(_ lower: Double, _ upper: Double, _ change: ResponseChange) {
        #expect(ResponseChange(lower: lower, upper: upper, band: 0) == change)
    }

    @Test(arguments: ResponseDirection.allCases, ResponseChange.allCases)
    func verdict(_ direction: ResponseDirection, _ change: ResponseChange) {
        let expected: ComparisonVerdict =
            switch change {
            case .increase: direction == .maximise ? .better : .worse
            case .decrease: direction == .maximise ? .worse : .better
            case .withinNoise: .noDifference
            case .notSure: .notSure
            }
        #expect(ComparisonVerdict(change, direction: direction) == expected)
    }
}
