import Quantities
import Testing

@testable import LoadGenerator

@Suite("Due times of requests without an outcome")
struct UnfinishedDuesTests {
    private static func text(_ dues: UnfinishedDues, after elapsed: Int64) -> [[Int64]] {
        dues.waits(until: TimeSpan(microseconds: elapsed)).map { [$0.wait, Int64($0.count)] }
    }

    @Test("Waits come in steps of 100 ms, rounded down, the shortest first, until each request has its outcome")
    func waits() {
        var dues = UnfinishedDues()
        for due: Int64 in [100_000, 150_000, 420_000, 990_000] { dues.add(due) }
        #expect(Self.text(dues, after: 1_000_000) == [[0, 1], [500_000, 1], [800_000, 2]])
        for due: Int64 in [150_000, 990_000, 100_000] { dues.remove(due) }
        #expect(Self.text(dues, after: 1_000_000) == [[500_000, 1]])
        // A request that is due earlier than those left, as a lane's own start before zero would be.
        dues.add(-5)
        #expect(Self.text(dues, after: 1_000_000) == [[500_000, 1], [900_000, 1]])
        for due: Int64 in [-5, 420_000] { dues.remove(due) }
        #expect(Self.text(dues, after: 2_000_000) == [])
    }

    @Test("Lanes add up")
    func sum() {
        var (one, two) = (UnfinishedDues(), UnfinishedDues())
        one.add(700_000)
        for due: Int64 in [50_000, 210_000, 790_000] { two.add(due) }
        two.remove(50_000)
        one.add(two)
        #expect(Self.text(one, after: 1_000_000) == [[200_000, 2], [700_000, 1]])
        one.add(UnfinishedDues())
        #expect(Self.text(one, after: 1_000_000).count == 2)
    }
}
