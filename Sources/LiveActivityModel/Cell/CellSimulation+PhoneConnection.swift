public import Quantities
import SimulationKernel

/// The connection of one phone over time, for histories; it depends only on the ride's draws.
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
    /// - Parameter requestedAt: When the ride was requested; the phone is simulated from then on.
    public func connectionChanges(
        ofRide ride: UInt64,
        requestedAt: Instant,
        through end: Instant
    ) -> [ConnectionChange] {
        var stretches = [Activity.Connectivity(until: .never, index: 0, isOnline: true)]
        if let first = firstConnectivity(ofRide: ride, at: requestedAt) {
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
        let isOnline = !happens(share, ride, .initiallyOffline)
        let first = span(isOnline ? online : own.samplers.offline, ride, .connectivity)
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
        let length = max(span(sampler, ride, .connectivity, index), TimeSpan(microseconds: 1))
        return Activity.Connectivity(until: state.until + length, index: index, isOnline: !state.isOnline)
    }

    /// Returns `true` if a regional fault disconnects the phone of a ride.
    func hits(_ fault: FaultTimeline.Period, phoneOfRide ride: UInt64) -> Bool {
        happens(fault.share, ride, .faultHitsDevice, fault.number)
    }
}
