import Quantities
import Testing

@testable import LiveActivityModel

@Suite("The push-to-start token of a phone")
struct StartTokenTests {
    private let first = Instant.start + .seconds(10)
    private let second = Instant.start + .seconds(20)

    @Test("The server's token dies at the first change since its post, and a rejection of it alone discards it")
    func life() {
        var token = StartToken()
        let old = token.serverToken
        #expect(token.deadSince == .never)
        token.changes(at: first)
        token.changed(isPosted: false)
        token.changes(at: second)
        token.changed(isPosted: false)
        #expect(token.number == 2 && token.serverToken == old)
        #expect(token.deadSince(old, at: second) == first)
        token.rejected(old)
        #expect(token.isDiscarded)
        token.appPosted()
        #expect(!token.isDiscarded && token.deadSince == .never && token.serverToken == old + 2)
        // A start in flight still has the old token, and its rejection says nothing about the new one.
        #expect(token.deadSince(old, at: second) == second)
        token.rejected(old)
        #expect(!token.isDiscarded)
    }

    @Test("An app that runs posts a new token at once")
    func posted() {
        var token = StartToken()
        token.changes(at: first)
        token.changed(isPosted: true)
        #expect(token.deadSince == .never && token.serverToken == StartToken().serverToken + 1)
    }
}
