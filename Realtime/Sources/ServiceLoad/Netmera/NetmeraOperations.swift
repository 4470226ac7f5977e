import Quantities
import SimulationKernel
package import Wire

/// The requests of a backend and its apps to a notification service with Netmera's calls.
///
/// Each request is a function of its number, by a keyed draw. Of a hundred requests, one starts the next ride's activity, one
/// registers its update token, one ends the oldest activity, and the rest are updates. Updates go only to the middle half of
/// the activities, so no request overtakes one that it depends on unless answers take as long as hundreds of requests.
package struct NetmeraOperations: Hashable, Sendable {
    /// The kind of a request.
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
        package var kind: Kind
        /// The number of the ride, which names the group.
        package var ride: Int
        /// The number of the user.
        package var user: Int
    }

    /// The number of activities at any time.
    package let groups: Int
    /// `true` if activities start and end; otherwise every request updates one of the same activities.
    private let isTurningOver: Bool
    private let random: RandomSource

    /// The number of requests per activity that ends.
    private static var cycle: Int { 100 }

    /// Requests about some activities.
    ///
    /// - Precondition: `groups` is at least 4.
    package init(groups: Int, isTurningOver: Bool = true, seed: UInt64) {
        precondition(groups >= 4, "fewer than four groups")
        self.groups = groups
        self.isTurningOver = isTurningOver
        random = RandomSource(seed: seed, replication: 0)
    }

    /// The request with a number.
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
        // The quarter at each end gets no updates.
        let margin = isTurningOver ? groups / 4 : 0
        let draw = random.draw(entity: UInt64(number), purpose: 0, index: 0)
        let step = Int(draw.multipliedFullWidth(by: UInt64(groups - 2 * margin)).high)
        return operation(.update, about: (isTurningOver ? turn : 0) + margin + step)
    }

    private func operation(_ kind: Kind, about ride: Int) -> Operation {
        Operation(kind: kind, ride: ride, user: user(ofRide: ride))
    }

    /// The number of the user who takes a ride.
    func user(ofRide ride: Int) -> Int { ride % groups }

    /// The update token of a ride's activity.
    package func updateToken(ride: Int) -> DeviceToken { DeviceToken(ride: UInt64(ride), number: 1) }

    /// The push-to-start token of a user's phone, which belongs to no ride.
    package func starterToken(user: Int) -> DeviceToken { DeviceToken(ride: UInt64(user) | 1 << 62, number: 0) }
}
