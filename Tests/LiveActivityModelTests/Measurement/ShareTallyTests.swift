import Testing

@testable import LiveActivityModel

struct ShareTallyTests {
    @Test
    func sumsOfShares() {
        var tally = ShareTally()
        tally.record(part: 0, of: 7)
        tally.record(part: 1, of: 4)
        tally.record(part: 5_000_000_000_000, of: 10_000_000_000_000)
        var other = ShareTally()
        other.record(part: 3, of: 3)
        tally.add(other)
        #expect(tally.count == 4)
        #expect(tally.total == 1.75)
    }
}
