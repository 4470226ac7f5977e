import Quantities
import SimulationKernel

extension Fingerprint {
    /// Takes in one event after the others: unlike in a history, which of several comes first is what matters to a list.
    mutating func combine(time: Instant, event: UInt8, subject: UInt64) {
        combine(UInt64(bitPattern: time.microseconds) ^ UInt64(event) << 56)
        combine(subject)
    }
}
