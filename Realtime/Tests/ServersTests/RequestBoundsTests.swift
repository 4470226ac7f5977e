import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Servers
import Testing

@Suite("Limits for HTTP/1 requests")
struct RequestBoundsTests {
    @Test("Of a body that is too long, only as much is passed on as shows it, and then its connection closes")
    func tooLong() throws {
        let channel = EmbeddedChannel(handler: RequestBounds(.seconds(15), bodyBytes: 1000))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 80)).wait()
        func write(_ part: HTTPRequestPart) throws { try channel.writeInbound(part) }
        try write(.head(HTTPRequest(method: .post, scheme: "http", authority: "a", path: "/")))
        let part = ByteBuffer(repeating: 0, count: 600)
        for _ in 0..<100 { try write(.body(part)) }
        var passed = 0
        while let read = try channel.readInbound(as: HTTPRequestPart.self) {
            if case .body(let bytes) = read { passed += bytes.readableBytes }
        }
        #expect(passed == 1200)
        #expect(channel.isActive)
        for _ in 0..<400 { try write(.body(part)) }
        #expect(!channel.isActive)
        _ = try channel.finish(acceptAlreadyClosed: true)
    }
}
