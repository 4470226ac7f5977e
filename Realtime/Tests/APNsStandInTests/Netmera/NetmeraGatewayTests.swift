import APNsStandIn
import Foundation
import LiveActivityModel
import Testing

/// Over real connections on loopback.
@Suite(.serialized) struct NetmeraGatewayTests {
    private static let activity = #""contentState":{"a":1},"liveActAttr":{},"liveActAttrType":"A""#
    private static let token = String(repeating: "0a", count: 80)
    private static let other = String(repeating: "0b", count: 80)

    @Test func pushesReachTheScreens() async throws {
        try await TestServer.running(with: Change(\.netmera, NetmeraConfiguration(port: 0, key: "secret"))) { server in
            let rows: [(call: String, body: String, status: Int, answer: String)] = [
                (
                    "events", #"{"name":"LiveActivityStartToken","extId":"u","token":"\#(Self.token)"}"#, 200, "{}"
                ),
                (
                    "createNotificationDefinition", "{\(Self.activity)}", 200,
                    #"{"notificationKey":"live-activity-1"}"#
                ),
                (
                    "sendNotification", #"{"notificationKey":"live-activity-1","target":{"extId":"u"}}"#, 200,
                    #"{"pushes":1}"#
                ),
                (
                    "sendBulkNotification",
                    #"{"message":{\#(Self.activity)},"type":"LIVE_ACTIVITY","target":{"sendToAll":true}}"#, 200,
                    #"{"pushes":1}"#
                ),
                (
                    "events",
                    #"{"name":"LiveActivityUpdateToken","extId":"u","groupId":"g","token":"\#(Self.other)"}"#, 200,
                    "{}"
                ),
                (
                    "update-live-activity", #"{"groupId":"g","action":"UPDATE","contentState":{},"priority":5}"#, 200,
                    #"{"pushes":1}"#
                ),
                ("update-live-activity", #"{"groupId":"g","action":"END"}"#, 200, #"{"pushes":1}"#),
                (
                    "update-live-activity", #"{"groupId":"g","action":"END"}"#, 404,
                    #"{"allowed":"a group with update tokens","error":"groupId is not known","got":"another"}"#
                ),
            ]
            for row in rows {
                let response = try await post(server, row.call, row.body)
                #expect(response.status == row.status, "\(row.call)")
                #expect(response.body == row.answer)
            }
            try await server.eventually("freshet_screen_pushes_total{effect=\"ended\"}", is: 1)
            #expect(try await server.metric("freshet_screen_pushes_total{effect=\"started\"}") == 2)
            #expect(try await server.metric("freshet_screen_pushes_total{effect=\"shown\"}") == 1)
            #expect(try await server.metric("freshet_apns_responses_total{status=\"200\",reason=\"\"}") == 4)
            #expect(try await server.metric("freshet_apns_requests_total") == 4)
            let calls = "freshet_netmera_calls_total{call="
            #expect(try await server.metric(calls + #""update-live-activity",status="200"}"#) == 2)
            #expect(try await server.metric(calls + #""update-live-activity",status="404"}"#) == 1)
            #expect(try await server.metric(calls + #""events",status="200"}"#) == 2)
        }
    }

    @Test func whatIsWrongIsRefused() async throws {
        try await TestServer.running(with: Change(\.netmera, NetmeraConfiguration(port: 0, key: "secret"))) { server in
            let end = #"{"groupId":"g","action":"END"}"#
            let large = #"{"groupId":""# + String(repeating: "x", count: 70_000) + "\"}"
            let huge = String(repeating: "x", count: 3_000_000)
            #expect(try await post(server, "update-live-activity", end, key: nil).status == 401)
            #expect(try await post(server, "update-live-activity", end, key: "secreT").status == 401)
            let got = try await post(server, "update-live-activity", end, method: "GET")
            #expect(got.status == 405)
            #expect(got.head.contains("allow: post"))
            #expect(try await post(server, "cancel", end).status == 404)
            #expect(try await post(server, "update-live-activity", "{").status == 400)
            #expect(try await post(server, "update-live-activity", large).status == 413)
            // It is not read to its end, so its sender may not receive the reason.
            if let response = try? await post(server, "update-live-activity", huge) { #expect(response.status == 413) }
            let response = try await post(server, "update-live-activity", end)
            #expect(response.status == 404)
            #expect(try await server.metric(#"freshet_netmera_calls_total{call="",status="404"}"#) == 1)
            #expect(
                try await server.metric(#"freshet_netmera_calls_total{call="update-live-activity",status="413"}"#) == 2
            )
        }
    }

    @Test("a body far larger than allowed closes the connection: later bytes are not read")
    func largeBody() async throws {
        try await TestServer.running(with: Change(\.netmera, NetmeraConfiguration(port: 0))) { server in
            let end = #"{"groupId":"g","action":"END"}"#
            let large = String(repeating: "x", count: 1_000_000)
            let calls = [large, end]
                .map { body in
                    "POST /rest/3.0/update-live-activity HTTP/1.1\r\nhost: localhost\r\n"
                        + "content-length: \(body.utf8.count)\r\n\r\n\(body)"
                }
            // The connection may close while it is written to.
            _ = try? await PlainHTTP.exchange(calls.joined(), port: server.standIn.netmeraPort ?? 0)
            let count = #"freshet_netmera_calls_total{call="update-live-activity",status="#
            try await server.eventually(count + #""413"}"#, is: 1)
            #expect(try await server.metric(count + #""404"}"#) ?? 0 == 0)
        }
    }

    /// APNs refuses a payload that is too long, and the token is kept.
    @Test func rulesOfAPNsHold() async throws {
        try await TestServer.running(with: Change(\.netmera, NetmeraConfiguration(port: 0))) { server in
            let event = #"{"name":"LiveActivityUpdateToken","extId":"u","groupId":"g","token":"\#(Self.token)"}"#
            #expect(try await post(server, "events", event, key: nil).status == 200)
            let content = #"{"text":"\#(String(repeating: "x", count: 4100))"}"#
            for body in [
                #"{"groupId":"g","action":"UPDATE","contentState":\#(content)}"#,
                #"{"groupId":"g","action":"UPDATE","contentState":{}}"#,
            ] {
                let response = try await post(server, "update-live-activity", body, key: nil)
                #expect(response.body == #"{"pushes":1}"#)
            }
            try await server.eventually("freshet_screen_pushes_total{effect=\"shown\"}", is: 1)
            let refused = "freshet_apns_responses_total{status=\"413\",reason=\"PayloadTooLarge\"}"
            #expect(try await server.metric(refused) == 1)
        }
    }

    /// Sends one minimal request over its own connection.
    private func post(
        _ server: TestServer,
        _ call: String,
        _ body: String,
        key: String? = "secret",
        method: String = "POST"
    ) async throws -> (status: Int, body: String, head: String) {
        try await PlainHTTP.send(
            method,
            "/rest/3.0/\(call)",
            headers: key.map { "X-netmera-api-key: \($0)\r\n" } ?? "",
            body,
            port: server.standIn.netmeraPort ?? 0
        )
    }
}
