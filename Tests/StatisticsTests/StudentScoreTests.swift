import Statistics
import Testing

struct StudentScoreTests {
    /// Φ⁻¹(T(t)) from the incomplete beta function at forty digits.
    @Test(
        arguments: [
            (1.5, 4, 1.25908398042707), (-3.2, 7.5, -2.46411629401548), (12, 9, 4.9428243258009),
            (-25, 100, -14.0452993480126), (40, 3, 4.14232224914797), (8, 1000, 7.87429624322521),
            (0.001, 5, 0.000951532815230231), (0.3, 1, 0.234685501212453),
        ]
    )
    func knownScores(value: Double, degreesOfFreedom: Double, score: Double) {
        let found = Student.normalScore(value, degreesOfFreedom: degreesOfFreedom)
        #expect(abs(found / score - 1) < 1e-10)
        #expect(Student.normalScore(-value, degreesOfFreedom: degreesOfFreedom) == -found)
    }

    @Test
    func middle() {
        #expect(Student.normalScore(0, degreesOfFreedom: 3) == 0)
    }
}
