import APNsProtocol
import NIOCore
import Testing

@testable import APNsStandIn

struct ArrivalOrderTests {
    private static func at(_ seconds: UInt64) -> NIODeadline { .uptimeNanoseconds(seconds * 1_000_000_000) }

    @Test
    func nothingOvertakesOnOneRide() {
        let order = ArrivalOrder()
        let rows: [(ride: UInt64, token: UInt32, wished: UInt64, due: UInt64)] = [
            (1, 1, 50, 50), (1, 1, 20, 50), (2, 1, 20, 20), (1, 2, 30, 50), (1, 2, 60, 60), (1, 2, 55, 60),
        ]
        for row in rows {
            let token = TokenDigest(ride: row.ride, number: row.token)
            #expect(order.due(token, notBefore: Self.at(row.wished), at: Self.at(10)) == Self.at(row.due))
        }
        order.forget()
        #expect(order.due(TokenDigest(ride: 1, number: 2), notBefore: Self.at(55), at: Self.at(10)) == Self.at(55))
    }

    @Test
    func forgetsOnlyWhatHasArrived() {
        let order = ArrivalOrder()
        let late = TokenDigest(ride: 0, number: 1)
        #expect(order.due(late, notBefore: Self.at(1_000_000), at: Self.at(0)) == Self.at(1_000_000))
        for ride in 1...20_000 as ClosedRange<UInt64> {
            let token = TokenDigest(ride: ride, number: 1)
            #expect(order.due(token, notBefore: Self.at(ride), at: Self.at(ride)) == Self.at(ride))
        }
        #expect(order.due(late, notBefore: Self.at(30_000), at: Self.at(30_000)) == Self.at(1_000_000))
    }
}
