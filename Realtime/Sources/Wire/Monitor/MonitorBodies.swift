package import FreshnessCore
package import Quantities
package import TextFormats

/// What is wrong with a request's body: what, what came, what may come; never a token or content.
package struct MonitorBodyError: Error, Hashable, Sendable {
    /// What is wrong.
    package let what: String
    /// What came.
    package let got: String
    /// What may come.
    package let allowed: String
}

/// The body of ``MonitorRoute/publish``: an instance's token, and what its screen shows.
package struct TokenPublication: Hashable, Sendable {
    /// The token.
    package var token: DeviceToken
    /// When the content on the screen was generated [UNIX µs]; nil: not said.
    package var generatedAt: Instant?
    /// When the content on the screen goes stale [UNIX µs]; nil: not said.
    package var staleDate: Instant?

    /// A publication.
    package init(token: DeviceToken, generatedAt: Instant? = nil, staleDate: Instant? = nil) {
        self.token = token
        self.generatedAt = generatedAt
        self.staleDate = staleDate
    }

    /// The JSON document.
    package var json: String {
        var json = JSONText()
        json.add("token", token.hexadecimal)
        json.add("generated_at_us", generatedAt?.microseconds)
        json.add("stale_date", raw: staleDate.map { FixedPoint.seconds(microseconds: $0.microseconds) })
        return json.document
    }

    /// Reads a body.
    package init(_ body: [UInt8]) throws(MonitorBodyError) {
        let body = try MonitorBody(body, fields: ["token", "generated_at_us", "stale_date"])
        token = try body.token()
        generatedAt = try body.generatedAt()
        staleDate = try body.staleDate()
    }
}

/// The body of ``MonitorRoute/announce``: an instance's newest content.
package struct ContentAnnouncement: Hashable, Sendable {
    /// The content, a JSON object; it is passed on as it came.
    package var state: [UInt8]
    /// When it was generated [UNIX µs]; nil: now.
    package var generatedAt: Instant?
    /// When it goes stale [UNIX µs]; nil: never.
    package var staleDate: Instant?
    /// How urgent it is; nil: immediate.
    package var priority: PushPriority?
    /// For how long a repetition of it is good; nil: it goes stale when it does.
    package var renewal: TimeSpan?

    /// An announcement.
    package init(
        state: [UInt8],
        generatedAt: Instant? = nil,
        staleDate: Instant? = nil,
        priority: PushPriority? = nil,
        renewal: TimeSpan? = nil
    ) {
        self.state = state
        self.generatedAt = generatedAt
        self.staleDate = staleDate
        self.priority = priority
        self.renewal = renewal
    }

    /// The latest instant that a monitor takes [UNIX µs].
    package static var latestInstant: Int64 { 8_000_000_000_000_000 }
    /// The longest ``renewal`` that a monitor takes.
    package static var longestRenewal: TimeSpan { .hours(24) }

    /// The JSON document.
    package var json: String {
        var json = JSONText()
        json.add("content_state", raw: String(decoding: state, as: UTF8.self))
        json.add("generated_at_us", generatedAt?.microseconds)
        json.add("stale_date", raw: staleDate.map { FixedPoint.seconds(microseconds: $0.microseconds) })
        json.add("priority", priority?.rawValue)
        json.add("renewable_for_s", raw: renewal.map { FixedPoint.seconds(microseconds: $0.microseconds) })
        return json.document
    }

    /// Reads a body.
    package init(_ body: [UInt8]) throws(MonitorBodyError) {
        let body = try MonitorBody(
            body,
            fields: ["generated_at_us", "stale_date", "content_state", "priority", "renewable_for_s"]
        )
        generatedAt = try body.generatedAt()
        staleDate = try body.staleDate()
        state = try body.contentState()
        priority = try body.priority()
        renewal = try body.renewal()
    }
}

/// The body of ``MonitorRoute/end``: a ride is over.
package struct EndRequest: Hashable, Sendable {
    /// When the card goes [UNIX s]; nil: when the phone pleases.
    package var dismissalDate: Int64?

    /// Reads a body.
    package init(_ body: [UInt8]) throws(MonitorBodyError) {
        let body = try MonitorBody(body, fields: ["dismissal_date"])
        dismissalDate = try body.seconds("dismissal_date").map { Int64($0) }
    }
}

/// The answer to ``MonitorRoute/health``: what a client needs whose clock is another one.
package struct MonitorHealth: Hashable, Sendable {
    /// Known instances.
    package var instances: Int
    /// The monitor's time [UNIX µs].
    package var nowMicroseconds: Int64
    /// How many times faster than the wall clock it goes.
    package var speed: Double

    /// A monitor that works.
    package init(instances: Int, nowMicroseconds: Int64, speed: Double) {
        self.instances = instances
        self.nowMicroseconds = nowMicroseconds
        self.speed = speed
    }

    /// The answer.
    package var json: JSONText {
        var json = JSONText()
        json.add("status", "ok")
        json.add("instances", instances)
        json.add("now_us", nowMicroseconds)
        json.add("speed", speed)
        return json
    }

    /// Reads an answer; nil for what no monitor says.
    package init?(_ body: [UInt8]) {
        guard let json = try? JSONMembers(body), let nowMicroseconds: Int64 = json["now_us"]?.integer(),
            let speed = json["speed"]?.number, let instances: Int = json["instances"]?.integer()
        else { return nil }
        self.init(instances: instances, nowMicroseconds: nowMicroseconds, speed: speed)
    }
}
