import Quantities
import SimulationKernel
package import Wire

/// What apps ask of a Freshness Monitor, request by request; a function of the request's number, drawn by a key.
///
/// The first requests publish a token for each instance, in order. After that each request picks an instance: mostly new
/// content, now and then a rotated token, a withdrawal, a look at its class.
package struct MonitorOperations: Hashable, Sendable {
    /// What requests ask, in the order of reports; only a scenario has rides that end.
    package static let kinds: [MonitorRoute] = [.publish, .announce, .withdraw, .read, .end]

    /// One request.
    package struct Operation: Hashable, Sendable {
        /// What it asks.
        package let kind: MonitorRoute
        /// Of which instance, from 0.
        package let instance: Int
        /// The token that a publication carries.
        package var token: DeviceToken?
    }

    private let instances: Int
    private let random: RandomSource

    /// Requests for some instances, one at least.
    package init(instances: Int, seed: UInt64) {
        precondition(instances > 0, "no instances")
        self.instances = instances
        random = RandomSource(seed: seed, replication: 0)
    }

    /// The request of a number.
    package func operation(_ number: Int) -> Operation {
        guard number >= instances else { return publication(of: number, number: 0) }
        let draw = random.draw(entity: UInt64(number), purpose: 0, index: 0)
        let instance = Int(draw.multipliedFullWidth(by: UInt64(instances)).high)
        let share = random.draw(entity: UInt64(number), purpose: 0, index: 1).multipliedFullWidth(by: 100).high
        return switch share {
        case 0..<6: publication(of: instance, number: UInt32(truncatingIfNeeded: number))
        case 6..<8: Operation(kind: .withdraw, instance: instance)
        case 8..<13: Operation(kind: .read, instance: instance)
        default: Operation(kind: .announce, instance: instance)
        }
    }

    private func publication(of instance: Int, number: UInt32) -> Operation {
        Operation(kind: .publish, instance: instance, token: DeviceToken(ride: UInt64(instance), number: number))
    }
}
