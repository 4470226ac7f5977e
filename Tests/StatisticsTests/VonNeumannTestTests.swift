import SimulationKernel
import Statistics
import TestSupport
import Testing

struct VonNeumannTestTests {
    /// C = -0.25, its standard deviation √(8/99).
    @Test("Von Neumann's test by hand")
    func knownTest() throws {
        let test = try #require(VonNeumannTest([3, 5, 4, 6, 2, 7, 5, 4, 8, 6]))
        #expect(abs(test.score + 0.879_452_954_967) < 1e-11)
        #expect(test.passes)
        #expect(VonNeumannTest([1, 2, 3, 4, 5, 6, 7]) == nil)
        #expect(VonNeumannTest([Double](repeating: 4, count: 20)) == nil)
    }

    /// A first-order autoregression with coefficient 0.9, of mean 0.
    private static func autoregression(_ count: Int, entity: UInt64) -> [Double] {
        let source = RandomSource(seed: 5, replication: 0)
        var value = 0.0
        return (0..<count)
            .map { index in
                let draw = source.draw(entity: entity, purpose: 1, index: UInt32(index))
                value = 0.9 * value + Normal.quantile((Double(draw >> 11) + 0.5) * 0x1p-53)
                return value
            }
    }

    /// Batches of five are as correlated as neighbours are; batches of 400, forty times the range of the correlation,
    /// are not.
    ///
    /// Of 400 trials at 10%, 40 ± 4 · 6 fail by chance.
    @Test("Short batches of a correlated series are detected, long ones cover its mean", .enabled(if: Loop.isFull))
    func correlated() throws {
        var shortPasses = 0
        var longPasses = 0
        var covered = 0
        for trial in 0..<400 as Range<UInt64> {
            func means(_ count: Int) -> [Double] {
                let (series, length) = (Self.autoregression(count, entity: trial), count / 20)
                return (0..<20).map { series[$0 * length..<($0 + 1) * length].reduce(0, +) / Double(length) }
            }
            shortPasses += try #require(VonNeumannTest(means(100))).passes ? 1 : 0
            longPasses += try #require(VonNeumannTest(means(8000))).passes ? 1 : 0
            covered += try #require(StudentInterval(means(8000))).range.contains(0) ? 1 : 0
        }
        #expect(shortPasses < 100)
        #expect((330...384).contains(longPasses))
        #expect((360...396).contains(covered))
    }
}
