import APNsProtocol
import NIOCore
import NIOHPACK
import Testing

@testable import LoadTransport

@Suite struct RequestHeadersTests {
    /// What differs in each request stays out of the table; the token is never to be indexed by anybody.
    @Test func asAppleAdvises() {
        var writer = RequestHeaders(endpoint: APNsEndpoint(host: "localhost", port: 2197))
        writer.authorization = "bearer x"
        let request = APNsRequest(
            number: 7,
            id: RequestID(high: 1, low: 2),
            token: DeviceToken(bytes: [0x0A, 0xFF]),
            topic: "a.b.push-type.liveactivity",
            priority: 5,
            expiration: 12,
            collapseID: "c",
            payload: ByteBuffer(string: "{}")
        )
        let lines = writer.headers(of: request).map { name, value, indexing in "\(name): \(value) \(indexing)" }
        #expect(
            lines == [
                ":method: POST []", ":scheme: https []", ":path: /3/device/0aff [non-indexable]",
                ":authority: localhost:2197 []", "authorization: bearer x [neverIndexed]",
                "apns-id: 00000000-0000-0001-0000-000000000002 [non-indexable]",
                "apns-topic: a.b.push-type.liveactivity []", "apns-push-type: liveactivity []",
                "apns-priority: 5 []", "apns-expiration: 12 [non-indexable]", "apns-collapse-id: c [non-indexable]",
            ]
        )
    }

    @Test func whatIsNotSaidIsLeftOut() {
        let writer = RequestHeaders(endpoint: APNsEndpoint(host: "localhost", port: 80, trust: nil))
        let request = APNsRequest(
            number: 0,
            id: RequestID(high: 0, low: 0),
            token: DeviceToken(ride: 3, number: 1),
            topic: "t",
            payload: ByteBuffer()
        )
        let headers = writer.headers(of: request)
        #expect(headers.first(name: ":scheme") == "http")
        #expect(headers.first(name: ":path") == "/3/device/" + DeviceToken(ride: 3, number: 1).hexadecimal)
        #expect(!headers.contains(name: "authorization"))
        #expect(!headers.contains(name: "apns-expiration"))
        #expect(!headers.contains(name: "apns-collapse-id"))
    }
}
