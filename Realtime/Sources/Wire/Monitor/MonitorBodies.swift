package import FreshnessCore
package import Quantities
package import TextFormats

/// An error in a request's body: the field, the value received, and the allowed values; never a token or content.
package struct MonitorBodyError: Error, Hashable, Sendable {
    /// The invalid part.
    package let what: String
    /// The value received.
    package let got: String
    /// The allowed values.
    package let allowed: String
}

/// The body of ``MonitorRoute/publish``: an instance's token or channel, and the content that its screen shows.
package struct TokenPublication: Hashable, Sendable {
    package var address: PushAddress
    /// The generation time of the content on the screen [UNIX µs]; `nil` if not given.
    package var generatedAt: Instant?
    /// The stale date of the content on the screen [UNIX µs]; `nil` if not given.
    package var staleDate: Instant?

    /// Creates the publication of a token.
    package init(token: DeviceToken, generatedAt: Instant? = nil, staleDate: Instant? = nil) {
        self.init(.token(token), generatedAt: generatedAt, staleDate: staleDate)
    }

    /// Creates a publication.
    package init(_ address: PushAddress, generatedAt: Instant? = nil, staleDate: Instant? = nil) {
        self.address = address
        self.generatedAt = generatedAt
        self.staleDate = staleDate
    }

    /// The JSON document.
    package var json: String {
        var json = JSONText()
        json.add("token", address.token?.hexadecimal)
        json.add("channel", address.channel?.text)
        json.add("generated_at_us", generatedAt?.microseconds)
        json.add("stale_date", raw: staleDate.map { FixedPoint.seconds(microseconds: $0.microseconds) })
        return json.document
    }

    /// Reads a body.
    package init(_ body: [UInt8]) throws(MonitorBodyError) {
        let body = try MonitorBody(body, of: .publish)
        address = try body.address()
        generatedAt = try body.generatedAt()
        staleDate = try body.staleDate()
    }
}

/// The body of ``MonitorRoute/announce``: an instance's newest content.
package struct ContentAnnouncement: Hashable, Sendable {
    /// The content, a JSON object; it is passed on unchanged.
    package var state: [UInt8]
    /// The generation time [UNIX µs]; `nil` for now.
    package var generatedAt: Instant?
    /// The stale date [UNIX µs]; `nil` for never.
    package var staleDate: Instant?
    /// The priority; `nil` for immediate.
    package var priority: PushPriority?
    /// The time for which a repetition is valid; `nil` to expire at the stale date.
    package var renewal: TimeSpan?
    /// The alert, sent once; `nil` for none.
    package var alert: PushAlert?
    /// The relevance among the app's activities; `nil` for none.
    package var relevanceScore: Double?

    /// Creates an announcement.
    package init(
        state: [UInt8],
        generatedAt: Instant? = nil,
        staleDate: Instant? = nil,
        priority: PushPriority? = nil,
        renewal: TimeSpan? = nil,
        alert: PushAlert? = nil,
        relevanceScore: Double? = nil
    ) {
        self.state = state
        self.generatedAt = generatedAt
        self.staleDate = staleDate
        self.priority = priority
        self.renewal = renewal
        self.alert = alert
        self.relevanceScore = relevanceScore
    }

    /// The latest instant that a monitor accepts [UNIX µs].
    package static var latestInstant: Int64 { 8_000_000_000_000_000 }
    /// The longest ``renewal`` that a monitor accepts.
    package static var longestRenewal: TimeSpan { .hours(24) }

    /// The JSON document.
    package var json: String {
        var json = JSONText()
        json.add("content_state", raw: String(decoding: state, as: UTF8.self))
        json.add("generated_at_us", generatedAt?.microseconds)
        json.add("stale_date", raw: staleDate.map { FixedPoint.seconds(microseconds: $0.microseconds) })
        json.add("priority", priority?.rawValue)
        json.add("renewable_for_s", raw: renewal.map { FixedPoint.seconds(microseconds: $0.microseconds) })
        json.add("alert", raw: alert.map { String(decoding: $0.json, as: UTF8.self) })
        json.add("relevance_score", raw: relevanceScore.map { "\($0)" })
        return json.document
    }

    /// Reads a body.
    package init(_ body: [UInt8]) throws(MonitorBodyError) {
        let body = try MonitorBody(body, of: .announce)
        generatedAt = try body.generatedAt()
        staleDate = try body.staleDate()
        state = try body.contentState()
        priority = try body.priority()
        renewal = try body.renewal()
        alert = try body.alert()
        relevanceScore = try body.number(.relevanceScore)
        let (size, largest) = (state.count + (alert?.byteCount ?? 0), ActivityPayload.largestContent)
        guard size <= largest else {
            let allowed = "at most \(largest) bytes together, for which a payload has room"
            throw MonitorBodyError(what: "fields content_state and alert", got: "\(size) bytes", allowed: allowed)
        }
    }
}

/// The body of ``MonitorRoute/end``: a ride is over.
package struct EndRequest: Hashable, Sendable {
    /// The time to remove the card [UNIX s]; `nil` to leave it to the phone.
    package var dismissalDate: Int64?

    /// Creates a request.
    package init(dismissalDate: Int64?) {
        self.dismissalDate = dismissalDate
    }

    /// The JSON document.
    package var json: String {
        var json = JSONText()
        json.add("dismissal_date", dismissalDate)
        return json.document
    }

    /// Reads a body.
    package init(_ body: [UInt8]) throws(MonitorBodyError) {
        let body = try MonitorBody(body, of: .end)
        dismissalDate = try body.number(.dismissalDate).map { Int64($0) }
    }
}

/// The response to ``MonitorRoute/health``: the state that a client needs if its clock differs.
package struct MonitorHealth: Hashable, Sendable {
    /// The number of known instances.
    package var instances: Int
    /// The monitor's time [UNIX µs].
    package var nowMicroseconds: Int64
    /// The speed of that time, relative to the wall clock.
    package var speed: Double

    /// Creates the state of a working monitor.
    package init(instances: Int, nowMicroseconds: Int64, speed: Double) {
        self.instances = instances
        self.nowMicroseconds = nowMicroseconds
        self.speed = speed
    }

    /// The response.
    package var json: JSONText {
        var json = JSONText()
        json.add("status", "ok")
        json.add("instances", instances)
        json.add("now_us", nowMicroseconds)
        json.add("speed", speed)
        return json
    }

    /// Reads a response; `nil` for a text that no monitor sends.
    package init?(_ body: [UInt8]) {
        guard let json = try? JSONMembers(body), let nowMicroseconds: Int64 = json["now_us"]?.integer(),
            let speed = json["speed"]?.number, let instances: Int = json["instances"]?.integer()
        else { return nil }
        self.init(instances: instances, nowMicroseconds: nowMicroseconds, speed: speed)
    }
}
