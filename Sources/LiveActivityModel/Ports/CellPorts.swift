/// Where a cell hands on what a station elsewhere has to decide.
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
/// In the simulator every station is in its cell and both ports are closed. In real time the host takes what goes out,
/// carries it to the station's other host, and tells the cell the answers.
struct CellPorts {
    /// What decides about a request.
    enum RequestRoute: UInt8 {
        /// The cell's own station.
        case station
        /// The scenario's script, line by line, for golden traces.
        case script
        /// An APNs behind the port.
        case remote
    }

    let requests: RequestRoute
    /// Whether monitor and sender are behind the port, too.
    let hasRemoteMonitor: Bool
    /// Whether the APNs behind the port tells what becomes of each push.
    let isObserved: Bool
    private var outgoing: ContiguousArray<OutgoingNews> = []
    /// Where activities are, by ride: pushes of a remote monitor name their ride alone.
    private var numbersByRide: [UInt64: UInt32] = [:]

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
}

/// Which stations of a cell are behind its ports.
public enum RemoteStations: Hashable, Sendable {
    /// An APNs that tells what becomes of each push on its way to the phone.
    case observed
    /// An APNs that answers, and no more: what becomes of accepted pushes is drawn as the scenario says.
    case unobserved
    /// Monitor, sender and APNs: the cell has rides, phones and the app's server; see ``ServerNews`` and ``PhonePush``.
    case withMonitor
}
