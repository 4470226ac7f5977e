import CommandTestSupport
import HTTPTypes
import TestSupport
import Testing

@testable import MonitorServer

/// Malicious JSON and names: each is refused, or accepted literally; none is an error of the service.
@Suite("Hostile JSON and names")
struct HostileContentTests {
    /// Replacements of a content, with the allowed statuses.
    private static let contents: [(String, Set<Int>)] = [
        (String(repeating: "[", count: 4000), [400]),
        (#"{"a":"# + String(repeating: #"{"a":"#, count: 32) + "1" + String(repeating: "}", count: 33), [400]),
        (String(repeating: #"{"":"#, count: 1000), [400]),
        (#"{"a":1,"a":2}"#, [202, 400]),
        (#"{"a":1e400}"#, [202, 400]), (#"{"a":-0}"#, [202, 400]), (#"{"a":9223372036854775808}"#, [202, 400]),
        (#"{"a":"# + String(repeating: "9", count: 3000) + "}", [202, 400]),
        (#"{"a":NaN}"#, [400]), (#"{"a":Infinity}"#, [400]), (#"{"a":01}"#, [400]), (#"{"a":+1}"#, [400]),
        (#"{"a":.5}"#, [400]), (#"{"a":1.}"#, [400]), (#"{"a":0x10}"#, [400]), (#"{"a":1e}"#, [400]),
        (#"{"a":"\ud800"}"#, [202, 400]), (#"{"a":"\udc00\ud800"}"#, [202, 400]), (#"{"a":"\u00"}"#, [400]),
        (#"{"a":"\x41"}"#, [400]), ("{\"a\":\"\u{1}\"}", [400]), ("{\"a\":\"\0\"}", [400]),
        (#"{"a":"\u0000"}"#, [202, 400]),
        (#"{'a':1}"#, [400]), (#"{a:1}"#, [400]), (#"{"a":1,}"#, [400]), (#"{,}"#, [400]), (#"{"a" 1}"#, [400]),
        (#"{"a":tru}"#, [400]), (#"{"a":1}}"#, [400]), (#"{/**/}"#, [400]), ("\u{FEFF}{}", [400]), ("", [400]),
        ("null", [400]), ("1", [400]), (#""text""#, [400]), ("[]", [400]),
    ]

    /// Replacements of a whole body.
    private static let bodies: [(String, Set<Int>)] = [
        (#"{"content_state":{},"content_state":{"b":1}}"#, [400]),
        (#"{"content_state":{},"generated_at_us":1,"generated_at_us":2}"#, [400]),
        (#"{"content_state":{},"generated_at_us":1e3}"#, [409]),
        (#"{"content_state":{},"generated_at_us":1.5}"#, [400]),
        (#"{"content_state":{},"generated_at_us":-1}"#, [400]),
        (#"{"content_state":{},"generated_at_us":9223372036854775807}"#, [400]),
        (#"{"content_state":{},"generated_at_us":9223372036854775808}"#, [400]),
        (#"{"content_state":{},"stale_date":9223372036854775807}"#, [400]),
        (#"{"content_state":{},"stale_date":-9223372036854775808}"#, [400]),
        (#"{"content_state":{},"renewable_for_s":9223372036854775807}"#, [400]),
        (#"{"content_state":{},"priority":"10"}"#, [400]),
        (#"{"content_state":{},"priority":10.0}"#, [202]), (#"{"content_state":{},"priority":10.5}"#, [400]),
        (#"{"content_state":{},"\u0063ontent_state":{}}"#, [400]),
        (#"{"content_state":{},"unknown":1}"#, [400]),
        (#"[{"content_state":{}}]"#, [400]), ("\u{FEFF}" + #"{"content_state":{}}"#, [400]),
        (#"{"content_state":{}}{"content_state":{}}"#, [400]), (#"{"content_state":{}} x"#, [400]),
        ("{\"content_state\":{}}\0", [400]),
    ]

    /// Replacements of an id in a path.
    private static let ids: [(String, Set<Int>)] = [
        ("a%00b", [400]), ("%00", [400]), ("a%2Fb", [400, 404]), ("..%2F..%2Fetc%2Fpasswd", [400, 404]),
        ("a%20b", [400]), ("%", [400, 404]), ("%zz", [400, 404]), ("%C3%A9", [400]), ("%FF", [400]),
        ("%E2%80%AE", [400]), ("%0d%0ax", [400]), ("a%3Fb", [400]), ("a%23b", [400]), ("'%3B--", [400]),
        ("a*", [400]), ("a@b", [400]), ("a:b", [400]), ("%2e%2e", [201, 400, 404]),
        (String(repeating: "a", count: 65), [400]), (String(repeating: "a", count: 10_240), [400]),
        (String(repeating: "%61", count: 64), [201, 400]), (String(repeating: "a", count: 64), [201]),
        ("", [404, 405]), ("..", [201, 404]), (".", [201, 404]), ("a/b", [404]), ("a//b", [404]),
    ]

    @Test("JSON") func json() async throws {
        let all = Self.contents.map { (#"{"content_state":\#($0.0)}"#, $0.1) } + Self.bodies
        let tally = HostileTally("hostile JSON", checks: 2 * all.count)
        let token = #"{"token":"abcdef0123456789"}"#
        let fixture = try MonitorFixture()
        try await fixture.whileServing { client in
            _ = try await client.send(.put, "/v1/instances/r/token", token)
            for (body, wanted) in all {
                let (status, text, _) = try await client.send(.put, "/v1/instances/r/content", body)
                #expect(tally.counts(wanted.contains(status)), "\(body.prefix(80)): \(status) \(text)")
                #expect(tally.counts(!text.contains("abcdef")), "\(body.prefix(80)): \(text)")
            }
        }
    }

    @Test("ids") func names() async throws {
        let tally = HostileTally("hostile ids", checks: Self.ids.count + 1)
        let fixture = try MonitorFixture()
        try await fixture.whileServing { client in
            for (id, wanted) in Self.ids {
                let (status, text, _) = try await client.send(.put, "/v1/instances/\(id)/token", #"{"token":"abcd"}"#)
                #expect(tally.counts(wanted.contains(status)), "\(id.prefix(80)): \(status) \(text)")
            }
            let names = try fixture.registry.load().map(\.id.text)
            let good = names.allSatisfy { $0.utf8.count <= 64 && !$0.contains("/") && !$0.contains("%") }
            #expect(tally.counts(good), "\(names)")
        }
    }
}
