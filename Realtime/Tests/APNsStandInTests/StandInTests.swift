import APNsStandIn
import Foundation
import NIOCore
import NIOHTTP2
import Signatures
import Testing
import Wire

/// Over real connections on loopback.
@Suite(.serialized)
struct StandInTests {
    private static let path = TestServer.path

    @Test(arguments: [["h2"], []])
    func acceptsAPush(protocols: [String]) async throws {
        try await TestServer.running { server in
            let provider = try await server.connect(protocols: protocols)
            let id = "01234567-89ab-cdef-0123-456789abcdef"
            let fields = try server.fields() + [("apns-id", id), ("host", "localhost"), ("x-more", "is welcome")]
            let response = try await provider.request(1, path: StandInTests.path, fields)
            #expect(response.headers == [":status": "200", "apns-id": id])
            #expect(response.body == "")
            // One stream until the provider is authenticated, then many.
            let limits = try await provider.eventually { $0.streamLimits.count == 2 ? $0.streamLimits : nil }
            #expect(limits == [1, 1000])
        }
    }

    @Test
    func providerTokensOfEveryKind() async throws {
        try await TestServer.running { server in
            let now = Int(Date().timeIntervalSince1970)
            let invalid = "InvalidProviderToken"
            let rows: [(String?, String)] = [
                (try server.token(), ""), (try server.token(issuedAt: "\(now).25"), ""),
                (try server.token(header: #"{"alg":"ES256","typ":"JWT","kid":"KEYKEYKEYK"}"#), ""),
                (try server.token(issuedAt: "\"\(now)\""), invalid), (try server.token(issuedAt: "true"), invalid),
                (try server.token(issuedAt: "null"), invalid), (try server.token(issuedAt: "[\(now)]"), invalid),
                (try server.token(issuedAt: "1e999"), invalid), (try server.token(issuedAt: "-1"), invalid),
                (try server.token(issuedAt: "\(now)000"), invalid),
                (try server.token(issuedAt: "\(now)000000000"), invalid),
                (try server.token(header: #"{"kid":"KEYKEYKEYK"}"#), invalid),
                (try server.token(header: #"{"alg":null,"kid":"KEYKEYKEYK"}"#), invalid),
                (try server.token(header: #"{"alg":"es256","kid":"KEYKEYKEYK"}"#), invalid),
                (try server.token(header: #"{"alg":["ES256"],"kid":"KEYKEYKEYK"}"#), invalid),
                (try server.token(header: #"{"alg":"ES256"}"#), invalid),
                (try server.token(header: #"{"alg":"ES256","kid":7}"#), invalid),
                (try server.token(header: #"{"alg":"ES256","kid":"KEYKEYKEYK","typ":1}"#), invalid),
                (try server.token(header: #"{"alg":"ES256","kid":"KEYKEYKEYK","crit":["x"],"x":1}"#), invalid),
                (try server.token(claims: #"{"iat":\#(now)}"#), invalid),
                (try server.token(claims: #"{"iss":"TEAMTEAMTE"}"#), invalid),
                (try server.token(claims: #"{"iss":7,"iat":\#(now)}"#), invalid),
                (nil, "MissingProviderToken"), ("basic x", "MissingProviderToken"),
                ("bearer x", "InvalidProviderToken"), ("bearer a.b.c", "InvalidProviderToken"),
                (try server.token(issuedAt: "\(now - 3700)"), "ExpiredProviderToken"),
                (try server.token(team: "OTHERTEAMM"), "InvalidProviderToken"),
                (try server.token(signer: P256PrivateKey()), "InvalidProviderToken"),
                (
                    try server.token(header: #"{"alg":"none","kid":"KEYKEYKEYK"}"#), invalid
                ),
            ]
            for (token, reason) in rows {
                let provider = try await server.connect()
                var fields = try server.fields().filter { $0.0 != "authorization" }
                if let token { fields.append(("authorization", token)) }
                let response = try await provider.request(1, path: StandInTests.path, fields)
                #expect(response.status == (reason.isEmpty ? "200" : "403"), "\(reason)")
                #expect(response.body == (reason.isEmpty ? "" : "{\"reason\":\"\(reason)\"}"))
                await provider.close()
            }
        }
    }

    @Test("Without a check of signatures a token must still have the right form")
    func formsOfTokens() async throws {
        try await TestServer.running(with: Change(\.checksSignatures, false)) { server in
            for (header, status) in [
                (#"{"alg":"ES256","kid":"any"}"#, "200"), (#"{"kid":"any"}"#, "403"),
                (#"{"alg":"ES256","kid":""}"#, "403"),
            ] {
                let provider = try await server.connect()
                let fields = try server.fields(try server.token(header: header))
                #expect(try await provider.request(1, path: StandInTests.path, fields).status == status)
                await provider.close()
            }
        }
    }

    @Test
    func refusalsOnOneConnection() async throws {
        try await TestServer.connected { server, provider, good in
            let rows: [(String, [(String, String)], String, String, String, String)] = [
                (StandInTests.path, good, "{}", "POST", "200", ""),
                (StandInTests.path, good, "", "POST", "400", "PayloadEmpty"),
                (StandInTests.path, good, String(repeating: "x", count: 4096), "POST", "200", ""),
                (StandInTests.path, good, String(repeating: "x", count: 4097), "POST", "413", "PayloadTooLarge"),
                (StandInTests.path, good, String(repeating: "x", count: 50_000), "POST", "413", "PayloadTooLarge"),
                (StandInTests.path, good, String(repeating: "x", count: 3_000_000), "POST", "413", "PayloadTooLarge"),
                (StandInTests.path, good, "", "GET", "405", "MethodNotAllowed"),
                ("/3/device/", good, "{}", "POST", "400", "MissingDeviceToken"),
                ("/3/device/xyz", good, "{}", "POST", "400", "BadDeviceToken"),
                ("/2/device/00", good, "{}", "POST", "404", "BadPath"),
                (StandInTests.path, good + [("apns-topic", "a.b")], "{}", "POST", "400", "DuplicateHeaders"),
                (StandInTests.path, good + [("apns-priority", "1")], "{}", "POST", "400", "BadPriority"),
            ]
            var stream = 1
            for (path, fields, body, method, status, reason) in rows {
                let response = try await provider.request(stream, path: path, fields, body: body, method: method)
                #expect(response.status == status, "\(method) \(reason)")
                #expect(response.body == (reason.isEmpty ? "" : "{\"reason\":\"\(reason)\"}"))
                stream += 2
            }
            #expect(try await server.metric(#"freshet_apns_responses_total{status="200",reason=""}"#) == 2)
        }
    }

    @Test
    func goesAwayAfterTooManyErrors() async throws {
        try await TestServer.connected(with: Change(\.mostErrors, 3)) { _, provider, fields in
            for stream in [1, 3] {
                let response = try await provider.request(stream, path: "/3/device/xyz", fields)
                #expect(response.body == #"{"reason":"BadDeviceToken"}"#)
            }
            let reasons = try await provider.eventually { $0.isClosed ? $0.goAways : nil }
            #expect(reasons == [#"{"reason":"BadDeviceToken"}"#])
        }
    }

    @Test
    func whatComesBehindTheEndIsDisowned() async throws {
        try await TestServer.connected(with: Change(\.mostErrors, 3)) { server, provider, fields in
            _ = try await provider.request(1, path: StandInTests.path, fields)
            // The second error closes the connection while the third is in flight.
            provider.begin(3, path: "/3/device/xyz", fields, isLast: true)
            provider.begin(5, path: "/3/device/xyz", fields, isLast: true)
            provider.begin(7, path: StandInTests.path, fields)
            provider.body(7, "{}")
            let state = try await provider.eventually { $0.isClosed ? $0 : nil }
            #expect(state.goAways == [#"{"reason":"BadDeviceToken"}"#])
            #expect(state.lastStreams == [5])
            #expect(state.responses[5]?.status == "400")
            #expect(state.responses[7] == nil)
            #expect(try await server.metric("freshet_apns_requests_total") == 3)
            #expect(try await server.metric("freshet_apns_pushes_total{fate=\"delivered\"}") == 1)
        }
    }

    @Test
    func shrinksStreamsAfterARefusal() async throws {
        try await TestServer.connected(with: Change(\.shrinksStreams, true)) { _, provider, fields in
            _ = try await provider.request(1, path: StandInTests.path, fields)
            _ = try await provider.request(3, path: "/3/device/xyz", fields)
            _ = try await provider.request(5, path: StandInTests.path, fields)
            let limits = try await provider.eventually { $0.streamLimits.count == 4 ? $0.streamLimits : nil }
            #expect(limits == [1, 1000, 1, 1000])
        }
    }

    @Test
    func idleConnectionsAreToldToGo() async throws {
        let wall = TestWall()
        try await TestServer.connected(with: Change(\.wall, wall.time)) { _, provider, fields in
            _ = try await provider.request(1, path: StandInTests.path, fields)
            try await wall.advance(by: .seconds(3601))
            let reasons = try await provider.eventually { $0.isClosed ? $0.goAways : nil }
            #expect(reasons == [#"{"reason":"IdleTimeout"}"#])
        }
    }

    @Test
    func rapidResetsEndTheConnectionAndNothingElse() async throws {
        try await TestServer.running(with: Change(\.mostResets, 200)) { server in
            let other = try await server.connect()
            let provider = try await server.connect()
            let fields = try server.fields()
            try await giveUpManyRequests(provider, fields)
            _ = try await provider.eventually { $0.isClosed ? true : nil }
            #expect(try await other.request(1, path: StandInTests.path, fields).status == "200")
        }
    }

    @Test
    func whoGivesManyRequestsUpIsServedOn() async throws {
        try await TestServer.connected { _, provider, fields in
            try await giveUpManyRequests(provider, fields)
            #expect(try await provider.request(1203, path: StandInTests.path, fields).status == "200")
        }
    }

    /// Sends a valid request on stream 1, and 600 that are reset at once.
    private func giveUpManyRequests(_ provider: TestProvider, _ fields: [(String, String)]) async throws {
        _ = try await provider.request(1, path: StandInTests.path, fields)
        _ = try await provider.eventually { $0.streamLimits.count == 2 ? true : nil }
        for number in 1...600 {
            provider.begin(2 * number + 1, path: StandInTests.path, fields)
            provider.send(2 * number + 1, .rstStream(.cancel))
        }
    }

    @Test
    func oversizedHeadersAreResetAndNothingElse() async throws {
        try await TestServer.running { server in
            let other = try await server.connect()
            let provider = try await server.connect()
            let fields = try server.fields() + [("x-long", String(repeating: "x", count: 9000))]
            provider.begin(1, path: StandInTests.path, fields)
            #expect(try await provider.response(1).isReset)
            #expect(try await other.request(1, path: StandInTests.path, try server.fields()).status == "200")
        }
    }

    @Test
    func requestsThatNeverEndAreReset() async throws {
        let wall = TestWall()
        try await TestServer.connected(with: Change(\.wall, wall.time)) { server, provider, fields in
            provider.begin(1, path: StandInTests.path, fields)
            try await server.eventually("freshet_apns_requests_total", is: 1)
            try await wall.advance(by: .seconds(601))
            #expect(try await provider.response(1).isReset)
        }
    }

    @Test
    func moreConnectionsThanAllowedWait() async throws {
        try await TestServer.running(with: Change(\.mostConnections, 1)) { server in
            let fields = try server.fields()
            let provider = try await server.connect()
            _ = try await provider.request(1, path: StandInTests.path, fields)
            let second = try await server.connect()
            second.begin(1, path: StandInTests.path, fields, isLast: true)
            #expect(try await provider.request(3, path: StandInTests.path, fields).status == "200")
            // Not even accepted: the second is in the kernel's queue and has not sent a request.
            #expect(try await server.metric("freshet_apns_connections_opened_total") == 1)
            await provider.close()
            #expect(try await second.response(1).status == "400")
            #expect(try await server.metric("freshet_apns_connections_opened_total") == 2)
        }
    }

    @Test
    func shutdownIsAnnounced() async throws {
        var kept: TestProvider?
        try await TestServer.running { server in
            let provider = try await server.connect(staysOpen: true)
            _ = try await provider.request(1, path: StandInTests.path, try server.fields())
            kept = provider
        }
        let reasons = try await kept?.eventually { $0.isClosed ? $0.goAways : nil }
        #expect(reasons == [#"{"reason":"Shutdown"}"#])
    }

    @Test
    func playsTheScreens() async throws {
        try await TestServer.connected { server, provider, fields in
            let now = Int64(Date().timeIntervalSince1970)
            let withoutAlert =
                #"{"aps":{"timestamp":\#(now),"event":"start","content-state":{},"attributes-type":"A","attributes":{}}}"#
            let alerting = """
                {"aps":{"timestamp":\(now),"event":"update","alert":{"title":"T","body":"B"},"stale-date":\(now + 600),\
                "relevance-score":75,"content-state":{}}}
                """
            let bodies = [
                alerting, PhonePayload.text("update", at: now - 1),
                "no JSON",
                withoutAlert,
            ]
            for (index, body) in bodies.enumerated() {
                let response = try await provider.request(2 * index + 1, path: StandInTests.path, fields, body: body)
                #expect(response.status == "200")
            }
            let ended = PhonePayload.text("end", at: now)
            _ = try await provider.request(9, path: "/3/device/00", fields, body: ended)
            let stale = PhonePayload.text("update", at: now, stale: now - 1)
            _ = try await provider.request(11, path: "/3/device/01", fields, body: stale)
            for name in [
                #"freshet_screens{shows="fresh"}"#, #"freshet_screens{shows="stale"}"#,
                #"freshet_screens{shows="ended"}"#, #"freshet_screen_pushes_total{effect="older"}"#,
                #"freshet_screen_pushes_total{effect="undecodable"}"#,
                #"freshet_screen_pushes_total{effect="start_without_alert"}"#, "freshet_screen_alerts_total",
            ] { try await server.eventually(name, is: 1) }
        }
    }

    @Test
    func aPhoneLinkGetsThePushes() async throws {
        try await TestServer.running(with: Change(\.phoneSecret, "s")) { server in
            let phones = try await server.connect()
            #expect(try await phones.request(1, path: "/freshet/phones", []).status == "403")
            phones.begin(3, path: "/freshet/phones", [("authorization", "bearer s")])
            phones.body(3, "begin 100 1\n", isLast: false)
            _ = try await phones.eventually { $0.responses[3]?.body == "begun\n" ? true : nil }
            let second = try await server.connect()
            second.begin(1, path: "/freshet/phones", [("authorization", "bearer s")])
            second.body(1, "begin 100 1\n", isLast: false)
            _ = try await second.eventually { $0.responses[1]?.body == "busy\n" ? true : nil }
            let provider = try await server.connect()
            let id = "01234567-89ab-cdef-0123-456789abcdef"
            _ = try await provider.request(1, path: "/3/device/00ab", try server.fields() + [("apns-id", id)])
            let line = try await phones.eventually { state -> String? in
                let lines = state.responses[3]?.body.split(separator: "\n") ?? []
                return lines.count == 2 ? String(lines[1]) : nil
            }
            let words = line.split(separator: " ")
            #expect(words.count == 6)
            #expect(words.prefix(3) == ["push", id[...], "00ab"])
            #expect(Int(words[3]) ?? 0 > 0)
            #expect(words.suffix(2) == ["10", "e30="])
            phones.body(3, "end\n", isLast: true)
            _ = try await phones.response(3)
        }
    }

    @Test
    func channelsFromCreationToDeletion() async throws {
        try await TestServer.connected { server, provider, _ in
            let token = ("authorization", try server.token())
            let path = "/1/apps/a.b/channels"
            let configuration = #"{"message-storage-policy":0,"push-type":"LiveActivity"}"#
            let made = try await provider.request(1, path: path, [token], body: configuration)
            #expect(made.status == "201")
            let id = ("apns-channel-id", made.headers["apns-channel-id"] ?? "")
            let rows: [(String, String, [(String, String)], String, String, String)] = [
                ("GET", path, [id], "", "200", #"{"message-storage-policy":0,"push-type":"LiveActivity"}"#),
                ("GET", path, [], "", "400", "MissingChannelId"),
                ("GET", path, [("apns-channel-id", "?")], "", "400", "BadChannelId"),
                ("GET", path, [("apns-channel-id", "AAAA")], "", "400", "ChannelNotRegistered"),
                ("POST", path, [], "", "400", "PayloadEmpty"), ("POST", path, [], "x", "400", "BadRequestPayload"),
                ("POST", path, [], #"{"message-storage-policy":0}"#, "400", "MissingPushType"),
                ("POST", path, [], #"{"push-type":"alert"}"#, "400", "InvalidPushType"),
                ("POST", path, [], #"{"push-type":"LiveActivity"}"#, "400", "BadRequestParams"),
                ("POST", "/4/broadcasts/apps/a.b", [id], "{}", "400", "MissingPushType"),
                ("POST", "/4/broadcasts/apps/a.b", [id, ("apns-push-type", "liveactivity")], "{}", "200", ""),
                (
                    "POST", "/4/broadcasts/apps/a.b",
                    [id, ("apns-push-type", "liveactivity"), ("apns-expiration", "9999999999")], "{}", "400",
                    "BadExpirationDate"
                ),
                ("DELETE", path, [id], "", "204", ""), ("GET", path, [id], "", "400", "ChannelNotRegistered"),
                ("GET", "/1/apps/a.b/all-channels", [], "", "200", #"{"channels":[]}"#),
            ]
            var stream = 3
            for (method, path, fields, body, status, text) in rows {
                let response = try await provider.request(
                    stream,
                    path: path,
                    [token] + fields,
                    body: body,
                    method: method
                )
                #expect(response.status == status, "\(method) \(path) \(text)")
                let isReason = status.hasPrefix("4")
                #expect(isReason ? response.body == "{\"reason\":\"\(text)\"}" : response.body.count == text.count)
                stream += 2
            }
        }
    }

    @Test("The 10,001st channel is rejected, until one is deleted")
    func mostChannels() async throws {
        try await TestServer.connected { server, provider, _ in
            let token = ("authorization", try server.token())
            let path = "/1/apps/a.b/channels"
            let body = #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#
            var stream = 1
            func create() async throws -> TestProvider.Response {
                defer { stream += 2 }
                return try await provider.request(stream, path: path, [token], body: body)
            }
            var last = TestProvider.Response()
            for _ in 0..<10_000 { last = try await create() }
            #expect(last.status == "201")
            let refused = try await create()
            #expect(refused.status == "400" && refused.body == #"{"reason":"CannotCreateChannelConfig"}"#)
            let id = ("apns-channel-id", last.headers["apns-channel-id"] ?? "")
            let deleted = try await provider.request(stream, path: path, [token, id], body: "", method: "DELETE")
            #expect(deleted.status == "204")
            stream += 2
            #expect(try await create().status == "201")
        }
    }

    @Test("A start by push can let the stand-in's own phone follow a channel; a publication reaches its screen")
    func ownPhonesFollow() async throws {
        try await TestServer.connected { server, provider, fields in
            let token = fields[0]
            let body = #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#
            let made = try await provider.request(1, path: "/1/apps/a.b/channels", [token], body: body)
            let id = made.headers["apns-channel-id"] ?? ""
            var stream = 3
            func push(_ ride: UInt64, _ aps: String) async throws {
                let path = "/3/device/" + DeviceToken(ride: ride, number: 0).hexadecimal
                let answer = try await provider.request(stream, path: path, fields, body: "{\"aps\":{\(aps)}}")
                #expect(answer.status == "200")
                stream += 2
            }
            func publish(_ aps: String, to id: String) async throws -> TestProvider.Response {
                let names = [
                    token, ("apns-channel-id", id), ("apns-push-type", "liveactivity"), ("apns-priority", "10"),
                    ("apns-request-id", "00000000-0000-0001-0000-00000000000\(stream % 10)"),
                ]
                defer { stream += 2 }
                return try await provider.request(
                    stream,
                    path: "/4/broadcasts/apps/a.b",
                    names,
                    body: "{\"aps\":{\(aps)}}"
                )
            }
            func start(_ input: String) -> String {
                #""timestamp":1,"event":"start","attributes-type":"A","attributes":{},"alert":{"title":"a"},"#
                    + #""content-state":{}"# + input
            }
            let channel = ",\"input-push-channel\":\"\(id)\""
            try await push(1, start(channel))
            try await push(2, start(channel))
            try await push(3, start(",\"input-push-token\":1"))
            try await push(4, start(channel + ",\"input-push-token\":1"))
            try await push(5, start(#","input-push-channel":"AAAA""#))
            try await server.eventually("freshet_screen_pushes_total{effect=\"started\"}", is: 3)
            try await server.eventually("freshet_screen_pushes_total{effect=\"start_with_two_inputs\"}", is: 1)
            try await server.eventually("freshet_screen_pushes_total{effect=\"start_without_channel\"}", is: 1)
            let update = #""timestamp":2,"event":"update","content-state":{}"#
            let answer = try await publish(update, to: id)
            #expect(answer.status == "200" && answer.headers["apns-request-id"]?.hasPrefix("00000000") == true)
            try await server.eventually("freshet_screen_pushes_total{effect=\"shown\"}", is: 2)
            // The card of the first phone is over, so it no longer follows the channel.
            try await push(1, #""timestamp":3,"event":"end""#)
            try await server.eventually("freshet_screen_pushes_total{effect=\"ended\"}", is: 1)
            let later = try await publish(update.replacing("2", with: "4"), to: id)
            #expect(later.status == "200", "\(later.body)")
            try await server.eventually("freshet_screen_pushes_total{effect=\"shown\"}", is: 3)
            #expect(try await server.metric("freshet_apns_copies_total{fate=\"delivered\"}") == 3)
            #expect(try await server.metric("freshet_apns_publications_total") == 2)
            let gone = try await publish(update, to: "AAAA")
            #expect(gone.status == "400" && gone.body == #"{"reason":"ChannelNotRegistered"}"#)
            #expect(gone.headers["apns-request-id"] != nil)
        }
    }
}
