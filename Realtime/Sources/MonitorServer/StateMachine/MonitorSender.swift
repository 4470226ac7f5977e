import HeapModule
import LiveActivityModel
import Quantities
import Wire

/// A push in the sender, from its creation until it has an answer or is dropped.
struct HeldPush {
    /// The row of its instance.
    let row: Int
    var decision: RemoteMonitorStation.Push
    /// Its alert, which only the push of content has.
    var alert: PushAlert?
    /// The JSON document.
    var payload: [UInt8]
    /// Its state in the sender.
    var passage: SenderPassage
}

/// The data of the monitor's `SenderStation`: the pushes by the station's numbers, the requests in flight, and timers.
///
/// It decides nothing; `MonitorStateMachine+Sending.swift` shows its use.
struct MonitorSender {
    let rules: SenderRules
    var station: SenderStation
    /// `true` if requests can begin; otherwise all offered pushes wait.
    var isConnected = true
    /// Pushes by place; a place is the station's number of the push.
    private var pushes: [HeldPush?] = []
    private var freePlaces: [UInt32] = []
    /// Requests in flight, by number.
    private var requests: [UInt64: (push: OutgoingPush, place: UInt32)] = [:]
    private var timers = Heap<Timer>()
    private var timerCount: UInt64 = 0

    /// A timer of the sender, ordered by time, then in the simulator's order.
    struct Timer: Comparable {
        enum Event: UInt8 {
            case token
            case patience
            case comesBack
        }

        let due: Instant
        let event: Event
        /// The place of the push; 0 for a token of the rate limit.
        let place: UInt32
        private let sequence: UInt64

        fileprivate init(_ event: Event, of place: UInt32, at due: Instant, sequence: UInt64) {
            (self.due, self.event, self.place, self.sequence) = (due, event, place, sequence)
        }

        static func < (left: Timer, right: Timer) -> Bool {
            (left.due, left.event.rawValue, left.sequence) < (right.due, right.event.rawValue, right.sequence)
        }
    }

    /// Creates an empty sender.
    ///
    /// - Precondition: No push takes the stream of another; see `SenderRules/preempts`.
    init(_ rules: SenderRules) {
        precondition(!rules.preempts, "a request that has begun keeps its stream")
        self.rules = rules
        station = rules.station
    }

    // MARK: - Pushes

    /// Adds a push; returns its place.
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
    /// - Precondition: The place is occupied.
    subscript(place: UInt32) -> HeldPush {
        get {
            guard let push = pushes[Int(place)] else { preconditionFailure("a free place has no push") }
            return push
        }
        set { pushes[Int(place)] = newValue }
    }

    /// Lets the station advance a push by one step.
    mutating func move<Outcome>(
        _ place: UInt32,
        _ step: (inout SenderStation, inout SenderPassage) -> Outcome
    ) -> Outcome {
        var passage = self[place].passage
        defer { self[place].passage = passage }
        return step(&station, &passage)
    }

    /// Returns the push in a place, if there is one.
    func push(in place: UInt32) -> HeldPush? { pushes[Int(place)] }

    /// Frees a place.
    mutating func release(_ place: UInt32) {
        pushes[Int(place)] = nil
        freePlaces.append(place)
    }

    // MARK: - Requests

    /// The number of requests in flight.
    var requestCount: Int { requests.count }

    /// Returns `true` if a request is in flight.
    func isUnderWay(_ number: UInt64) -> Bool { requests[number] != nil }

    /// Records the start of a request.
    mutating func began(_ push: OutgoingPush, in place: UInt32) { requests[push.number] = (push, place) }

    /// Records the end of a request; returns `nil` if it was not in flight.
    mutating func ended(_ number: UInt64) -> (push: OutgoingPush, place: UInt32)? {
        requests.removeValue(forKey: number)
    }

    // MARK: - Timers

    /// The time of the next timer; `never` if there is none.
    var nextDue: Instant { timers.min?.due ?? .never }

    mutating func set(_ event: Timer.Event, of place: UInt32 = 0, at due: Instant) {
        timerCount += 1
        timers.insert(Timer(event, of: place, at: due, sequence: timerCount))
    }

    /// Removes and returns a due timer; `nil` if there is none.
    mutating func takeTimer(dueAt now: Instant) -> Timer? {
        guard let first = timers.min, first.due <= now else { return nil }
        return timers.removeMin()
    }
}
