import SimulationKernel
import Statistics
import Testing

@testable import Experiments

@Suite("Samplers that were made")
struct KnownSamplersTests {
    @Test("A distribution has the sampler that it would have without memory, however many came before")
    func samplers() throws {
        let known = KnownSamplers()
        let table = Distribution.lognormal(median: 45e6, p95: 110e6)
        let first = try known.sampler(of: table)
        #expect(try first == table.compiled(within: 0...0x1p62))
        #expect(try known.sampler(of: table) == first)
        #expect(known.madeCount == 1)
        for value in 0..<1000 {
            #expect(try known.sampler(of: .constant(Double(value))) == .constant(Int64(value)))
            #expect(known.count <= KnownSamplers.limit)
        }
        #expect(try known.sampler(of: table) == first)
        #expect(known.madeCount == 1002)
    }

    @Test("What makes none is refused, and not remembered")
    func refused() throws {
        let known = KnownSamplers()
        for _ in 0..<2 {
            #expect(throws: DistributionError.self) { try known.sampler(of: .constant(-1)) }
        }
        #expect(known.count == 0)
    }
}
