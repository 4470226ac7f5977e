import SimulationKernel
import Statistics
import Testing

struct LatinHypercubeTests {
    private static let source = RandomSource(seed: 11, replication: 0)

    private static func design(_ count: Int, _ dimensions: Int) -> LatinHypercube {
        LatinHypercube(points: count, dimensions: dimensions, source: source, entity: 1, purpose: 40)
    }

    @Test("Every factor has one value in each nth part", arguments: [1, 2, 7, 64, 1000])
    func parts(_ count: Int) {
        let design = Self.design(count, 5)
        #expect(design.points.count == count)
        for dimension in 0..<5 {
            let values = design.points.map { $0[dimension] }
            #expect(values.allSatisfy { (0..<1).contains($0) })
            #expect(values.map { Int($0 * Double(count)) }.sorted() == Array(0..<count))
        }
    }

    @Test("Within its part a value is uniform, and factors are matched at random")
    func chance() {
        let count = 4000
        let points = Self.design(count, 2).points
        let within = points.map { ($0[0] * Double(count)).truncatingRemainder(dividingBy: 1) }
        #expect((0.001...0.999).contains(KolmogorovSmirnov.pValue(uniform: within)))
        // The correlation of matched ranks has a standard error of 1 / sqrt(n - 1).
        let covariance = points.reduce(0) { $0 + ($1[0] - 0.5) * ($1[1] - 0.5) } / Double(count)
        #expect(abs(covariance * 12) < 4 / Double(count).squareRoot())
    }

    @Test("Equal draws give equal designs, other draws another; factors do not change when more are added")
    func keyed() {
        let design = Self.design(50, 3)
        #expect(Self.design(50, 3) == design)
        #expect(Self.design(50, 4).points.map { Array($0[..<3]) } == design.points)
        let other = LatinHypercube(points: 50, dimensions: 3, source: Self.source, entity: 1, purpose: 41)
        #expect(other != design)
    }
}
