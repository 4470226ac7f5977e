import Quantities

/// The ports through which a cell reaches stations outside it.
///
/// ```
///              ┌───────────────────── cell ─────────────────────┐
///   app server │ token, content, ride over ─┬─► MonitorStation  │
///              │                            │        │          │
///              │                       monitor port  ▼          │
///              │                            │   SenderStation   │
///              │                            │        ├─► APNsStation ─┐
///              │                            │    APNs port           │
///              └────────────────────────────┼────────┼───────────────┼─┘
///                                           ▼        ▼               ▼
///                                       a monitor   an APNs        phones
/// ```
///
/// In the simulator every station is in its cell, and both ports are closed. In real time the host takes the outgoing
/// messages, carries them to the station's other host, and passes the responses to the cell.
struct CellPorts {
    /// The station that responds to requests.
    enum RequestRoute: UInt8 {
        /// The cell's own station.
        case station
        /// The scenario's script, line by line, for golden traces.
        case script
        /// A remote APNs behind the port.
        case remote
    }

    let requests: RequestRoute
    /// `true` if the monitor and the sender are behind the port, too.
    let hasRemoteMonitor: Bool
    /// `true` if the remote APNs reports the fate of each push.
    let isObserved: Bool
    private var outgoing: ContiguousArray<OutgoingNews> = []
    /// The slots of activities by ride, because a push of a remote monitor carries only its ride.
    private var numbersByRide: [UInt64: UInt32] = [:]
    /// The slots of the copies of channels' pushes that are on their way.
    private var copies: [CopyKey: UInt32] = [:]

    /// The acceptances of channels' pushes that wait for the report that APNs sends them on, with their instants.
    private var heldAcceptances: [OutgoingRequest.ID: Instant] = [:]

    /// The name of a copy at a remote APNs.
    private struct CopyKey: Hashable {
        let ride: UInt64
        let drawIndex: UInt32
    }

    init(remote: RemoteStations?, hasScript: Bool) {
        requests = remote != nil ? .remote : hasScript ? .script : .station
        hasRemoteMonitor = remote == .withMonitor
        isObserved = remote != .unobserved
    }

    var hasOutgoing: Bool { !outgoing.isEmpty }

    mutating func send(_ news: OutgoingNews) {
        outgoing.append(news)
    }

    mutating func takeOutgoing() -> ContiguousArray<OutgoingNews> {
        guard hasOutgoing else { return [] }
        var taken = ContiguousArray<OutgoingNews>()
        taken.reserveCapacity(outgoing.count)
        swap(&taken, &outgoing)
        return taken
    }

    @inline(__always)
    mutating func placed(ride: UInt64, at number: UInt32) {
        if hasRemoteMonitor { numbersByRide[ride] = number }
    }

    @inline(__always)
    mutating func released(ride: UInt64) {
        if hasRemoteMonitor { numbersByRide[ride] = nil }
    }

    func number(ofRide ride: UInt64) -> UInt32? { numbersByRide[ride] }

    mutating func copyPlaced(ride: UInt64, drawIndex: UInt32, at number: UInt32) {
        copies[CopyKey(ride: ride, drawIndex: drawIndex)] = number
    }

    /// Holds an acceptance back that has come by another way than the report that APNs sends the push on.
    mutating func hold(acceptanceOf id: OutgoingRequest.ID, at instant: Instant) { heldAcceptances[id] = instant }

    /// Removes an acceptance that was held back, and returns its instant; nil if there is none.
    mutating func takeAcceptance(of id: OutgoingRequest.ID) -> Instant? { heldAcceptances.removeValue(forKey: id) }

    /// Removes a copy, and returns its slot; nil if it is not on its way.
    mutating func takeCopy(ride: UInt64, drawIndex: UInt32) -> UInt32? {
        copies.removeValue(forKey: CopyKey(ride: ride, drawIndex: drawIndex))
    }
}

/// The stations of a cell that are behind its ports.
public enum RemoteStations: Hashable, Sendable {
    /// An APNs that reports the fate of each push on its way to the phone.
    case observed
    /// An APNs that only responds; the fates of accepted pushes are drawn from the scenario.
    case unobserved
    /// The monitor, the sender and APNs; the cell has rides, phones and the app's server.
    ///
    /// See ``ServerNews`` and ``PhonePush``.
    case withMonitor
}
