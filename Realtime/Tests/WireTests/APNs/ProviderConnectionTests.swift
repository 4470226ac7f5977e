import FreshnessCore
import Testing
import Wire

struct ProviderConnectionTests {
    /// A time in 2026.
    private let now: Int64 = 1_790_000_000

    private func claims(age: Int64, key: String = "K", team: String = "T") -> ProviderClaims {
        ProviderClaims(keyID: key, team: team, issuedAt: now - age)
    }

    @Test(
        arguments: [
            (0, nil), (3600, nil), (3601, .push(.expiredProviderToken)), (-300, nil),
            (-301, .wire(.invalidProviderToken)),
        ] as [(Int64, APNsResponseReason?)]
    )
    func judgesAge(age: Int64, expected: APNsResponseReason?) {
        var connection = ProviderConnection()
        #expect(connection.presented(claims(age: age), at: now) == expected)
    }

    @Test
    func anotherTeamIsRefused() {
        var connection = ProviderConnection()
        #expect(connection.presented(claims(age: 0), at: now) == nil)
        #expect(connection.presented(claims(age: 0, team: "U"), at: now) == .wire(.invalidProviderToken))
        #expect(connection.presented(claims(age: 0), at: now) == nil)
    }

    @Test
    func aKeyForOtherTopicsIsRefused() {
        var connection = ProviderConnection()
        func claims(key: String, topics: Set<String>) -> ProviderClaims {
            ProviderClaims(keyID: key, team: "T", issuedAt: now, topics: topics)
        }
        #expect(connection.presented(claims(key: "K", topics: ["a.b"]), at: now) == nil)
        #expect(connection.presented(claims(key: "L", topics: []), at: now) == .wire(.unrelatedKeyIDInToken))
        #expect(connection.presented(claims(key: "L", topics: ["a.c"]), at: now) == .wire(.unrelatedKeyIDInToken))
        // A key for the same topics is an ordinary change.
        #expect(connection.presented(claims(key: "L", topics: ["a.b"]), at: now) == nil)
    }

    @Test
    func tokensChangeEveryTwentyMinutes() {
        var connection = ProviderConnection()
        #expect(connection.presented(claims(age: 3000), at: now) == nil)
        // Its replacement, at any time.
        #expect(connection.presented(claims(age: 0), at: now) == nil)
        #expect(connection.presented(claims(age: -1), at: now + 1199) == .wire(.tooManyProviderTokenUpdates))
        // The current token is still valid, and the refused one does not count.
        #expect(connection.presented(claims(age: 0), at: now + 1199) == nil)
        #expect(connection.presented(claims(age: -1), at: now + 1200) == nil)
        // Going back to the old token is also a change.
        #expect(connection.presented(claims(age: 0), at: now + 1201) == .wire(.tooManyProviderTokenUpdates))
    }

    @Test(
        arguments: [
            (1_790_000_000, 1_790_000_000 as Int64?), (1_790_000_000.9, 1_790_000_000),
            (1_459_143_580_650, 1_459_143_580_650),
            (-1, nil), (.infinity, nil), (.nan, nil), (1e15, nil),
        ] as [(Double, Int64?)]
    )
    func readsIssuedAt(value: Double, seconds: Int64?) {
        #expect(ProviderClaims.seconds(ofIssuedAt: value) == seconds)
    }

    @Test
    func oneStreamUntilTheProviderIsKnown() {
        var allowance = StreamAllowance(most: 1000, isKnown: false, shrinks: false)
        #expect(allowance.current == 1)
        #expect(allowance.refused() == nil)
        #expect(allowance.authenticated() == 1000)
        #expect(allowance.authenticated() == nil)
        #expect(allowance.refused() == nil)
        #expect(allowance.accepted() == nil)
        #expect(StreamAllowance(most: 1000, isKnown: true, shrinks: false).current == 1000)
    }

    @Test
    func refusalsCanShrinkTheAllowance() {
        var allowance = StreamAllowance(most: 1000, isKnown: false, shrinks: true)
        #expect(allowance.authenticated() == 1000)
        #expect(allowance.refused() == 1)
        #expect(allowance.refused() == nil)
        // A valid token alone does not restore the allowance.
        #expect(allowance.authenticated() == nil)
        #expect(allowance.accepted() == 1000)
    }
}
