import HeapModule
import LiveActivityModel
import Quantities

/// A push that the sender has: from when it was made until it is answered, or will not be sent.
struct HeldPush {
    /// The instance that it is for.
    let row: Int
    var decision: RemoteMonitorStation.Push
    /// The JSON document.
    var payload: [UInt8]
    /// Its way through the sender.
    var passage: SenderPassage
}

/// What the monitor's `SenderStation` works on: the pushes by the station's numbers, the requests under way, and
/// timers.
///
/// It decides nothing; see `MonitorStateMachine+Sending.swift` for how it is used.
struct MonitorSender {
    let rules: SenderRules
    var station: SenderStation
    /// Whether requests can begin; while they cannot, all that is offered waits.
    var isConnected = true
    /// Pushes by their places, which are the station's numbers of them.
    private var pushes: [HeldPush?] = []
    private var freePlaces: [UInt32] = []
    /// Requests without an answer, by number.
    private var requests: [UInt64: (push: OutgoingPush, place: UInt32)] = [:]
    private var timers = Heap<Timer>()
    private var timerCount: UInt64 = 0

    /// What is to happen at an instant; the earlier of them first, then in the order in which the simulator has them.
    struct Timer: Comparable {
        enum Event: UInt8 {
            case token
            case patience
            case comesBack
        }

        let due: Instant
        let event: Event
        /// The push; 0 for a token.
        let place: UInt32
        private let sequence: UInt64

        fileprivate init(_ event: Event, of place: UInt32, at due: Instant, sequence: UInt64) {
            (self.due, self.event, self.place, self.sequence) = (due, event, place, sequence)
        }

        static func < (left: Timer, right: Timer) -> Bool {
            (left.due, left.event.rawValue, left.sequence) < (right.due, right.event.rawValue, right.sequence)
        }
    }

    /// A sender with nothing to send.
    ///
    /// - Precondition: No push takes the stream of another; see `SenderRules/preempts`.
    init(_ rules: SenderRules) {
        precondition(!rules.preempts, "a request that has begun keeps its stream")
        self.rules = rules
        station = rules.station
    }

    // MARK: - Pushes

    /// Takes a push in; returns its place.
    mutating func hold(_ push: HeldPush) -> UInt32 {
        guard let place = freePlaces.popLast() else {
            pushes.append(push)
            return UInt32(pushes.count - 1)
        }
        pushes[Int(place)] = push
        return place
    }

    /// The push in a place.
    ///
    /// - Precondition: There is one.
    subscript(place: UInt32) -> HeldPush {
        get {
            guard let push = pushes[Int(place)] else { preconditionFailure("a place that was given back") }
            return push
        }
        set { pushes[Int(place)] = newValue }
    }

    /// Has the station take a push one step on its way.
    mutating func move<Outcome>(
        _ place: UInt32,
        _ step: (inout SenderStation, inout SenderPassage) -> Outcome
    ) -> Outcome {
        var passage = self[place].passage
        defer { self[place].passage = passage }
        return step(&station, &passage)
    }

    /// The push in a place, if there is one.
    func push(in place: UInt32) -> HeldPush? { pushes[Int(place)] }

    /// Gives a place back.
    mutating func release(_ place: UInt32) {
        pushes[Int(place)] = nil
        freePlaces.append(place)
    }

    // MARK: - Requests

    /// How many requests are not answered.
    var requestCount: Int { requests.count }

    /// Whether a request is not answered.
    func isUnderWay(_ number: UInt64) -> Bool { requests[number] != nil }

    /// A request begins.
    mutating func began(_ push: OutgoingPush, in place: UInt32) { requests[push.number] = (push, place) }

    /// A request is answered; nil for one that is not under way.
    mutating func ended(_ number: UInt64) -> (push: OutgoingPush, place: UInt32)? {
        requests.removeValue(forKey: number)
    }

    // MARK: - Timers

    /// When the next timer is due; `never` where there is none.
    var nextDue: Instant { timers.min?.due ?? .never }

    mutating func set(_ event: Timer.Event, of place: UInt32 = 0, at due: Instant) {
        timerCount += 1
        timers.insert(Timer(event, of: place, at: due, sequence: timerCount))
    }

    /// Takes a timer that is due; nil where none is.
    mutating func takeTimer(dueAt now: Instant) -> Timer? {
        guard let first = timers.min, first.due <= now else { return nil }
        return timers.removeMin()
    }
}
