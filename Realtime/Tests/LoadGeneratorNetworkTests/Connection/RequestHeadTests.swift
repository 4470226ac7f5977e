import HTTP2
import NIOCore
import Testing
import Wire

@testable import LoadGenerator

@Suite struct RequestHeadTests {
    /// Fields that differ in each request stay out of the table, and no intermediary may index the token.
    @Test func asAppleAdvises() {
        var head = RequestHead(endpoint: APNsEndpoint(host: "localhost", port: 2197))
        head.authorization = "bearer x"
        let request = APNsRequest(
            number: 7,
            id: RequestID(high: 1, low: 2),
            target: .device(DeviceToken(bytes: [0x0A, 0xFF])),
            topic: "a.b.push-type.liveactivity",
            priority: 5,
            expiration: 12,
            payload: ByteBuffer(string: "{}")
        )
        head.write(request)
        let lines = [
            ":method: POST", ":scheme: https", ":authority: localhost:2197", ":path: /3/device/0aff (not indexed)",
            "authorization: bearer x (not indexed)", "apns-id: 00000000-0000-0001-0000-000000000002 (not indexed)",
            "apns-topic: a.b.push-type.liveactivity", "apns-push-type: liveactivity", "apns-priority: 5",
            "apns-expiration: 12 (not indexed)",
        ]
        #expect(head.fields.lines == lines)
        // A second head has nothing of the first.
        head.write(request)
        #expect(head.fields.lines == lines)
    }

    @Test func whatIsNotSaidIsLeftOut() {
        var head = RequestHead(endpoint: APNsEndpoint(host: "localhost", port: 80, trust: nil))
        let request = APNsRequest(
            number: 0,
            id: RequestID(high: 0, low: 0),
            target: .device(DeviceToken(ride: 3, number: 1)),
            topic: "t",
            payload: ByteBuffer()
        )
        head.write(request)
        let token = DeviceToken(ride: 3, number: 1).hexadecimal
        #expect(
            head.fields.lines == [
                ":method: POST", ":scheme: http", ":authority: localhost:80",
                ":path: /3/device/\(token) (not indexed)",
                "apns-id: 00000000-0000-0000-0000-000000000000 (not indexed)",
                "apns-topic: t", "apns-push-type: liveactivity", "apns-priority: 10",
            ]
        )
    }

    @Test("Calls about channels have their own paths and fields; a push after a deletion has none of them")
    func channels() {
        var head = RequestHead(endpoint: APNsEndpoint(host: "localhost", port: 2197))
        head.authorization = "bearer x"
        func lines(_ target: APNsRequest.Target) -> [String] {
            head.write(
                APNsRequest(
                    number: 7,
                    id: RequestID(high: 1, low: 2),
                    target: target,
                    topic: "a.b.push-type.liveactivity",
                    priority: 5,
                    expiration: 0,
                    payload: ByteBuffer(string: "{}")
                )
            )
            return head.fields.lines
        }
        let shared = [":scheme: https", ":authority: localhost:2197"]
        let end = [
            "authorization: bearer x (not indexed)",
            "apns-request-id: 00000000-0000-0001-0000-000000000002 (not indexed)",
        ]
        let channel = "apns-channel-id: AA== (not indexed)"
        #expect(lines(.newChannel) == [":method: POST"] + shared + [":path: /1/apps/a.b/channels"] + end)
        #expect(
            lines(.deletion(channel: "AA=="))
                == [":method: DELETE"] + shared + [":path: /1/apps/a.b/channels", channel] + end
        )
        #expect(
            lines(.broadcast(channel: "AA=="))
                == [":method: POST"] + shared + [
                    ":path: /4/broadcasts/apps/a.b", channel, "apns-push-type: liveactivity", "apns-priority: 5",
                    "apns-expiration: 0 (not indexed)",
                ] + end
        )
        _ = lines(.deletion(channel: "AA=="))
        let push = lines(.device(DeviceToken(bytes: [0x0A])))
        #expect(push.first == ":method: POST" && push.contains("apns-topic: a.b.push-type.liveactivity"))
        #expect(!push.contains { $0.hasPrefix("apns-channel-id") || $0.hasPrefix("apns-request-id") })
    }
}
