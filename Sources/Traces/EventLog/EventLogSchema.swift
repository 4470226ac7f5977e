import FreshnessCore
import LiveActivityModel
import TextFormats

/// The JSON Schema of a row of an event log.
public enum EventLogSchema {
    /// Returns the schema as a JSON document.
    public static func json() -> String {
        func text(_ description: String) -> JSONValue { ["type": "string", "description": .string(description)] }
        func number(_ description: String, _ allowed: [Int]) -> JSONValue {
            [
                "type": "integer", "enum": .array(allowed.map { .integer(Int64($0)) }),
                "description": .string(description),
            ]
        }
        func words(_ description: String, _ words: [String]) -> JSONValue {
            ["type": "string", "enum": .array(words.map { .string($0) }), "description": .string(description)]
        }
        func micros(_ description: String) -> JSONValue {
            [
                "type": "integer",
                "description": .string(
                    description + " Microseconds since midnight of the log's first day, or since 1970."
                ),
            ]
        }
        func instant(_ description: String) -> JSONValue {
            ["type": "string", "description": .string(description + " ISO 8601, with an offset or Z.")]
        }
        let events = LogEvent.Kind.allCases.map { "\($0.word): \($0.text)" }.joined(separator: " ")
        let properties: [(String, JSONValue)] = [
            ("at_us", micros(LogField.at.text)),
            ("at", instant(LogField.at.text)),
            ("event", words(LogField.event.text + " " + events, LogEvent.Kind.allCases.map(\.word))),
            ("ride", text(LogField.ride.text)),
            ("push", text(LogField.push.text)),
            ("kind", words(LogField.kind.text, StoryLine.PushKind.allCases.map(\.word))),
            ("priority", number(LogField.priority.text, [1, 5, 10])),
            ("attempt", ["type": "integer", "minimum": .integer(0), "description": .string(LogField.attempt.text)]),
            ("stage", text(LogField.stage.text)),
            ("generated_us", micros(LogField.generated.text)),
            ("generated_at", instant(LogField.generated.text)),
            ("stale_us", micros(LogField.stale.text)),
            ("stale_at", instant(LogField.stale.text)),
            (
                "status",
                [
                    "type": "integer", "minimum": .integer(0), "maximum": .integer(599),
                    "description": .string(LogField.status.text),
                ]
            ),
            ("reason", text(LogField.reason.text)),
            ("latency_us", ["type": "integer", "minimum": .integer(0), "description": .string(LogField.latency.text)]),
            (
                "payload_bytes",
                ["type": "integer", "minimum": .integer(1), "description": .string(LogField.payload.text)]
            ),
            ("outcome", words(LogField.outcome.text, ["completed", "cancelled"])),
        ]
        let schema: JSONValue = [
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "A row of a Freshet event log",
            "description":
                "One event that a server can know. A log is NDJSON, or CSV or Parquet with these columns. No token is in it.",
            "type": "object",
            "required": .array(["event", "ride"].map { .string($0) }),
            "anyOf": .array([["required": .array([.string("at_us")])], ["required": .array([.string("at")])]]),
            "properties": .object(Dictionary(uniqueKeysWithValues: properties)),
        ]
        return schema.text
    }
}
