public import FreshnessCore
public import Quantities
import SimulationKernel

/// What can be seen of all activities at one instant: a look from outside that changes nothing.
extension CellSimulation {
    /// One activity, as its rider and the server see it.
    public struct Glance: Hashable, BitwiseCopyable, Sendable {
        /// The ride.
        public let ride: UInt64
        /// Which of the ride's stages.
        public let stage: Int
        /// What the screen shows.
        public let screen: Screen
        /// What the server believes; nil while it does not watch the instance.
        public let belief: FreshnessClass?
    }

    /// What a screen shows at an instant, the worst that is true of it.
    public enum Screen: UInt8, CaseIterable, BitwiseCopyable, Sendable {
        /// Content before its stale date, of the stage that the ride is in.
        case fresh
        /// Content past its stale date.
        case stale
        /// A stage that is over.
        case wrongStage
        /// The activity of a ride that is over.
        case leftBehind
    }

    /// Tells of each activity that is on a screen, in no order that means anything.
    ///
    /// - Parameter instant: Now, left out; or a later instant up to which all events have been run.
    /// - Complexity: O(places).
    public func census(at instant: Instant? = nil, _ tell: (Glance) -> Void) {
        let now = max(loop.now, instant ?? loop.now)
        let scratch = UnsafeMutablePointer<Activity>.allocate(capacity: 1)
        defer { scratch.deallocate() }
        for number in 0..<activities.count {
            guard let activity = activities.look(number, in: scratch)?.entity.pointee,
                activity.phone.phase == .live
            else { continue }
            tell(
                Glance(
                    ride: activity.ride,
                    stage: activity.stage,
                    screen: screen(of: activity, at: now),
                    belief: activity.instance?.classification(at: now)
                )
            )
        }
    }

    private func screen(of activity: Activity, at now: Instant) -> Screen {
        if activity.isRideOver { return .leftBehind }
        if !activity.showsStage { return .wrongStage }
        return activity.phone.content.staleDate <= now ? .stale : .fresh
    }

    /// Lets time pass up to an instant at which nothing happens, so that ``census(_:)`` sees that instant.
    ///
    /// - Precondition: All events up to it have been run.
    public mutating func look(at instant: Instant) { loop.advance(to: instant) }
}
