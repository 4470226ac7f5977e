import Statistics
import Testing

struct SobolSequenceTests {
    /// Dimensions 1 and 2 of scipy 1.17.1, `qmc.Sobol(2, scramble=False).random(9)`, without the origin.
    @Test
    func knownPoints() {
        let points = SobolSequence(dimensions: 2).points(8)
        #expect(
            points == [
                [0.5, 0.5], [0.75, 0.25], [0.25, 0.75], [0.375, 0.375], [0.875, 0.875], [0.625, 0.125],
                [0.125, 0.625], [0.1875, 0.3125],
            ]
        )
    }

    @Test("With the origin, 2^m points have one value in each 2^m-th part, in every dimension")
    func stratified() {
        let points = SobolSequence(dimensions: 40).points(255)
        for dimension in 0..<40 {
            #expect(points.map { Int($0[dimension] * 256) }.sorted() == Array(1...255))
        }
    }

    @Test("Fewer points are a prefix of more")
    func extends() {
        let sequence = SobolSequence(dimensions: 6)
        #expect(Array(sequence.points(100)[..<30]) == sequence.points(30))
    }
}
