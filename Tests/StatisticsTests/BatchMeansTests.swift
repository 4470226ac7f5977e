import SimulationKernel
import Statistics
import TestSupport
import Testing

struct BatchMeansTests {
    @Test("What is left over goes from the beginning")
    func batches() throws {
        let batches = try #require(BatchMeans([100, 1, 3, 5, 7, 2, 2], batches: 3))
        #expect(batches.means == [2, 6, 2])
        #expect(batches.interval.mean == 10.0 / 3)
        #expect(batches.interval == StudentInterval([2, 6, 2]))
        #expect(batches.independence == nil)
        #expect(BatchMeans([1, 2, 3], batches: 4) == nil)
        #expect(BatchMeans([1, 2, 3], batches: 1) == nil)
    }

    @Test("Ranges differ in length by one at most and leave nothing over")
    func ranges() {
        #expect(BatchMeans.ranges(count: 11, batches: 4) == [0..<2, 2..<5, 5..<8, 8..<11])
        #expect(BatchMeans.ranges(count: 4, batches: 4) == [0..<1, 1..<2, 2..<3, 3..<4])
    }

    /// C = -0.25, its standard deviation √(8/99).
    @Test("Von Neumann's test by hand")
    func knownTest() throws {
        let test = try #require(VonNeumannTest([3, 5, 4, 6, 2, 7, 5, 4, 8, 6]))
        #expect(abs(test.lagOneAutocorrelation + 1.0 / 3) < 1e-12)
        #expect(abs(test.score + 0.879_452_954_967) < 1e-11)
        #expect(abs(test.pValue - 0.810_422_134_769) < 1e-11)
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

    /// Batches of five are as alike as neighbours are; batches of 400, forty times the correlation's reach, are not.
    ///
    /// Of 400 trials at 10 %, 40 ± 4 · 6 fail by chance.
    @Test("Short batches of a correlated series are told, long ones cover its mean", .enabled(if: Loop.isFull))
    func correlated() throws {
        var shortPasses = 0
        var longPasses = 0
        var covered = 0
        for trial in 0..<400 as Range<UInt64> {
            let short = try #require(BatchMeans(Self.autoregression(100, entity: trial), batches: 20))
            shortPasses += try #require(short.independence).passes ? 1 : 0
            let long = try #require(BatchMeans(Self.autoregression(8000, entity: trial), batches: 20))
            longPasses += try #require(long.independence).passes ? 1 : 0
            covered += long.interval.contains(0) ? 1 : 0
        }
        #expect(shortPasses < 100)
        #expect((330...384).contains(longPasses))
        #expect((360...396).contains(covered))
    }
}
