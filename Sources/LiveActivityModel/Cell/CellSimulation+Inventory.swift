import Quantities

/// What a cell holds, counted place by place: a look from outside, for checks.
extension CellSimulation {
    /// What has not come to its end.
    public struct Inventory: Hashable, Sendable {
        /// Places that are taken by activities.
        public var activities = 0
        /// Of these: activities whose ride goes on.
        public var rides = 0
        /// Of these: activities that have not begun.
        public var starts = 0
        /// Of these: activities on screens.
        public var screens = 0
        /// Places that are taken by pushes.
        public var pushes = 0
        /// Pushes that wait for a stream, interrupted requests left out.
        public var queued = 0
        /// Interrupted requests.
        public var interrupted = 0
        /// Pushes that are to be offered again.
        public var inOrbit = 0
        /// Pushes that wait for their answer.
        public var unanswered = 0
        /// Pushes that wait for their answer or their phone, or are with APNs.
        public var underWay = 0
        /// Streams that are taken.
        public var streams = 0
        /// Requests in the queue of APNs.
        public var awaitingService = 0
        /// Requests that a server of APNs works on.
        public var inService = 0

        /// Nothing.
        public init() {}
    }

    /// What has not come to its end now.
    ///
    /// - Complexity: O(places).
    public var inventory: Inventory {
        var found = Inventory()
        let scratch = UnsafeMutablePointer<Activity>.allocate(capacity: 1)
        defer { scratch.deallocate() }
        for number in 0..<activities.count {
            guard let activity = activities.look(number, in: scratch)?.entity.pointee else { continue }
            found.activities += 1
            found.rides += activity.isRideOver ? 0 : 1
            found.starts += activity.phone.phase == .waiting ? 1 : 0
            found.screens += activity.phone.phase == .live ? 1 : 0
        }
        for number in 0..<pushes.count where pushes[number].isInUse {
            let push = pushes[number]
            let isInterrupted = push.passage.standing == .interrupted
            let isAwaited = push.responseDue != .never
            found.pushes += 1
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
