import SimulationKernel

/// The events of a cell.
///
/// The subject is a fault, an activity's place or a push's place.
enum EventKind: UInt8, CaseIterable {
    /// The next ride of this cell is requested.
    case arrival
    /// Connections are lost; the subject is the fault's place in the timeline.
    case connectionsLost
    /// Lost connections are back.
    case reconnected
    /// A ride moves on or is given up.
    case ride
    /// An ETA refresh.
    case refresh
    /// A start, a token or a report from the phone to the server.
    case registration
    /// iOS changes the update token.
    case rotation
    /// The phone ends the activity by itself.
    case device
    /// The Freshness Monitor acts on an instance.
    case monitor
    /// The sender hears of a request.
    case response
    /// A push reaches the phone.
    case delivery
    /// A push has waited in the sender for as long as it may.
    case patience
    /// A push that found the sender's queue full is offered again.
    case requeue
    /// The sender's rate limit has a token again.
    case token
    /// A pause of the sender is over; the subject is its place in the timeline.
    case senderResumed
    /// A server of APNs has done with a request.
    case service
    /// A state change that came too soon after an update is announced.
    case postponed
    /// A stream comes back for which a push waits, and whose return was worked out; not recorded.
    case stream
    /// All answers of an instant are there, and pushes that wait have their turn; not recorded.
    case turn
    /// All is known that the monitor can know at a scan, and it acts; not recorded.
    case scan
}

extension EventKind {
    /// Whether the subject is an activity's place.
    @inline(__always)
    var concernsActivity: Bool {
        switch self {
        case .ride, .refresh, .registration, .rotation, .device, .monitor, .postponed: true
        default: false
        }
    }

    /// Whether the subject is a push's place.
    @inline(__always)
    var concernsPush: Bool {
        switch self {
        case .response, .delivery, .patience, .requeue, .service: true
        default: false
        }
    }

    /// The kind of a word that this cell scheduled; there are no others.
    @inline(__always)
    init(_ word: EventWord) {
        assert(Int(word.kind) < EventKind.allCases.count, "an event of unknown kind")
        self = unsafeBitCast(word.kind, to: EventKind.self)
    }
}

extension EventPriority {
    /// Faults take effect before anything else of their instant.
    static let fault = EventPriority(rank: 0)
    /// What APNs has done at the very time-out of a request was done in time.
    static let service = EventPriority(rank: 1)
    /// What APNs has answered is known, and its stream free, before anything else comes of the instant.
    static let answer = EventPriority(rank: 2)
    /// What waits takes the streams that all answers of an instant have given back.
    static let turn = EventPriority(rank: 3)
    /// What arrives, at the server or at a phone, is known before any decision.
    static let delivery = EventPriority(rank: 4)
    /// What has waited too long leaves when all that could begin has begun, and before anything new comes.
    static let patience = EventPriority(rank: 5)
    /// Rides and regular content.
    static let update = EventPriority(rank: 6)
    /// What phones do by themselves.
    static let device = EventPriority(rank: 7)
    /// The monitor decides last.
    static let monitor = EventPriority(rank: 8)
    /// It acts when all instances of an instant are known about which it has to.
    static let scan = EventPriority(rank: 9)
}
