import SimulationKernel
import Statistics
import Testing

@testable import Experiments

@Suite("Cached samplers")
struct KnownSamplersTests {
    @Test("A distribution has the same sampler with and without the cache, however many came before")
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

    @Test("An invalid distribution is rejected and not cached")
    func refused() throws {
        let known = KnownSamplers()
        for _ in 0..<2 {
            #expect(throws: DistributionError.self) { try known.sampler(of: .constant(-1)) }
        }
        #expect(known.count == 0)
    }
}
