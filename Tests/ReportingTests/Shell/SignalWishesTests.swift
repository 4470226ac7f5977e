import Testing

@testable import Reporting

@Suite("Signals and the wishes behind them")
struct SignalWishesTests {
    @Test("Signals within half a second of the first are the same wish; what comes later is another one")
    func wishes() {
        var wishes = SignalWishes()
        #expect(!wishes.isAny)
        // Counted from the first signal of a wish, not from the last: who goes on pressing is heard.
        let signals = [0, 1, 300, 499, 500, 900, 1000]
            .map { ($0, wishes.isNew(at: .seconds(1000) + .milliseconds($0))) }
        #expect(signals.filter(\.1).map(\.0) == [0, 500, 1000])
        #expect(wishes.isAny)
    }
}
