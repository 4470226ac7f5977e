import Quantities
import SimulationKernel
import Testing

struct SamplerBankTests {
    static let samplers: [Sampler] = [
        .constant(42),
        SamplerTests.nested,
        Sampler(.uniform(low: -10, width: 1_000_000)),
        Sampler(.table(QuantileTableTests.straight)),
        SamplerTests.nested,
        Sampler(.values([1, 1, 2, 3, 5, 8])),
        Sampler(joining: [
            (last: 99, sampler: .constant(7)), (last: .max, sampler: Sampler(.table(QuantileTableTests.straight))),
        ]),
        .constant(-1),
        Sampler(joining: (0..<17).map { (last: .max / 17 * UInt64($0 + 1), sampler: .constant(Int64($0))) }),
    ]

    @Test
    func agreesWithItsSamplers() {
        let bank = SamplerBank(Self.samplers)
        #expect(bank.count == Self.samplers.count)
        for (index, sampler) in Self.samplers.enumerated() {
            let id = SamplerID(index)
            for draw in QuantileTableTests.draws + sampler.parts.flatMap({ [$0.range.first, $0.range.last] }) {
                #expect(bank.sample(id, draw) == sampler.value(for: draw), "sampler \(index), draw \(draw)")
                #expect(bank.sample(mostly: id, draw) == sampler.value(for: draw), "sampler \(index), draw \(draw)")
            }
        }
    }

    @Test
    func constantsAskForNoDraw() {
        let bank = SamplerBank(Self.samplers)
        var asked = 0
        func draw() -> UInt64 {
            asked += 1
            return 0
        }
        #expect(bank.timeSpan(SamplerID(0), draw()) == TimeSpan(microseconds: 42))
        #expect(asked == 0)
        #expect(bank.timeSpan(SamplerID(2), draw()) == TimeSpan(microseconds: -10))
        #expect(asked == 1)
    }

    @Test
    func empty() {
        #expect(SamplerBank([]).count == 0)
    }
}
