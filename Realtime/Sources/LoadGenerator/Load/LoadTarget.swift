package import LiveActivityModel
package import NIOCore

/// The endpoint or service under a load, as one lane uses it: makes the requests and sends them.
///
/// A ``LoadLane`` decides when a request is made and what its outcome means. Everything here is called on the event loop of
/// that lane, except for ``kinds``, ``notesAll`` and ``note(_:due:)`` before the beginning, when no one else knows the target.
package protocol LoadTarget: AnyObject, SendableMetatype {
    /// The names of the kinds of requests; empty if all are of one kind.
    var kinds: [String] { get }
    /// The most requests without an outcome; beyond it, a request that becomes due does not begin.
    var limit: Int { get }
    /// `true` if ``note(_:due:)`` needs the arrivals of other lanes, too.
    var notesAll: Bool { get }
    /// The number of requests that wait to be sent.
    var waiting: Int { get }
    /// The counts and errors of the connections; nil if they are not counted.
    var connections: APNsPoolNotes? { get }

    /// Begins the load.
    func begin(_ lane: LoadLane<Self>, at begin: NIODeadline, unixMicroseconds: Int64)

    /// Notes when an arrival is due [ns since the beginning], before its request is made.
    func note(_ arrival: Int, due: Int64)

    /// Makes a request and accepts it for sending; its one outcome goes to the lane, but not during this call.
    func submit(_ request: LoadRequest, for lane: LoadLane<Self>)

    /// Sends what was submitted.
    func dispatch()

    /// The index of the kind of an arrival's request; nil if all are of one kind.
    func kind(of arrival: Int) -> Int?

    /// `true` if a request with an outcome should be made again.
    func isWorthRetrying(_ outcome: APNsOutcome) -> Bool

    /// Notes that an arrival has no further request.
    func concluded(_ arrival: Int)

    /// Notes the outcome of a request for an event log, if one is kept.
    func log(_ completion: APNsCompletion, since begin: NIODeadline)

    /// Removes and returns the rows of the event log since the last call.
    func takeRows() -> [ServerEvent]

    /// Ends the load; outcomes no longer go to the lane.
    func end()
}

/// The defaults of a target whose requests are of one kind, sent at once and never repeated.
extension LoadTarget {
    package var kinds: [String] { [] }
    package var limit: Int { .max }
    package var notesAll: Bool { false }
    package var waiting: Int { 0 }
    package var connections: APNsPoolNotes? { nil }

    package func begin(_ lane: LoadLane<Self>, at begin: NIODeadline, unixMicroseconds: Int64) {}
    package func note(_ arrival: Int, due: Int64) {}
    package func dispatch() {}
    package func kind(of arrival: Int) -> Int? { nil }
    package func isWorthRetrying(_ outcome: APNsOutcome) -> Bool { false }
    package func concluded(_ arrival: Int) {}
    package func log(_ completion: APNsCompletion, since begin: NIODeadline) {}
    package func takeRows() -> [ServerEvent] { [] }
    package func end() {}
}

/// A request that is due.
package struct LoadRequest: Sendable {
    /// The number of its arrival, with the attempt in the top byte.
    package let number: UInt64
    /// Its due time.
    package let due: NIODeadline
    /// The current time.
    package let now: NIODeadline

    private static let attemptShift: UInt64 = 56

    /// The number of its arrival in the whole load, from 0.
    package var arrival: Int { Self.arrival(of: number) }
    /// The number of requests of the same arrival before it.
    package var attempt: Int { Self.attempt(of: number) }

    static func arrival(of number: UInt64) -> Int { Int(number & ((1 << attemptShift) - 1)) }
    static func attempt(of number: UInt64) -> Int { Int(number >> attemptShift) }
    /// The number of the next attempt of the same arrival.
    static func nextAttempt(of number: UInt64) -> UInt64 { number + 1 << attemptShift }
}
