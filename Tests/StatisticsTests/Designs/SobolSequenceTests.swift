import Statistics
import Testing

struct SobolSequenceTests {
    /// Dimensions 1 and 2 of scipy 1.17.1, `qmc.Sobol(2, scramble=False).random(9)`, without the origin.
    @Test
    func knownPoints() throws {
        let points = try SobolSequence(dimensions: 2).points(8)
        #expect(
            points == [
                [0.5, 0.5], [0.75, 0.25], [0.25, 0.75], [0.375, 0.375], [0.875, 0.875], [0.625, 0.125],
                [0.125, 0.625], [0.1875, 0.3125],
            ]
        )
    }

    @Test("With the origin, 2^m points have one value in each 2^m-th part, in every dimension")
    func stratified() throws {
        let points = try SobolSequence(dimensions: 40).points(255)
        for dimension in 0..<40 {
            #expect(points.map { Int($0[dimension] * 256) }.sorted() == Array(1...255))
        }
    }

    @Test("Fewer points are the beginning of more")
    func extends() throws {
        let sequence = try SobolSequence(dimensions: 6)
        #expect(try Array(sequence.points(100)[..<30]) == sequence.points(30))
    }

    @Test
    func refused() throws {
        #expect(throws: DesignError.dimensionCount(41, allowed: 1...40)) { try SobolSequence(dimensions: 41) }
        #expect(throws: DesignError.dimensionCount(0, allowed: 1...40)) { try SobolSequence(dimensions: 0) }
        #expect(throws: DesignError.pointCount(0, allowed: 1...SobolSequence.largestPointCount)) {
            try SobolSequence(dimensions: 3).points(0)
        }
        #expect(
            DesignError.dimensionCount(41, allowed: 1...40).description == "a design must have 1 to 40 factors, got 41"
        )
    }
}
