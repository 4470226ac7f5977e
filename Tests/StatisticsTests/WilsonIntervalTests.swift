import Statistics
import Testing

@Suite("Wilson's interval of a share")
struct WilsonIntervalTests {
    @Test(
        "It equals the interval in textbooks",
        arguments: [
            (0.0, 10.0, 0.0, 0.2775), (0.5, 10, 0.2366, 0.7634), (1, 10, 0.7225, 1), (0.1, 100, 0.0552, 0.1744),
        ]
    )
    func known(share: Double, size: Double, lower: Double, upper: Double) {
        let interval = WilsonInterval(share: share, of: size)
        #expect(abs(interval.range.lowerBound - lower) < 1e-4)
        #expect(abs(interval.range.upperBound - upper) < 1e-4)
    }

    @Test("It has a positive width at either end, and never leaves 0...1")
    func ends() {
        for size in [0.5, 3, 1e9] {
            for share in [0, 1e-12, 0.5, 1] {
                let interval = WilsonInterval(share: share, of: size)
                #expect(
                    interval.range.lowerBound >= 0 && interval.range.upperBound <= 1
                        && interval.range.lowerBound < interval.range.upperBound
                )
                #expect(interval.range.lowerBound <= share && share <= interval.range.upperBound)
            }
        }
    }
}
