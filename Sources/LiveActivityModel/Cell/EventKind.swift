import SimulationKernel

/// The events of a cell.
///
/// The subject of an event is a fault, the slot of an activity or the slot of a push.
enum EventKind: UInt8, CaseIterable {
    /// A ride of this cell is requested; the subject is 0 for the next arrival, else 1 more than the phone of a rider who has
    /// booked again.
    case arrival
    /// Connections are lost; the subject is the index of the fault in the timeline.
    case connectionsLost
    /// Lost connections are re-established.
    case reconnected
    /// A ride enters its next stage, ends or is cancelled.
    case ride
    /// An ETA refresh.
    case refresh
    /// A start, a token or a report from the phone to the server.
    case registration
    /// iOS changes the update token.
    case rotation
    /// The phone acts on its own: it ends the activity, draws an update of the app, or runs the app that a push has woken.
    case device
    /// The Freshness Monitor acts on an instance.
    case monitor
    /// The sender receives the response to a request.
    case response
    /// A push reaches the phone.
    case delivery
    /// The patience of a push that waits in the sender ends.
    case patience
    /// A push that found the sender's queue full is offered again.
    case requeue
    /// The sender's rate limit has a new token.
    case token
    /// A pause of the sender is over; the subject is its index in the timeline.
    case senderResumed
    /// A server of APNs has finished a request.
    case service
    /// A stage change that came too soon after an update is announced.
    case postponed
    /// All responses of an instant have arrived, and waiting pushes are handled; not recorded.
    case turn
    /// The monitor knows everything that it can know at a scan, and acts; not recorded.
    case scan
    /// A request ends without a response; recorded as one.
    case silence
    /// Content arrives at the server; the subject is the slot of the push that awaits it.
    case content
    /// A member joins its group; the subject is a place in ``CellSimulation/joins``. Recorded as an arrival.
    case joining
}

extension EventKind {
    /// `true` if the subject is the slot of an activity.
    @inline(__always)
    var concernsActivity: Bool {
        switch self {
        case .ride, .refresh, .registration, .rotation, .device, .monitor, .postponed: true
        default: false
        }
    }

    /// `true` if the subject is the slot of a push.
    @inline(__always)
    var concernsPush: Bool {
        switch self {
        case .response, .silence, .delivery, .patience, .requeue, .service, .content: true
        default: false
        }
    }

    /// Creates the kind of a word that this cell scheduled; there are no others.
    @inline(__always)
    init(_ word: EventWord) {
        assert(Int(word.kind) < EventKind.allCases.count, "an event of unknown kind")
        self = unsafeBitCast(word.kind, to: EventKind.self)
    }
}

extension EventKind {
    /// The priority of the kind among events of one instant.
    @inline(__always)
    var priority: EventPriority {
        switch self {
        case .connectionsLost, .reconnected, .senderResumed: .fault
        case .service: .service
        case .response: .answer
        case .turn: .turn
        case .delivery, .registration, .rotation: .delivery
        case .silence: .silence
        case .token: .token
        case .patience: .patience
        case .arrival, .joining, .ride, .postponed, .refresh, .requeue, .content: .update
        case .device: .device
        case .monitor: .monitor
        case .scan: .scan
        }
    }

    /// The order of the kind among events of one instant and priority that concern the same ride.
    ///
    /// A stage change precedes a refresh, because the change may restart the refresh interval.
    var place: UInt8 {
        switch self {
        case .arrival, .joining, .ride, .registration, .connectionsLost: 0
        case .postponed, .rotation, .senderResumed: 1
        case .refresh, .delivery, .reconnected: 2
        case .content: 4
        default: 3
        }
    }
}

extension EventPriority {
    /// Faults begin and end before anything else of their instant.
    static let fault = EventPriority(rank: 0)
    /// APNs completes a request in time even at the instant of the timeout.
    static let service = EventPriority(rank: 1)
    /// Responses free their streams before anything else happens at the instant.
    static let answer = EventPriority(rank: 2)
    /// Waiting pushes take the streams that all responses of an instant have freed.
    static let turn = EventPriority(rank: 3)
    /// Arrivals at the server or at a phone come before any decision.
    static let delivery = EventPriority(rank: 4)
    /// Requests end without a response.
    static let silence = EventPriority(rank: 5)
    /// The sender's rate limit has a new token.
    static let token = EventPriority(rank: 6)
    /// Pushes that have waited too long leave before anything new arrives.
    static let patience = EventPriority(rank: 7)
    /// Stage changes and regular content.
    static let update = EventPriority(rank: 8)
    /// Phones act: expiry, swipe, system limit.
    static let device = EventPriority(rank: 9)
    /// The monitor decides last.
    static let monitor = EventPriority(rank: 10)
    /// The monitor acts once it knows all instances that need it at the instant.
    static let scan = EventPriority(rank: 11)
}
