public import FreshnessCore
public import Quantities
import SimulationKernel

/// A census of all activities at one instant, which changes nothing.
extension CellSimulation {
    /// One activity, as its rider and the server see it.
    public struct Glance: Hashable, BitwiseCopyable, Sendable {
        public let ride: UInt64
        /// The index of the ride's stage.
        public let stage: Int
        /// The state of the screen.
        public let screen: Screen
        /// The server's belief; nil while it does not watch the instance.
        public let belief: FreshnessClass?
    }

    /// The state of a screen at an instant: the worst that applies.
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

    /// Reports each activity that is on a screen, in unspecified order.
    ///
    /// - Parameter instant: The instant of the census, by default now; a later one requires that all events up to it
    ///   have been run.
    /// - Complexity: O(*n*) for *n* slots.
    public func census(at instant: Instant? = nil, _ report: (Glance) -> Void) {
        let now = max(loop.now, instant ?? loop.now)
        let scratch = UnsafeMutablePointer<Activity>.allocate(capacity: 1)
        defer { scratch.deallocate() }
        for number in 0..<activities.count {
            guard let activity = activities.look(number, in: scratch)?.entity.pointee,
                activity.phone.phase == .live
            else { continue }
            report(
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

    /// Advances the clock to an instant without events, so that ``census(at:_:)`` refers to it.
    ///
    /// - Precondition: All events up to the instant have been run.
    public mutating func look(at instant: Instant) { loop.advance(to: instant) }
}
