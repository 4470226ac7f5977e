import FreshnessCore
import Testing

@Suite struct FreshnessClassTests {
    /// The raw values index tables of class times, so they begin at 0 and have no gap.
    @Test func rawValuesCountFromZero() {
        #expect(FreshnessClass.allCases == [.fresh, .recoverable, .severe])
        #expect(FreshnessClass.allCases.map(\.rawValue) == [0, 1, 2])
    }
}
