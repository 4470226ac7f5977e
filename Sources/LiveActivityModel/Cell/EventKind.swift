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
    /// A request ends without an answer; recorded as a response.
    case silence
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
        case .response, .silence, .delivery, .patience, .requeue, .service: true
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

extension EventKind {
    /// The place of the kind among events of one instant.
    @inline(__always)
    var priority: EventPriority {
        switch self {
        case .connectionsLost, .reconnected, .senderResumed: .fault
        case .service: .service
        case .response, .stream: .answer
        case .turn: .turn
        case .delivery, .registration, .rotation: .delivery
        case .silence: .silence
        case .token: .token
        case .patience: .patience
        case .arrival, .ride, .postponed, .refresh, .requeue: .update
        case .device: .device
        case .monitor: .monitor
        case .scan: .scan
        }
    }

    /// The place of the kind among events of one instant and priority that concern the same ride.
    ///
    /// A ride moves on before its refresh is due: the move may begin the wait for the refresh again.
    var place: UInt8 {
        switch self {
        case .arrival, .ride, .registration, .connectionsLost: 0
        case .postponed, .rotation, .senderResumed: 1
        case .refresh, .delivery, .reconnected: 2
        default: 3
        }
    }
}

extension EventPriority {
    /// Faults begin and end before anything else of their instant.
    static let fault = EventPriority(rank: 0)
    /// APNs processes a request in time if it does so at the very time-out.
    static let service = EventPriority(rank: 1)
    /// Answers free their streams before anything else happens at the instant.
    static let answer = EventPriority(rank: 2)
    /// Waiting pushes take the streams that all answers of an instant have freed.
    static let turn = EventPriority(rank: 3)
    /// Arrivals at the server or at a phone are known before any decision.
    static let delivery = EventPriority(rank: 4)
    /// Requests without an answer end.
    static let silence = EventPriority(rank: 5)
    /// The sender's rate limit has a token again.
    static let token = EventPriority(rank: 6)
    /// Pushes that have waited too long leave before anything new comes.
    static let patience = EventPriority(rank: 7)
    /// Rides and regular content.
    static let update = EventPriority(rank: 8)
    /// Phones act: expiry, swipe, system limit.
    static let device = EventPriority(rank: 9)
    /// The monitor decides last.
    static let monitor = EventPriority(rank: 10)
    /// The monitor acts when it knows all instances of the instant that need it.
    static let scan = EventPriority(rank: 11)
}
