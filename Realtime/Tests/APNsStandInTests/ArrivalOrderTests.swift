import Quantities
import Testing

@testable import APNsStandIn

struct ArrivalOrderTests {
    private static func at(_ seconds: Int64) -> Instant { .start + .seconds(seconds) }

    @Test
    func nothingOvertakesOnOneRide() {
        let order = ArrivalOrder()
        let rows: [(ride: UInt64, wished: Int64, due: Int64)] = [
            (1, 50, 50), (1, 20, 50), (2, 20, 20), (1, 30, 50), (1, 60, 60), (1, 55, 60),
        ]
        for row in rows {
            #expect(
                order.arrival(ofRide: row.ride, notBefore: Self.at(row.wished), at: Self.at(10)) == Self.at(row.due)
            )
        }
        order.forget()
        #expect(order.arrival(ofRide: 1, notBefore: Self.at(55), at: Self.at(10)) == Self.at(55))
    }

    @Test
    func forgetsOnlyWhatHasArrived() {
        let order = ArrivalOrder()
        #expect(order.arrival(ofRide: 0, notBefore: Self.at(1_000_000), at: Self.at(0)) == Self.at(1_000_000))
        for ride in 1...20_000 as ClosedRange<UInt64> {
            let now = Self.at(Int64(ride))
            #expect(order.arrival(ofRide: ride, notBefore: now, at: now) == now)
        }
        #expect(order.arrival(ofRide: 0, notBefore: Self.at(30_000), at: Self.at(30_000)) == Self.at(1_000_000))
    }
}
