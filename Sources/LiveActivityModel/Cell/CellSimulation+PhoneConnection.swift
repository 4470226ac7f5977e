public import Quantities
import SimulationKernel

/// The connection of one phone over time, for histories; it depends only on the draws of the rider's first ride.
extension CellSimulation {
    /// A change of a phone's connection to online or offline.
    public struct ConnectionChange: Hashable, Sendable {
        /// When it happens.
        public let at: Instant
        /// `true` if the phone is online from then on.
        public let isOnline: Bool
    }

    /// The changes of the connection of a ride's phone up to an instant.
    ///
    /// For a phone that is offline at the request, the first change is at the request.
    ///
    /// - Parameters:
    ///   - requestedAt: When the ride was requested; the phone is simulated from then on.
    ///   - interval: The interval at the request, for a rider who has had a ride before.
    public func connectionChanges(
        ofRide ride: UInt64,
        requestedAt: Instant,
        in interval: StoryLine.ConnectionInterval?,
        through end: Instant
    ) -> [ConnectionChange] {
        var stretches = [Activity.Connectivity(until: .never, index: 0, isOnline: true)]
        let former = interval.map { Activity.Connectivity(until: $0.until, index: $0.index, isOnline: $0.isOnline) }
        if own.samplers.online != nil, let first = former ?? firstConnectivity(ofRide: ride, at: requestedAt) {
            stretches = [first]
            while let last = stretches.last, last.until <= end {
                stretches.append(nextConnectivity(last, ofRide: ride))
            }
        }
        var faults: [FaultTimeline.Period] = []
        for fault in world.faults.devicesOffline where hits(fault, phoneOfRide: ride) { faults.append(fault) }
        let borders = stretches.map { $0.until } + faults.flatMap { [$0.from, $0.until] }
        var changes: [ConnectionChange] = []
        var isOnline = true
        for instant in ([requestedAt] + borders.sorted()) where requestedAt <= instant && instant <= end {
            let stretch = stretches.first { instant < $0.until }
            let now = stretch?.isOnline ?? true && !faults.contains { $0.covers(instant) }
            guard now != isOnline else { continue }
            isOnline = now
            changes.append(ConnectionChange(at: instant, isOnline: now))
        }
        return changes
    }

    /// The first online or offline interval of a phone; nil for a phone that is always online.
    func firstConnectivity(ofRide ride: UInt64, at instant: Instant) -> Activity.Connectivity? {
        guard let online = own.samplers.online else { return nil }
        let share = own.devices.connectivity.initiallyOffline
        let phone = RideNumber.first(ofRider: ride)
        let isOnline = !happens(share, phone, .initiallyOffline)
        let first = span(isOnline ? online : own.samplers.offline, phone, .connectivity)
        return Activity.Connectivity(until: instant + first, index: 0, isOnline: isOnline)
    }

    /// The interval after another one.
    func nextConnectivity(_ state: Activity.Connectivity, ofRide ride: UInt64) -> Activity.Connectivity {
        guard let online = own.samplers.online else {
            return Activity.Connectivity(until: .never, index: 0, isOnline: true)
        }
        let index = state.index + 1
        let sampler = state.isOnline ? own.samplers.offline : online
        // With an interval of length zero, time would not advance.
        let length = max(
            span(sampler, RideNumber.first(ofRider: ride), .connectivity, index),
            TimeSpan(microseconds: 1)
        )
        return Activity.Connectivity(until: state.until + length, index: index, isOnline: !state.isOnline)
    }

    /// Returns `true` if a regional fault disconnects the phone of a ride.
    func hits(_ fault: FaultTimeline.Period, phoneOfRide ride: UInt64) -> Bool {
        happens(fault.share, RideNumber.first(ofRider: ride), .faultHitsDevice, fault.number)
    }
}
