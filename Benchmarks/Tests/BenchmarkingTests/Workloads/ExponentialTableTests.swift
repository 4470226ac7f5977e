import Benchmarking
import Foundation
import Testing

/// The integer quantiles compared with the logarithm.
@Suite("Exponential table")
struct ExponentialTableTests {
    @Test("Nodes equal the logarithm to eight digits, and segments decrease from node to node")
    func nodes() {
        let table = ExponentialTable()
        var previous = UInt64.max
        for line in 0..<1024 as Range<UInt64> {
            let value = table.value(for: line << 54)
            #expect(value < previous)
            previous = value
            let exact = line == 0 ? -log(1.0 / 1024) + 2 : -log(Double(line) / 1024)
            #expect(abs(Double(value) / 0x1p28 - exact) < 2e-8)
        }
        #expect(table.value(for: .max) < 512)
    }

    @Test("The mean is one")
    func mean() {
        let table = ExponentialTable()
        let step: UInt64 = 1 << 44
        let sum = (0..<UInt64(1) << 20).reduce(0.0) { $0 + Double(table.value(for: $1 * step + step / 2)) }
        #expect(abs(sum / 0x1p20 / 0x1p28 - 1) < 1e-4)
    }
}
