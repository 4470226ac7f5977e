import CommandTestSupport
import Foundation
import FreshnessCore
import HTTPTypes
import Hummingbird
import LiveActivityModel
import NIOCore
import Quantities
import Synchronization
import TestSupport
import Testing
import Wire

@testable import MonitorServer

@Suite("The monitor's API")
struct MonitorAPITests {
    private static let token = DeviceToken(ride: 3, number: 1).hexadecimal

    /// Returns the service's view of an instance.
    private static func view(_ client: MonitorFixture.Client, _ instance: String) async throws -> InstanceView? {
        InstanceView(Array(try await client.send(.get, "/v1/instances/\(instance)").text.utf8))
    }

    @Test("a life: token, content, rotation, end, and the resulting pushes")
    func life() async throws {
        let fixture = try MonitorFixture()
        let transport = fixture.transport
        try await fixture.whileServing { client in
            let published = try await client.send(.put, "/v1/instances/r1/token", #"{"token":"\#(Self.token)"}"#)
            #expect(published.status == 201)
            #expect(published.text == #"{"instance":"r1"}"# + "\n")
            let stale = Int(Date().timeIntervalSince1970) + 300
            let body = #"{"content_state":{"eta": 4},"stale_date":\#(stale),"generated_at_us":5,"priority":5}"#
            #expect(try await client.send(.put, "/v1/instances/r1/content", body).status == 202)
            let isBelieved = try await eventually {
                try await Self.view(client, "r1")?.shown?.generatedAt.microseconds == 5
            }
            #expect(isBelieved)
            let seen = try await client.send(.get, "/v1/instances/r1")
            #expect(seen.status == 200)
            let view = try #require(InstanceView(Array(seen.text.utf8)))
            #expect(view.instance == "r1" && view.freshness == .fresh && view.phase == .live && view.token == .active)
            #expect(!seen.text.contains(Self.token))
            let other = DeviceToken(ride: 3, number: 2).hexadecimal
            #expect(
                try await client.send(.put, "/v1/instances/r1/token", #"{"token":"\#(other)"}"#).status == 200
            )
            #expect(try await client.send(.put, "/v1/instances/r1/content", body).status == 202)
            #expect(try await client.send(.post, "/v1/instances/r1/end").status == 202)
            let isClosed = try await eventually {
                try await Self.view(client, "r1")?.phase == .closed
            }
            #expect(isClosed)
            #expect(try await client.send(.delete, "/v1/instances/r1/token").status == 204)
            #expect(try await client.send(.delete, "/v1/instances/r1/token").status == 204)
        }
        #expect(transport.pushes.map(\.kind) == [.update, .end])
        #expect(transport.pushes.map(\.token.token?.number) == [1, 2])
        #expect(transport.pushes.map(\.decision.priority) == [.considerate, .immediate])
        let payload = String(decoding: transport.pushes[0].payload, as: UTF8.self)
        #expect(payload.hasPrefix(#"{"aps":{"timestamp":1,"event":"update","stale-date":"#), "\(payload)")
        #expect(payload.hasSuffix(#","content-state":{"eta": 4}}}"#))
    }

    @Test("a life by channel: content and end go to the channel, and a token can replace it")
    func channel() async throws {
        let fixture = try MonitorFixture()
        let transport = fixture.transport
        try await fixture.whileServing { client in
            let path = "/v1/instances/match/token"
            #expect(try await client.send(.put, path, #"{"channel":"AbC+/w=="}"#).status == 201)
            let body = #"{"content_state":{"score": 1},"generated_at_us":5}"#
            #expect(try await client.send(.put, "/v1/instances/match/content", body).status == 202)
            #expect(await transport.hasSent(1))
            #expect(try await client.send(.post, "/v1/instances/match/end").status == 202)
            let isClosed = try await eventually { try await Self.view(client, "match")?.phase == .closed }
            #expect(isClosed)
            let seen = try await client.send(.get, "/v1/instances/match").text
            #expect(!seen.contains("AbC+/w=="))
            #expect(try await client.send(.put, path, #"{"token":"\#(Self.token)"}"#).status == 202)
            #expect(await transport.hasSent(3))
        }
        let channel = PushAddress.channel(try #require(ChannelID("AbC+/w==")))
        #expect(transport.pushes.map(\.kind) == [.update, .end, .end])
        #expect(transport.pushes.map(\.token.address).prefix(2) == [channel, channel])
        #expect(transport.pushes.last?.token.token?.number == 1)
    }

    @Test("a token of an ended ride gets the end, with 202; if the end is final, it is refused with 409 and not stored")
    func tokenAfterEnd() async throws {
        for endsAgain in [true, false] {
            var rules = Scenario.Monitor()
            rules.endsAgainOnNewToken = endsAgain
            let fixture = try MonitorFixture(rules: rules)
            try await fixture.whileServing { client in
                func publish(_ number: UInt32) async throws -> (status: Int, text: String) {
                    let token = DeviceToken(ride: 3, number: number).hexadecimal
                    let answer = try await client.send(.put, "/v1/instances/r1/token", #"{"token":"\#(token)"}"#)
                    return (answer.status, answer.text)
                }
                #expect(try await publish(1).status == 201)
                #expect(try await client.send(.post, "/v1/instances/r1/end").status == 202)
                let isClosed = try await eventually { try await Self.view(client, "r1")?.phase == .closed }
                #expect(isClosed)
                let late = try await publish(2)
                #expect(late.status == (endsAgain ? 202 : 409))
                guard endsAgain else {
                    let error =
                        #"{"error":{"status":409,"what":"instance r1","got":"a token","#
                        + #""allowed":"none: the instance ends"}}"#
                    #expect(late.text == error + "\n")
                    #expect(try await Self.view(client, "r1")?.token == .invalidated)
                    return
                }
                #expect(await fixture.transport.hasSent(2))
            }
            #expect(fixture.transport.pushes.map(\.kind) == (endsAgain ? [.end, .end] : [.end]))
            #expect(fixture.transport.pushes.map(\.token.token?.number) == (endsAgain ? [1, 2] : [1]))
        }
    }

    @Test("after a kill, the dismissal date of an acknowledged end is sent with the next end")
    func dismissalDate() async throws {
        let (before, after) = (Scratch(), Scratch())
        let killed = try MonitorFixture(scratch: before)
        killed.transport.outcome.withLock { $0 = nil }
        try await killed.whileServing { client in
            let token = #"{"token":"\#(Self.token)"}"#
            #expect(try await client.send(.put, "/v1/instances/r1/token", token).status == 201)
            for body in [#"{"dismissal_date":1700000999}"#, "{}"] {
                #expect(try await client.send(.post, "/v1/instances/r1/end", body).status == 202)
            }
            try Fixture.copyRegistry(before.path("tokens.sqlite"), to: after.path("tokens.sqlite"))
        }
        let restarted = try MonitorFixture(scratch: after)
        #expect(await restarted.transport.hasSent(1))
        await restarted.close()
        let ends = [killed, restarted].map { $0.transport.pushes.map { String(decoding: $0.payload, as: UTF8.self) } }
        #expect(ends.allSatisfy { $0.count == 1 && $0[0].contains(#""dismissal-date":1700000999"#) }, "\(ends)")
    }

    @Test("exactly one of several simultaneous first publications is the first")
    func oneFirst() async throws {
        let fixture = try MonitorFixture()
        try await fixture.whileServing { client in
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<200 {
                    group.addTask {
                        try await client.send(.put, "/v1/instances/r/token", #"{"token":"\#(Self.token)"}"#)
                            .status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.filter { $0 == 201 }.count == 1)
            #expect(statuses.filter { $0 == 200 }.count == 199)
        }
    }

    @Test(
        "simultaneous announcements without an instant are all accepted, in any order",
        .enabled(if: Loop.isFull)
    )
    func together() async throws {
        let fixture = try MonitorFixture()
        try await fixture.whileServing { client in
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for eta in 0..<4000 {
                    group.addTask {
                        let body = #"{"content_state":{"eta":\#(eta)}}"#
                        return try await client.send(.put, "/v1/instances/r/content", body).status
                    }
                }
                return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
            }
            #expect(statuses == [202])
        }
    }

    @Test("different content of the same instant is refused; without an instant, each is newer than the last")
    func generations() async throws {
        let fixture = try MonitorFixture()
        try await fixture.whileServing { client in
            func announce(_ body: String) async throws -> (status: Int, text: String, headers: HTTPFields) {
                try await client.send(.put, "/v1/instances/r/content", body)
            }
            let first = #"{"content_state":{"eta":1},"generated_at_us":5,"stale_date":9}"#
            #expect(try await announce(first).status == 202)
            #expect(try await announce(first).status == 202)
            for other in [
                #"{"content_state":{"eta":2},"generated_at_us":5,"stale_date":9}"#,
                #"{"content_state":{"eta":1},"generated_at_us":5,"stale_date":10}"#,
                #"{"content_state":{"eta":1},"generated_at_us":5,"stale_date":9,"priority":5}"#,
            ] {
                let answer = try await announce(other)
                #expect(answer.status == 409)
                #expect(answer.text.contains(#""got":"5, at which other content was announced""#))
            }
            // A time from a clock that is ahead of this one.
            let ahead = Int(Date().timeIntervalSince1970 * 1e6) + 86_400_000_000
            #expect(try await announce(#"{"content_state":{},"generated_at_us":\#(ahead)}"#).status == 202)
            for eta in 0..<3 { #expect(try await announce(#"{"content_state":{"eta":\#(eta)}}"#).status == 202) }
            #expect(try await Self.view(client, "r")?.announcedAt?.microseconds == Int64(ahead) + 3)
        }
    }

    @Test("of the content announced while APNs is unreachable, only the newest is sent, once it is reachable")
    func outage() async throws {
        let fixture = try MonitorFixture()
        try await fixture.whileServing { client in
            for id in ["r", "withdrawn"] {
                let path = "/v1/instances/\(id)/token"
                #expect(try await client.send(.put, path, #"{"token":"\#(Self.token)"}"#).status == 201)
            }
            fixture.transport.connected(false)
            #expect(
                try await eventually {
                    try await client.send(.get, "/metrics").text.contains("freshet_monitor_apns_connected 0\n")
                }
            )
            for id in ["withdrawn", "r"] {
                for eta in 1...3 {
                    let body = #"{"content_state":{"eta":\#(eta)}}"#
                    #expect(try await client.send(.put, "/v1/instances/\(id)/content", body).status == 202)
                }
            }
            // Content that waits for an app which withdraws its token delays no request and is not sent.
            #expect(try await client.send(.delete, "/v1/instances/withdrawn/token").status == 204)
            #expect(fixture.transport.pushes.isEmpty)
            fixture.transport.connected(true)
            #expect(await fixture.transport.hasSent(1))
            let push = try #require(fixture.transport.pushes.first)
            #expect(String(decoding: push.payload, as: UTF8.self).contains(#"{"eta":3}"#))
            let metrics = try await client.send(.get, "/metrics").text
            #expect(metrics.contains(#"freshet_monitor_pushes_not_sent_total{reason="coalesced"} 4"#))
            #expect(metrics.contains(#"freshet_monitor_pushes_not_sent_total{reason="abandoned"} 1"#))
        }
    }

    @Test("a push that loses its connection waits for the next one")
    func lostConnection() async throws {
        let fixture = try MonitorFixture()
        fixture.transport.outcome.withLock { $0 = nil }
        try await fixture.whileServing { client in
            _ = try await client.send(.put, "/v1/instances/r/token", #"{"token":"\#(Self.token)"}"#)
            _ = try await client.send(.put, "/v1/instances/r/content", #"{"content_state":{}}"#)
            #expect(await fixture.transport.hasSent(1))
            fixture.transport.connected(false)
            fixture.transport.answer(fixture.transport.pushes, .notProcessed)
            #expect(
                try await eventually {
                    try await client.send(.get, "/metrics").text.contains("freshet_monitor_pushes_waiting 1\n")
                }
            )
            #expect(fixture.transport.pushes.count == 1)
            fixture.transport.connected(true)
            #expect(await fixture.transport.hasSent(2))
        }
    }

    @Test("the response to an invalid request has what, got and allowed, and no part of a token")
    func refusals() async throws {
        var limits = MonitorLimits()
        limits.bodyBytes = 5000
        limits.instances = 1
        let fixture = try MonitorFixture(limits: limits)
        let token = Self.token
        try await fixture.whileServing { client in
            let good = #"{"token":"\#(token)"}"#
            #expect(try await client.send(.put, "/v1/instances/r1/token", good).status == 201)
            let now = #"{"content_state":{},"generated_at_us":7}"#
            #expect(try await client.send(.put, "/v1/instances/r1/content", now).status == 202)
            let wide = String(repeating: "x", count: 4000)
            let cases: [(HTTPRequest.Method, String, String?, Int, String)] = [
                (.put, "/v1/instances/r1/token", "{}", 400, #""what":"field token","got":"nothing""#),
                (.put, "/v1/instances/r1/token", #"{"token":"abc"}"#, 400, "a string of 3 bytes"),
                (.put, "/v1/instances/r1/token", #"{"token":7}"#, 400, "even number of hexadecimal digits"),
                (.put, "/v1/instances/r1/token", #"{"tokken":"ab"}"#, 400, #""got":"tokken","allowed":"token, "#),
                (.put, "/v1/instances/r1/token", "nonsense", 400, "body, byte 0"),
                (
                    .put, "/v1/instances/r1/token", #"{"token":"\#(token)","channel":"AbC+/w=="}"#, 400,
                    #""what":"fields token and channel","got":"both""#
                ),
                (.put, "/v1/instances/r1/token", #"{"channel":"AbC"}"#, 400, "base64 of 1 to 64 bytes"),
                (.put, "/v1/instances/r2/token", good, 507, #""allowed":"1""#),
                (.put, "/v1/instances/a%20b/token", good, 400, InstanceID.rule),
                (.put, "/v1/instances/r1/content", "{}", 400, "field content_state"),
                (.put, "/v1/instances/r1/content", #"{"content_state":[]}"#, 400, "an array"),
                (.put, "/v1/instances/r1/content", #"{"content_state":{"x":"\#(wide)"}}"#, 400, "at most 3936 bytes"),
                (.put, "/v1/instances/r1/content", #"{"content_state":{},"priority":7}"#, 400, "5 or 10"),
                (.put, "/v1/instances/r1/content", #"{"content_state":{},"stale_date":-1}"#, 400, "UNIX time"),
                (.put, "/v1/instances/r1/content", #"{"content_state":{},"renewable_for_s":0}"#, 400, "seconds"),
                (.put, "/v1/instances/r1/content", #"{"content_state":{},"generated_at_us":6}"#, 409, "later than 7"),
                (.put, "/v1/instances/r1/content", wide + wide, 413, "at most 5000 bytes"),
                (.get, "/v1/instances/none", nil, 404, "instance none"),
                (.delete, "/v1/instances/none/token", nil, 404, "instance none"),
                (.post, "/v1/instances/none/end", nil, 404, "instance none"),
                (.post, "/v1/instances/r1/end", #"{"dismissal_date":"x"}"#, 400, "field dismissal_date"),
                (.get, "/v1/nothing", nil, 404, #""what":"path""#),
                (.post, "/v1/instances/r1/token", nil, 405, #""allowed":"PUT, DELETE""#),
                (.init("QUERY") ?? .get, "/health", nil, 405, #""got":"QUERY","allowed":"GET""#),
                (.delete, "/metrics", nil, 405, #""allowed":"GET""#),
                (.get, "/v1/instances?class=stale", nil, 400, "fresh, recoverable, severe"),
                (.get, "/v1/instances?limit=0", nil, 400, "1 to 1000"),
                (.get, "/v1/instances?colour=red", nil, 400, "class, limit, after"),
            ]
            for (method, path, body, status, text) in cases {
                let answer = try await client.send(method, path, body)
                #expect(answer.status == status, "\(method) \(path): \(answer.text)")
                #expect(answer.text.contains(text), "\(method) \(path): \(answer.text)")
                #expect(!answer.text.contains(token.prefix(16)))
                #expect(answer.headers[.contentType] == "application/json")
            }
            #expect(try await client.send(.post, "/v1/instances/r1/end").status == 202)
            let late = try await client.send(.put, "/v1/instances/r1/content", #"{"content_state":{}}"#)
            #expect(late.status == 409)
        }
    }

    @Test("without the secret only the health is accessible")
    func authentication() async throws {
        let fixture = try MonitorFixture()
        try await fixture.whileServing { client in
            for secret in [nil, "", "another", Fixture.secret + "x", String(Fixture.secret.dropLast())] {
                for path in ["/metrics", "/v1/instances", "/v1/instances/r1", "/elsewhere"] {
                    let answer = try await client.send(.get, path, secret: secret)
                    #expect(answer.status == 401 || path == "/elsewhere" && answer.status == 404, "\(path)")
                }
            }
            let health = try await client.send(.get, "/health", secret: nil)
            #expect(health.status == 200)
            #expect(health.text.hasPrefix(#"{"status":"ok","instances":0,"now_us":"#))
            #expect(health.text.hasSuffix(#","speed":1.0}"# + "\n"))
        }
    }

    @Test("a client that sends too many requests gets 429")
    func rateLimit() async throws {
        var limits = MonitorLimits()
        limits.requestsPerSecond = 1
        let fixture = try MonitorFixture(limits: limits)
        try await fixture.whileServing { client in
            // All at once: one after the other they might be slow enough on a busy machine.
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<100 {
                    group.addTask { try await client.send(.get, "/health").status }
                }
                return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
            }
            #expect(statuses == [200, 429])
        }
    }

    @Test("lists by class, page by page; metrics end as OpenMetrics requires")
    func listsAndMetrics() async throws {
        let fixture = try MonitorFixture()
        try await fixture.whileServing { client in
            for number in 0..<5 as Range<UInt32> {
                let token = DeviceToken(ride: UInt64(number), number: number).hexadecimal
                let body = #"{"token":"\#(token)","stale_date":\#(number == 3 ? 1 : 4_000_000_000)}"#
                #expect(try await client.send(.put, "/v1/instances/r\(number)/token", body).status == 201)
            }
            func page(_ query: String) async throws -> InstancePage? {
                InstancePage(Array(try await client.send(.get, "/v1/instances?\(query)").text.utf8))
            }
            let first = try #require(await page("class=fresh&limit=3"))
            #expect(first.instances.map(\.instance) == ["r0", "r1", "r2"] && first.next == 3)
            let second = try #require(await page("class=fresh&limit=3&after=3"))
            #expect(second.instances.map(\.instance) == ["r4"] && second.next == nil)
            #expect(try await page("class=recoverable")?.instances.map(\.instance) == ["r3"])
            var metrics = try await client.send(.get, "/metrics")
            // The gauges are those of the last scan, which may come after the lapse was looked up.
            for _ in 0..<600 where !metrics.text.contains("freshet_monitor_instances{class=\"recoverable\"} 1\n") {
                try await Task.sleep(for: .milliseconds(100))
                metrics = try await client.send(.get, "/metrics")
            }
            #expect(metrics.text.hasSuffix("# EOF\n"))
            #expect(metrics.text.contains("freshet_monitor_tokens_published_total 5\n"))
            #expect(metrics.text.contains("freshet_monitor_instances{class=\"recoverable\"} 1\n"))
        }
    }
}
