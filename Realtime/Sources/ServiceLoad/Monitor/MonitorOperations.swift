import Quantities
import SimulationKernel
package import Wire

/// The requests of apps to a Freshness Monitor; each is a function of its number, by a keyed draw.
///
/// The first requests publish a token for each instance, in order. Each later request is about a random instance: 87 %
/// announce new content, 6 % publish a rotated token, 2 % withdraw the token, and 5 % read the instance.
package struct MonitorOperations: Hashable, Sendable {
    /// The kinds of requests, in the order of reports; rides end in scenarios alone.
    package static let kinds: [MonitorRoute] = [.publish, .announce, .withdraw, .read, .end]

    /// One request.
    package struct Operation: Hashable, Sendable {
        package let kind: MonitorRoute
        /// The number of the instance, from 0.
        package let instance: Int
        /// The token of a publication.
        package var token: DeviceToken?
    }

    private let instances: Int
    private let random: RandomSource

    /// Requests for some instances.
    ///
    /// - Precondition: `instances` is above 0.
    package init(instances: Int, seed: UInt64) {
        precondition(instances > 0, "no instances")
        self.instances = instances
        random = RandomSource(seed: seed, replication: 0)
    }

    /// The request with a number.
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

    /// The instances that the first requests publish.
    func instances(after requests: Int) -> Range<Int> { 0..<min(instances, requests) }

    private func publication(of instance: Int, number: UInt32) -> Operation {
        Operation(kind: .publish, instance: instance, token: DeviceToken(ride: UInt64(instance), number: number))
    }
}
