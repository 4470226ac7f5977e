public import LiveActivityModel
import Quantities

/// A fault as charts mark it: what broke, and from when until when.
public struct FaultSpan: Hashable, Sendable {
    /// What broke, in words.
    let name: String
    /// When it began, since the beginning [µs].
    let from: Int64
    /// When it was over, since the beginning [µs]; of a fault that is an instant, the same.
    let until: Int64

    /// The faults of a scenario, in its order.
    ///
    /// - Parameter speed: How much faster than the scenario's time goes the one in which the chart counts.
    public static func all(of scenario: Scenario, atSpeed speed: Double = 1) -> [FaultSpan] {
        func scaled(_ time: TimeSpan) -> Int64 { Int64(Double(time.microseconds) / speed) }
        return scenario.faults.map { fault in
            FaultSpan(
                name: Wording.fault(fault.kind),
                from: scaled(fault.at),
                until: scaled(fault.at + fault.duration)
            )
        }
    }
}
