import Evaluation
import Testing

struct LimitSearchTests {
    @Test("doubles until it fails, then halves the interval", arguments: [(100.0, 730.0), (4000, 730), (730, 730)])
    func search(first: Double, limit: Double) throws {
        var search = LimitSearch(first: first, precision: 0.05)
        var trials = 0
        while let rate = search.next {
            search.tried(holds: rate <= limit)
            trials += 1
            try #require(trials < 40)
        }
        let held = try #require(search.held)
        let failed = try #require(search.failed)
        #expect(held <= limit)
        #expect(limit < failed)
        #expect(failed - held <= held * 0.05)
    }

    @Test("gives up below the lowest rate and above the highest")
    func ends() {
        var nothing = LimitSearch(first: 8, lowest: 4)
        nothing.tried(holds: false)
        #expect(nothing.next == 4)
        nothing.tried(holds: false)
        #expect(nothing.next == nil)
        #expect(nothing.held == nil)
        var everything = LimitSearch(first: 8, highest: 12)
        everything.tried(holds: true)
        #expect(everything.next == 12)
        everything.tried(holds: true)
        #expect(everything.next == nil)
        #expect(everything.held == 12)
    }
}
