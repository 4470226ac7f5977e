public import LiveActivityModel
import Quantities

/// An event of a log, with times on the log's own axis [µs].
public struct LogEvent: Hashable, Sendable {
    public typealias Kind = ServerEvent.Kind

    /// The value of a time that is missing.
    public static let none = Int64.min

    /// When it happened.
    public var at: Int64
    public var kind: Kind
    /// The ride, by a hash of its name.
    public var ride: UInt64
    /// The request, by a hash of its name; 0 if the row has none.
    public var push: UInt64 = 0
    public var pushKind = StoryLine.PushKind.update
    /// The index of the stage that began in the log's list of names.
    public var stage = 0
    /// `apns-priority`: 1, 5 or 10.
    public var priority = 10
    public var attempt = 0
    /// `true` if the row states the number of the attempt.
    var hasAttempt = false
    /// The size of the payload of a push [bytes]; 0 if the row states none.
    public var payloadBytes = 0
    public var generatedAt = LogEvent.none
    public var staleDate = LogEvent.none
    /// The status of an answer; 0 if none came.
    public var status = 0
    /// `false` for an answer in the row of its push without a latency; its time is that of the push.
    public var hasLatency = true
    /// `true` for an answer in the row of its push.
    var isInRowOfPush = false
    /// The index of an answer's reason in the log's list of names; 0 for none.
    public var reason = 0
    public var isCancelled = false
    /// A hash of all fields of a row of a request or an answer without an id; otherwise 0.
    var fields: UInt64 = 0
    /// The place of the row: the index of its file, and its line.
    var file = 0
    var line = 0

    /// Creates an event without further fields.
    init(_ kind: Kind, at: Int64, ride: UInt64) {
        (self.kind, self.at, self.ride) = (kind, at, ride)
    }

    /// Creates the event of a simulated log; `origin` is the start of the run on the axis.
    init(_ event: ServerEvent, origin: Int64) {
        self.init(event.kind, at: origin + event.at.microseconds, ride: event.ride &+ 1)
        if event.kind == .push || event.kind == .answer || event.kind == .shown {
            push = (event.ride &+ 1) &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(event.push) &+ 1
        }
        pushKind = event.pushKind
        stage = Int(event.stage)
        priority = Int(event.priority)
        (attempt, hasAttempt) = (Int(event.attempt), true)
        payloadBytes = Int(event.payloadBytes)
        if event.generatedAt != .never { generatedAt = origin + event.generatedAt.microseconds }
        if event.staleDate != .never { staleDate = origin + event.staleDate.microseconds }
        status = Int(event.status)
        reason = event.reason == 255 ? 0 : Int(event.reason) + 1
        isCancelled = event.isCancelled
    }
}

extension ServerEvent.Kind {
    /// The word in the column `event`.
    public var word: String {
        switch self {
        case .rideRequested: "ride_requested"
        case .stage: "stage"
        case .rideEnded: "ride_ended"
        case .activityStarted: "activity_started"
        case .tokenPosted: "token_posted"
        case .tokenInvalidated: "token_invalidated"
        case .push: "push"
        case .answer: "answer"
        case .activityEnded: "activity_ended"
        case .shown: "shown"
        }
    }

    /// `true` if an app reports it, maybe by a clock of its own.
    var isOfApp: Bool {
        switch self {
        case .activityStarted, .activityEnded, .shown: true
        default: false
        }
    }

    /// The meaning of the event, for the schema.
    var text: String {
        switch self {
        case .rideRequested: "The ride was requested."
        case .stage: "The ride entered a stage."
        case .rideEnded: "The ride was completed or cancelled."
        case .activityStarted: "The app fetched content and started an activity, as far as the server learns of it."
        case .tokenPosted: "The app posted an update token. The token itself is in no row."
        case .tokenInvalidated: "The server invalidated the token."
        case .push: "A request to APNs began."
        case .answer: "APNs answered, or the sender stopped waiting."
        case .activityEnded: "The app reported that its activity ended."
        case .shown: "The app reported that it shows the content of a push."
        }
    }

    /// The words for it in logs of other programs, in lower case and without separators.
    static let words: [String: ServerEvent.Kind] = {
        let others: [(ServerEvent.Kind, [String])] = [
            (.rideRequested, ["ride_request", "requested", "order_created", "trip_requested", "ride_created"]),
            (.stage, ["stage_began", "stage_changed", "state", "state_changed", "ride_stage"]),
            (.rideEnded, ["ride_completed", "ride_finished", "ride_cancelled", "trip_ended"]),
            (.activityStarted, ["activity_start", "live_activity_started", "started"]),
            (.tokenPosted, ["token_received", "token_registered", "token_updated", "update_token", "token"]),
            (.tokenInvalidated, ["token_removed", "token_deleted", "token_revoked", "token_discarded"]),
            (.push, ["push_sent", "sent", "send", "request", "apns_request", "push_request"]),
            (.answer, ["response", "apns_response", "push_response", "push_answer", "answered", "result"]),
            (.activityEnded, ["activity_end", "live_activity_ended", "dismissed"]),
            (.shown, ["displayed", "rendered"]),
        ]
        var words: [String: ServerEvent.Kind] = [:]
        for kind in ServerEvent.Kind.allCases { words[kind.word.filter { $0 != "_" }] = kind }
        for (kind, names) in others { for name in names { words[name.filter { $0 != "_" }] = kind } }
        return words
    }()
}

extension StoryLine.PushKind {
    /// The word in the column `kind`.
    public var word: String {
        switch self {
        case .update: "update"
        case .retry: "retry"
        case .end: "end"
        case .start: "start"
        }
    }
}
