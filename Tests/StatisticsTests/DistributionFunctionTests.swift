import Statistics
import Testing

/// Tabulated values from statistics textbooks.
struct DistributionFunctionTests {
    @Test(arguments: [(0.5, 0), (0.975, 1.959_964), (0.05, -1.644_854), (1e-9, -5.997_807)])
    func normal(probability: Double, value: Double) {
        #expect(abs(Normal.quantile(probability) - value) < 1e-6)
    }

    @Test(arguments: [(0.95, 1, 3.841_459), (0.05, 10, 3.940_299), (0.999, 255, 330.519_7), (1 - 1e-12, 4, 62.2)])
    func chiSquare(probability: Double, degreesOfFreedom: Double, value: Double) {
        #expect(abs(ChiSquare.cumulative(value, degreesOfFreedom: degreesOfFreedom) - probability) < 1e-7)
    }

    @Test(arguments: [(0.975, 1, 12.706_205), (0.975, 4, 2.776_445), (0.975, 30, 2.042_272), (0.05, 9, -1.833_113)])
    func student(probability: Double, degreesOfFreedom: Double, value: Double) {
        #expect(abs(Student.quantile(probability, degreesOfFreedom: degreesOfFreedom) - value) < 1e-6)
    }

    @Test
    func certainties() {
        #expect(Normal.quantile(1) == .infinity)
        #expect(Student.quantile(0, degreesOfFreedom: 3) == -.infinity)
    }
}
