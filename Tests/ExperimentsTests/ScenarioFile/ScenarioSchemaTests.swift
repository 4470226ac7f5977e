import Experiments
import Foundation
import TestSupport
import Testing

@Suite("The JSON Schema of scenarios")
struct ScenarioSchemaTests {
    /// The keys that the documentation promises; a key that moves breaks scenarios in the field.
    fileprivate static let keys: [String: String] = [
        "":
            "extends name description seed replications clock rides content devices apns sender monitor faults measure cells factors checks",
        "checks": "name check",
        "factors": "design points vary zip where responses goal",
        "factors.goal":
            "maximise minimise subject_to across_rulers indifference tolerance confidence first_replications budget",
        "replications": "count until antithetic",
        "replications.until": "metric half_width at_most",
        "measure": "age_over wait_over",
        "clock": "duration drain warm_up window starts_at",
        "rides": "scale arrivals stages cancellation rematching trace",
        "rides.arrivals": "process rates_per_hour rate_interval count at spread",
        "rides.stages": "name duration refresh rank",
        "rides.cancellation": "share after until_stage",
        "rides.rematching": "share after from_stage to_stage",
        "rides.trace": "file provider longest_ride fold_onto_one_day",
        "content": """
        ttl refresh refresh_restarts_at_state_change updates_at stale_date_missing undecodable timestamp_resolution timestamps_rise \
        timestamp_in_milliseconds state_change_priority refresh_priority payload
        """,
        "content.payload": "bytes limit photo_stage photo_bytes small_photo_bytes ladder",
        "devices": """
        activities_enabled start push_to_start token initial_content_limit stale_content_limit local_updates \
        connectivity budget considerate_priority_delay swipe system_limit end_report
        """,
        "devices.start": "by time background at_system_limit too_large retry_after attempts",
        "devices.push_to_start": "has_token dead budget_exhausted resend_after attempts",
        "devices.token": "never delay post post_failure post_retry_after post_attempts rotation",
        "devices.local_updates": "enabled alive_for",
        "devices.connectivity": "online offline initially_offline",
        "devices.budget": "limit window ends_exempt",
        "devices.swipe": "share after recreated",
        "apns": """
        latency latency_from loss considerate_loss capacity reasons expired_token_lag expiration end_expiration storage \
        reorder script
        """,
        "apns.capacity": "servers service_time order drop_expired",
        "sender": """
        connections streams request_time timeout attempts retry_budget reconnect_after queue_limit overflow \
        requeue_after patience coalesce ranks preempt minimum_interval rate_limit
        """,
        "sender.retry_budget": "capacity per_second per_push reserve",
        "sender.ranks": "start end retry update",
        "sender.rate_limit": "per_second burst refill excess",
        "monitor":
            "enabled feedback fresh_limit recovery_window scan_interval scan_phase retry end_schedule end_again_on_new_token",
        "monitor.retry": "max_attempts schedule backoff jitter priorities budget obeys_fifteen_minutes",
        "monitor.retry.backoff": "base factor cap",
        "monitor.retry.budget": "capacity per_second per_push reserve",
        "faults": "kind at duration share factor",
    ]

    private func schema() throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(ScenarioSchema.json().utf8))
        return try #require(object as? [String: Any])
    }

    /// The properties of the section at a path, through lists and absence.
    private func properties(of schema: [String: Any]) -> [String: [String: Any]]? {
        if let items = schema["items"] as? [String: Any] { return properties(of: items) }
        if let first = (schema["anyOf"] as? [[String: Any]])?.first { return properties(of: first) }
        return schema["properties"] as? [String: [String: Any]]
    }

    @Test(
        "The schema has exactly the promised keys",
        .enabled(if: Loop.isFull),
        arguments: ScenarioSchemaTests.keys.keys.sorted()
    )
    func exactKeys(path: String) throws {
        let schema = try schema()
        var section = try #require(properties(of: schema))
        for key in path.split(separator: ".") {
            let inner = try #require(section[String(key)])
            section = try #require(properties(of: inner))
        }
        let expected = Self.keys[path]?.split(separator: " ").map(String.init).sorted()
        #expect(section.keys.sorted() == expected)
    }

    @Test("The schema is the same every time and names its dialect")
    func deterministic() throws {
        #expect(ScenarioSchema.json() == ScenarioSchema.json())
        #expect(try schema()["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
    }

    @Test("Fields have descriptions and defaults, required ones no default")
    func fields() throws {
        let schema = try schema()
        let sections = try #require(properties(of: schema))
        let monitor = try #require(sections["monitor"]?["properties"] as? [String: [String: Any]])
        #expect(monitor["recovery_window"]?["default"] as? String == "5m")
        #expect(
            monitor["recovery_window"]?["description"] as? String == "From stale but recoverable to severely stale."
        )
        #expect(monitor["scan_interval"]?["default"] as? String == "off")
        #expect(monitor["feedback"]?["enum"] as? [String] == ["acceptance", "delivery"])
        let fault = try #require(sections["faults"]?["items"] as? [String: Any])
        #expect(fault["required"] as? [String] == ["kind", "at"])
    }
}
