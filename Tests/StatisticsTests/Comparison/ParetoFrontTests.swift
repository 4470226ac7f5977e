import SimulationKernel
import Statistics
import Testing

struct ParetoFrontTests {
    @Test("Ties and duplicates")
    func known() {
        let points: [[Double]] = [
            // Freshness, for which larger is better, and pushes, for which smaller is better.
            [0.90, 10], [0.95, 20], [0.95, 25], [0.90, 10], [0.97, 40], [0.80, 10], [0.99, 40], [0.85, 5],
        ]
        let front = ParetoFront(points: points, directions: [.maximise, .minimise])
        #expect(front.members == [0, 1, 3, 6, 7])
        #expect(front.unsure.isEmpty)
        #expect(ParetoFront(points: [[Double]](), directions: [.maximise, .maximise]).members.isEmpty)
        #expect(ParetoFront(points: [[1, 2]], directions: [.maximise, .maximise]).members == [0])
        #expect(ParetoFront(points: [[1, 2], [1, 2]], directions: [.minimise, .minimise]).members == [0, 1])
    }

    @Test("Small scopes: the sweep agrees with the definition", arguments: 0..<200 as Range<UInt64>)
    func definition(_ seed: UInt64) {
        let source = RandomSource(seed: seed, replication: 0)
        let count = Int(source.draw(entity: 1000, purpose: 1, index: 0) % 12)
        let points = (0..<count)
            .map { point in
                (0..<2 as Range<UInt32>)
                    .map { Double(source.draw(entity: UInt64(point), purpose: 1, index: $0) % 5) }
            }
        let members = points.indices.filter { one in
            !points.indices.contains { other in
                points[other][0] <= points[one][0] && points[other][1] >= points[one][1] && points[other] != points[one]
            }
        }
        #expect(ParetoFront(points: points, directions: [.minimise, .maximise]).members == members)
    }

    /// Points by response and replication; differences are clear unless stated otherwise.
    @Test("Memberships that may be due to chance")
    func unsure() {
        let clear = { (mean: Double) in [mean, mean + 0.001, mean - 0.001] }
        let points: [[[Double]]] = [
            // Certainly on the front.
            [clear(3), clear(1)],
            // Worse in one response, cheaper: certainly on the front.
            [clear(0.9), clear(0.5)],
            // Dominated by 1 in the mean, but its first response varies strongly.
            [[0.4, 1.2, 0.8], clear(0.6)],
            // Certainly dominated.
            [clear(0.2), clear(0.9)],
            // The best second response, but not certainly.
            [clear(0.1), [0.1, 0.5, 0.3]],
            // Its rival: equal in the first, a little worse in the second.
            [clear(0.1), [0.3, 0.4, 0.35]],
        ]
        let front = ParetoFront(replications: points, directions: [.maximise, .minimise])
        #expect(front.members == [0, 1, 4])
        #expect(front.unsure == [2, 4, 5])
    }

    @Test("Points that never differ do not make each other uncertain")
    func duplicates() {
        let noisy: [[Double]] = [[1, 2, 3], [4, 8, 1]]
        let front = ParetoFront(replications: [noisy, noisy], directions: [.maximise, .maximise])
        #expect(front.members == [0, 1])
        #expect(front.unsure.isEmpty)
    }

    @Test("Always equal in one response, uncertain in the other")
    func halfEqual() {
        let front = ParetoFront(
            replications: [[[1, 2, 3], [4, 8, 1]], [[1, 2, 3], [5, 6, 1]]],
            directions: [.maximise, .maximise]
        )
        #expect(front.members == [0])
        #expect(front.unsure == [0, 1])
        let sure = ParetoFront(
            replications: [[[1, 2, 3], [4, 8, 1]], [[1, 2, 3], [3, 7, 0]]],
            directions: [.maximise, .maximise]
        )
        #expect(sure.members == [0])
        #expect(sure.unsure.isEmpty)
    }
}
