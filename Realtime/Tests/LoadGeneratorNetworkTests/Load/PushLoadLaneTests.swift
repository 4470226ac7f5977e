import Testing
import Wire

@testable import LoadGenerator

@Suite("Ids of a load's requests")
struct PushLoadLaneTests {
    private static let tokens = (0..<3).map { DeviceToken(ride: UInt64($0), number: 0) }

    private func id(arrival: UInt64, attempt: UInt64) -> RequestID {
        PushLoadLane.requestID(of: attempt << 56 | arrival, tokens: Self.tokens)
    }

    @Test("Neither another push to a token nor a retry has the same draws")
    func luck() {
        let keys = (0..<4).flatMap { round in (0..<32).map { id(arrival: 3 * round + 1, attempt: $0) } }
        #expect(keys.allSatisfy { $0.ride == 1 })
        #expect(Set(keys.map(\.drawIndex)).count == 4 * 32)
    }

    @Test("Attempts after the 32nd repeat earlier draws under ids of their own")
    func manyAttempts() {
        #expect(id(arrival: 1, attempt: 33).drawIndex == id(arrival: 1, attempt: 1).drawIndex)
        #expect(Set((0..<256).map { id(arrival: 1, attempt: $0) }).count == 256)
    }
}
