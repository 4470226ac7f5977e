import Quantities
import SimulationKernel
package import Wire

/// What a backend and its apps ask of a notification service in Netmera's manner, request by request; a function of the
/// request's number, drawn by a key.
///
/// Activities come and go: of a hundred requests one starts the next ride's activity, one brings its update token, one ends
/// the oldest, and the rest are updates of rides in between. Those that are about to come or go are left alone, so that
/// none of these requests overtakes one that it depends on, unless answers take as long as hundreds of requests do.
package struct NetmeraOperations: Hashable, Sendable {
    /// What a request asks.
    package enum Kind: String, CaseIterable, Sendable {
        /// An app's event with a token.
        case token
        /// `sendNotification`.
        case start
        /// `update-live-activity`, `UPDATE`.
        case update
        /// `update-live-activity`, `END`.
        case end
    }

    /// One request.
    package struct Operation: Hashable, Sendable {
        /// What it asks.
        package var kind: Kind
        /// About which ride's activity; its group's name is made of it.
        package var ride: Int
        /// Who rides.
        package var user: Int
    }

    /// How many activities there are at any time.
    package let groups: Int
    /// Whether activities start and end; without, every request is an update of one of the same.
    private let isTurningOver: Bool
    private let random: RandomSource

    /// One request in as many as this ends an activity.
    private static var cycle: Int { 100 }

    /// Requests about some activities, four at least.
    package init(groups: Int, isTurningOver: Bool = true, seed: UInt64) {
        precondition(groups >= 4, "fewer than four groups")
        self.groups = groups
        self.isTurningOver = isTurningOver
        random = RandomSource(seed: seed, replication: 0)
    }

    /// The request of a number.
    package func operation(_ number: Int) -> Operation {
        let (turn, place) = number.quotientAndRemainder(dividingBy: NetmeraOperations.cycle)
        if isTurningOver {
            switch place {
            case 10: return operation(.start, about: groups + turn)
            case 50: return operation(.token, about: groups + turn)
            case 90: return operation(.end, about: turn)
            default: break
            }
        }
        // A quarter at either end is left alone.
        let margin = isTurningOver ? groups / 4 : 0
        let draw = random.draw(entity: UInt64(number), purpose: 0, index: 0)
        let step = Int(draw.multipliedFullWidth(by: UInt64(groups - 2 * margin)).high)
        return operation(.update, about: (isTurningOver ? turn : 0) + margin + step)
    }

    private func operation(_ kind: Kind, about ride: Int) -> Operation {
        Operation(kind: kind, ride: ride, user: ride % groups)
    }

    /// The update token of a ride's activity.
    package func updateToken(ride: Int) -> DeviceToken { DeviceToken(ride: UInt64(ride), number: 1) }

    /// The token that starts activities on a user's phone; no ride's.
    package func starterToken(user: Int) -> DeviceToken { DeviceToken(ride: UInt64(user) | 1 << 62, number: 0) }
}
