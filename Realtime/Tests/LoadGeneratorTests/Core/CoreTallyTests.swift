import Testing

@testable import LoadGenerator

struct CoreTallyTests {
    /// The measurements of one shard: its backlog at the end of each second.
    private static func shard(_ backlogs: [Int]) -> CoreTally {
        backlogs.reduce(into: CoreTally()) { total, backlog in
            var second = CoreTally()
            second.backlog = backlog
            total.append(second)
        }
    }

    @Test("the backlog of several shards is their sum, second by second")
    func backlogOfShards() {
        var total = Self.shard([1, 30, 2])
        total.addShard(Self.shard([20, 5, 3]))
        total.addShard(Self.shard([0, 1, 4]))
        #expect(total.largestBacklog == 36)
        #expect(total.backlog == 9)
    }

    @Test("a second of only one shard counts unchanged")
    func unevenShards() {
        var total = Self.shard([1])
        total.addShard(Self.shard([2, 50]))
        #expect(total.largestBacklog == 50)
    }
}
