import Quantities
import SimulationKernel

extension Fingerprint {
    /// Combines an event with the previous ones: unlike in a history, the order of events matters for a list.
    mutating func combine(time: Instant, event: UInt8, subject: UInt64) {
        combine(UInt64(bitPattern: time.microseconds) ^ UInt64(event) << 56)
        combine(subject)
    }
}
