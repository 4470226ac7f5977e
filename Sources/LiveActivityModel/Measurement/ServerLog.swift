import FreshnessCore
public import Quantities

/// An event that a server can know, in 56 bytes: one row of an event log.
///
/// Facts that only a phone or APNs knows are not in it: losses, rotations of tokens, failed starts. Pushes that the sender drops
/// are not in it either.
public struct ServerEvent: BitwiseCopyable, Hashable, Sendable {
    /// The kind of an event.
    public enum Kind: UInt8, CaseIterable, BitwiseCopyable, Sendable {
        /// The ride was requested.
        case rideRequested
        /// The ride entered ``ServerEvent/stage``.
        case stage
        /// The ride was completed, or cancelled.
        case rideEnded
        /// The app has fetched content and started an activity.
        case activityStarted
        /// The server has a new update token.
        case tokenPosted
        /// The server has invalidated the token.
        case tokenInvalidated
        /// A request to APNs began.
        case push
        /// APNs answered, or the sender gave up waiting.
        case answer
        /// The app has reported that its activity ended.
        case activityEnded
        /// A phone showed the content of a push; only if apps report it.
        case shown
    }

    /// When it happened.
    public let at: Instant
    /// The number of the ride.
    public let ride: UInt64
    /// When the content of a push was generated; `never` if there is none.
    public var generatedAt = Instant.never
    /// The stale date of that content, or of the content with which an app starts; `never` if there is none.
    public var staleDate = Instant.never
    /// The index of the request among those of its ride (`PushIndex`); 0 if the event concerns no push.
    public var push: UInt32 = 0
    /// The status of an answer: 0 if none came.
    public var status: UInt16 = 0
    public let kind: Kind
    /// The kind of the push.
    public var pushKind = StoryLine.PushKind.update
    /// The stage that began.
    public var stage: UInt8 = 0
    /// The priority of the push: 5 or 10.
    public var priority: UInt8 = 0
    /// The number of earlier requests of the push.
    public var attempt: UInt8 = 0
    /// The reason of an answer, as an index of `APNsReason.allCases`; 255 for none.
    public var reason: UInt8 = 255
    /// `true` if the ride was cancelled.
    public var isCancelled = false
    /// The size of the payload of a push [bytes]; 0 if sizes are not modelled.
    public var payloadBytes: UInt32 = 0
    /// The number of the row among those of its cell, which orders the rows of a ride at one instant.
    public var order: UInt32 = 0

    /// Returns `true` if an event comes first in a log: by time, then by ride, then in the order of the ride's history.
    public static func precedes(_ left: ServerEvent, _ right: ServerEvent) -> Bool {
        (left.at, left.ride, left.order) < (right.at, right.ride, right.order)
    }

    /// Creates an event without further fields, such as a program's that runs in real time.
    public init(_ kind: Kind, at: Instant, ride: UInt64) {
        (self.kind, self.at, self.ride) = (kind, at, ride)
    }

    /// Creates the event of a happening; nil if no server can know it.
    ///
    /// - Parameters:
    ///   - push: The push that it concerns, if it concerns one.
    ///   - first: The content with which the activity started, if it has.
    ///   - isByApp: `true` if the app started the activity.
    ///   - withScreens: `true` if apps report what they show.
    init?(
        _ happening: StoryLine.Happening,
        at: Instant,
        ride: UInt64,
        push: Push?,
        first: ContentStamp?,
        isByApp: Bool,
        withScreens: Bool
    ) {
        switch happening {
        case .requested: self.init(.rideRequested, at: at, ride: ride)
        case .stageBegan(let number):
            self.init(.stage, at: at, ride: ride)
            stage = UInt8(clamping: number)
        case .rideEnded(let isCancelled):
            self.init(.rideEnded, at: at, ride: ride)
            self.isCancelled = isCancelled
        case .started where isByApp:
            self.init(.activityStarted, at: at, ride: ride)
            if let first { staleDate = first.staleDate }
        case .tokenPosted: self.init(.tokenPosted, at: at, ride: ride)
        case .tokenInvalidated, .tokenDiscarded: self.init(.tokenInvalidated, at: at, ride: ride)
        case .endReported: self.init(.activityEnded, at: at, ride: ride)
        case .sent(let kind, let priority, let attempt):
            self.init(.push, at: at, ride: ride)
            (pushKind, self.attempt) = (kind, attempt)
            self.priority = priority == .immediate ? 10 : 5
        case .answered(let kind, let refusal):
            self.init(.answer, at: at, ride: ride)
            pushKind = kind
            status = UInt16(refusal?.status ?? 200)
            if let refusal, let index = APNsReason.allCases.firstIndex(of: refusal) { reason = UInt8(index) }
        case .unanswered(let kind):
            self.init(.answer, at: at, ride: ride)
            pushKind = kind
        case .fate(let kind, .shown) where withScreens:
            self.init(.shown, at: at, ride: ride)
            pushKind = kind
        default: return nil
        }
        guard let push else { return }
        self.push = push.drawIndex
        if kind == .push { payloadBytes = UInt32(clamping: push.payload.bytes) }
        if kind == .push || kind == .shown, push.kind != .end {
            (generatedAt, staleDate) = (push.payload.content.generatedAt, push.payload.content.staleDate)
        }
    }
}

/// The rows of a cell's event log that are not taken yet, in the order in which the cell has processed them.
struct ServerLog {
    private let withScreens: Bool
    private var events: [ServerEvent] = []
    /// The number of rows so far, with those that were taken.
    private var count: UInt32 = 0

    init(withScreens: Bool) { self.withScreens = withScreens }

    /// Adds a row, unless no server can know of the event.
    mutating func add(
        _ happening: StoryLine.Happening,
        at instant: Instant,
        ride: UInt64,
        push: Push?,
        first: ContentStamp?,
        isByApp: Bool
    ) {
        guard
            var event = ServerEvent(
                happening,
                at: instant,
                ride: ride,
                push: push,
                first: first,
                isByApp: isByApp,
                withScreens: withScreens
            )
        else { return }
        // The events of one ride are processed in their order, whatever the schedule.
        event.order = count
        count &+= 1
        events.append(event)
    }

    /// Moves the rows to the end of an array.
    mutating func take(into rows: inout [ServerEvent]) {
        rows.append(contentsOf: events)
        events.removeAll(keepingCapacity: true)
    }
}
