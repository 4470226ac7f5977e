import Quantities

/// An inventory of a cell's slots, for checks.
extension CellSimulation {
    /// The entities that are not finished.
    public struct Inventory: Hashable, Sendable {
        public var activities = 0
        /// Activities whose ride goes on.
        public var rides = 0
        /// Activities that have not started.
        public var starts = 0
        /// Activities on screens.
        public var screens = 0
        public var pushes = 0
        /// Pushes whose content the server awaits.
        public var awaitingContent = 0
        /// Pushes that wait for a stream, excluding interrupted requests.
        public var queued = 0
        /// Interrupted requests.
        public var interrupted = 0
        /// Pushes that will be offered again.
        public var inOrbit = 0
        /// Pushes without a response so far.
        public var unanswered = 0
        /// Pushes that wait for their response or their delivery, or that APNs still has.
        public var underWay = 0
        /// Streams that are taken.
        public var streams = 0
        /// Requests in the queue of APNs.
        public var awaitingService = 0
        /// Requests that a server of APNs works on.
        public var inService = 0

        /// Creates an empty inventory.
        public init() {}
    }

    /// The entities that are not finished now.
    ///
    /// - Complexity: O(*n*) for *n* slots.
    public var inventory: Inventory {
        var found = Inventory()
        let scratch = UnsafeMutablePointer<Activity>.allocate(capacity: 1)
        defer { scratch.deallocate() }
        for number in 0..<activities.count {
            guard let activity = activities.look(number, in: scratch)?.entity.pointee else { continue }
            found.activities += 1
            found.rides += activity.isRideOver || activity.isChannel ? 0 : 1
            found.starts += activity.phone.phase == .waiting ? 1 : 0
            found.screens += activity.phone.phase == .live ? 1 : 0
        }
        for number in 0..<pushes.count where pushes[number].isInUse {
            let push = pushes[number]
            let isInterrupted = push.passage.standing == .interrupted
            let isAwaited = push.responseDue != .never
            found.pushes += 1
            found.awaitingContent += push.awaitsContent ? 1 : 0
            found.interrupted += isInterrupted ? 1 : 0
            found.unanswered += isAwaited ? 1 : 0
            let isWithAPNs = push.deliveryDue != .never || push.service != .none
            found.underWay += !isInterrupted && (isAwaited || isWithAPNs) ? 1 : 0
        }
        found.queued = sender.waitingCount - found.interrupted
        found.inOrbit = sender.inOrbit
        found.streams = sender.inFlight
        found.awaitingService = apns.waitingCount
        found.inService = apns.inService
        return found
    }
}
