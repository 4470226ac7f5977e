import Evaluation
package import LiveActivityModel
import Quantities
import ScenarioLanguage

/// A program that plays a part of a scenario in real time, and with it some of the faults.
package enum FaultHost: Sendable {
    /// The APNs stand-in, which plays requests, answers and, unless the provider loses its own, connections.
    case standIn(losesConnections: Bool)
    /// `load scenario`, where everything but APNs is the model's own, and the endpoint plays APNs.
    case scenario(playsAPNs: Bool)
    /// `load monitor`, which plays rides and phones, with APNs in a stand-in; monitor and sender are the program under test.
    case monitor

    /// The faults of APNs alone.
    private static let ofAPNs: Set<Scenario.Fault.Kind> = [.apnsSilent, .apnsUnavailable, .apnsSlow, .apnsCapacity]

    /// Returns `true` if the host, together with the stand-in that it starts, plays faults of a kind.
    package func plays(_ kind: Scenario.Fault.Kind) -> Bool {
        switch self {
        case .standIn(let losesConnections):
            FaultHost.ofAPNs.contains(kind) || kind == .connectionLost && losesConnections
        case .scenario(let playsAPNs): playsAPNs || !FaultHost.ofAPNs.contains(kind)
        // The monitor gets content when it is needed, without an endpoint.
        case .monitor: ![.senderPaused, .monitorPaused, .contentSlow].contains(kind)
        }
    }

    /// A message about the faults of a scenario that the host leaves out, with their instants; nil if it plays all of them.
    package func warning(about scenario: Scenario) -> String? {
        let leftOut = scenario.faults.filter { !plays($0.kind) }
        guard !leftOut.isEmpty else { return nil }
        let names = leftOut.map {
            "\($0.kind.rawValue) at \(Amount.duration(microseconds: Double($0.at.microseconds)).text)"
        }
        let played = Scenario.Fault.Kind.allCases.filter(plays).map(\.rawValue).joined(separator: ", ")
        return "faults that are not played here: \(names.joined(separator: ", ")); played are: \(played)"
    }
}
