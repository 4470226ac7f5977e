import LoadGenerator
import Testing

@Suite struct APNsEndpointTests {
    @Test(
        arguments: [
            ("https://127.0.0.1:8443", "127.0.0.1", 8443, true),
            ("https://api.push.apple.com", "api.push.apple.com", 443, true),
            ("http://localhost:80/", "localhost", 80, false), ("https://[::1]:2197", "::1", 2197, true),
        ] as [(String, String, Int, Bool)]
    )
    func reads(text: String, host: String, port: Int, isSecure: Bool) throws {
        let endpoint = try #require(APNsEndpoint(url: text))
        #expect(endpoint.host == host)
        #expect(endpoint.port == port)
        #expect((endpoint.trust != nil) == isSecure)
        #expect(APNsEndpoint(url: endpoint.description) == endpoint)
    }

    @Test(arguments: [
        "", "localhost:1", "ftp://localhost", "https://", "https://:443", "https://a:0", "https://a:65536",
        "https://a:b",
        "https://a/b", "https://[::1", "https://key@a",
    ])
    func refuses(text: String) {
        #expect(APNsEndpoint(url: text) == nil)
    }
}
