import APNsStandIn
import LiveActivityModel
import Studies
import Testing

/// Ends of tokens, for providers that choose their ids freely.
struct TokenDeathTests {
    @Test
    func aDeathIsTheTokensWhateverTheRequestIsCalled() async throws {
        let rules = APNsRules(world: try ScenarioLoader.world(Scenario()))
        try await TestServer.running(with: Change(\.apns, rules)) { server in
            let phones = try await server.connect()
            let token = String(repeating: "0a", count: 80)
            phones.begin(1, path: "/freshet/phones", [])
            phones.body(1, "begin 1 0\ndead \(token) 0\n", isLast: false)
            _ = try await phones.eventually { $0.responses[1]?.body == "begun\n" ? true : nil }
            let provider = try await server.connect()
            let fields = try server.fields() + [("apns-id", "01234567-89ab-cdef-0123-456789abcdef")]
            // The report of the token's end arrives over another connection.
            var stream = -1
            let response = try await TestServer.eventually {
                stream += 2
                let response = try await provider.request(stream, path: "/3/device/" + token, fields)
                return response.status == "200" ? nil : response
            }
            #expect(response.status == "410")
            #expect(response.body.hasPrefix(#"{"reason":"Unregistered","timestamp":"#))
        }
    }
}
