import SimulationKernel
import Statistics
import Testing

struct MSER5Tests {
    private static func noise(_ count: Int) -> [Double] {
        let source = RandomSource(seed: 3, replication: 0)
        return (0..<count).map { Double(source.draw(entity: 1, purpose: 1, index: UInt32($0)) >> 11) * 0x1p-53 }
    }

    @Test("A step up is truncated where it ends, to the next five")
    func step() {
        let noise = (0..<200).map { Double($0 % 2) }
        for length in [0, 5, 20, 60] {
            #expect(
                MSER5.truncation(noise.enumerated().map { $0.offset < length ? $0.element - 50 : $0.element }) == length
            )
        }
        #expect(MSER5.truncation(noise.enumerated().map { $0.offset < 22 ? $0.element - 50 : $0.element }) == 25)
    }

    @Test("A series that changes to the end is too short, and so is one of few values")
    func tooShort() {
        #expect(MSER5.truncation((0..<200).map { Double($0) }) == nil)
        #expect(MSER5.truncation(Self.noise(200).enumerated().map { $0.offset < 120 ? 9 : $0.element }) == nil)
        #expect(MSER5.truncation([Double](repeating: 1, count: 49)) == nil)
    }

    @Test("Exactly half is allowed, and of equally good numbers the smallest is deleted")
    func edges() {
        #expect(MSER5.truncation((0..<100).map { $0 < 50 ? 7 : 1 }) == 50)
        #expect(MSER5.truncation((0..<100).map { $0 < 55 ? 7 : 1 }) == nil)
        #expect(MSER5.truncation([Double](repeating: 1, count: 50)) == 0)
    }

    /// The definition of the rule, in O(n²).
    @Test("The update from the end gives the same result as the definition")
    func definition() {
        let source = RandomSource(seed: 8, replication: 0)
        for trial in 0..<50 as Range<UInt64> {
            var level = 0.0
            let series = (0..<100)
                .map { index -> Double in
                    level += Double(source.draw(entity: trial, purpose: 1, index: UInt32(index)) >> 11) * 0x1p-53 - 0.5
                    return level
                }
            let means = stride(from: 0, to: 100, by: 5).map { series[$0..<$0 + 5].reduce(0, +) / 5 }
            let errors = (0...15)
                .map { deleted in
                    let rest = means[deleted...]
                    let count = Double(rest.count)
                    let mean = rest.reduce(0, +) / count
                    return rest.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count * count)
                }
            let best = errors.indices.min { errors[$0] < errors[$1] } ?? 0
            #expect(MSER5.truncation(series) == (best <= 10 ? best * 5 : nil), "trial \(trial)")
        }
    }
}
