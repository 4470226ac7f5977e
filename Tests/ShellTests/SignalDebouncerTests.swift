import Testing

@testable import Shell

@Suite("Signals and the requests they express")
struct SignalDebouncerTests {
    @Test("Signals within half a second of the first are one request; a later one is another")
    func debouncer() {
        var debouncer = SignalDebouncer()
        #expect(!debouncer.isAny)
        // The time counts from the first signal of a request, not from the last, so repeated signals take effect.
        let signals = [0, 1, 300, 499, 500, 900, 1000]
            .map { ($0, debouncer.isNew(at: .seconds(1000) + .milliseconds($0))) }
        #expect(signals.filter(\.1).map(\.0) == [0, 500, 1000])
        #expect(debouncer.isAny)
    }
}
