import InputFiles

/// A field of a row of an event log.
public enum LogField: String, CaseIterable, Sendable {
    case at
    case event
    case ride
    case push
    case kind
    case priority
    case attempt
    case stage
    case generated
    case stale
    case status
    case reason
    case latency
    case outcome
    case payload

    /// The usual names of its column, apart from a unit at the end; the first is the format's own.
    var names: [String] {
        switch self {
        case .at: ["at", "time", "timestamp", "ts", "datetime", "occurred_at", "logged_at", "@timestamp"]
        case .event: ["event", "event_type", "event_name", "type", "action"]
        case .ride: ["ride", "ride_id", "trip_id", "order_id", "activity_id", "instance"]
        case .push: ["push", "push_id", "apns_id", "request_id", "notification_id"]
        case .kind: ["kind", "push_kind", "push_event", "push_type"]
        case .priority: ["priority", "apns_priority"]
        case .attempt: ["attempt", "try"]
        case .stage: ["stage", "ride_stage", "state", "ride_state", "phase"]
        case .generated: ["generated", "generated_at", "content_generated_at", "content_at", "created_at"]
        case .stale: ["stale", "stale_at", "stale_date"]
        case .status: ["status", "status_code", "http_status", "apns_status", "response_code"]
        case .reason: ["reason", "apns_reason", "error_reason", "error"]
        case .latency: ["latency", "duration", "elapsed", "response_time", "took", "rtt"]
        case .outcome: ["outcome", "result", "ride_status"]
        case .payload: ["payload", "payload_size", "payload_length", "body_size", "message_size"]
        }
    }

    /// Creates a field by its name, or by that of a column of the schema: `payload` or `payload_bytes`.
    init?(named name: String) {
        let suffix = ["_us", "_at", "_bytes"].first { name.hasSuffix($0) } ?? ""
        self.init(rawValue: String(name.dropLast(suffix.count)))
    }

    /// `true` if its values are instants.
    var isTime: Bool { [.at, .generated, .stale].contains(self) }

    /// The description of the field, for the schema.
    var text: String {
        switch self {
        case .at: "When it happened, by the server's clock."
        case .event: "The kind of event."
        case .ride: "The ride, by any name that is unique in the log."
        case .push: "The request to APNs; the same in its answer. Another attempt of a push is another request."
        case .kind: "The kind of the push: content, an attempt of the monitor to recover, the end, a push-to-start."
        case .priority: "The priority of the request."
        case .attempt: "The number of earlier requests with the same push."
        case .stage: "The name of the stage that begins."
        case .generated: "When the content of the push was generated."
        case .stale:
            "The stale date of that content, or of the content with which an app starts its activity; absent if it has none."
        case .status: "The HTTP status of APNs' answer; 0 if none came."
        case .reason: "APNs' reason for a status other than 200."
        case .latency: "In a row of a push with its answer: the time between both."
        case .outcome: "How the ride ended."
        case .payload: "The size of the push's payload; only a replay uses it."
        }
    }
}
