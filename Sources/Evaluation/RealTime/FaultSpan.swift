public import LiveActivityModel
import Quantities

/// A fault as marked in charts: its kind, beginning and end.
public struct FaultSpan: Hashable, Sendable {
    package let kind: Scenario.Fault.Kind
    /// The fault's name in scenarios, such as `apns_silent`.
    public var name: String { kind.rawValue }
    /// The beginning, since the beginning of the run [µs].
    public let from: Int64
    /// The end, since the beginning of the run [µs]; equal to the beginning for an instantaneous fault.
    public let until: Int64

    /// Creates a fault, with times since the beginning of the run [µs].
    public init(kind: Scenario.Fault.Kind, from: Int64, until: Int64) {
        self.kind = kind
        self.from = from
        self.until = until
    }

    /// Returns the faults of a scenario, in order.
    ///
    /// - Parameter speed: The ratio of the scenario's time to the chart's time.
    public static func all(of scenario: Scenario, atSpeed speed: Double = 1) -> [FaultSpan] {
        func scaled(_ time: TimeSpan) -> Int64 { Int64(Double(time.microseconds) / speed) }
        return scenario.faults.map { fault in
            FaultSpan(
                kind: fault.kind,
                from: scaled(fault.at),
                until: scaled(fault.at + fault.duration)
            )
        }
    }
}
