import Quantities
import Testing

@testable import Benchmarking

struct CoreLoadTests {
    @Test("Shards divide the instances and the rate among them")
    func shards() throws {
        let tally = try CoreLoad(.brisk(instances: 1000), shards: 3)
            .run(perSecond: 3000, for: .milliseconds(200))
        #expect(tally.counts.updates + tally.backlog == 600)
        #expect(tally.wall >= 200_000_000)
    }
}
