import Quantities
import Testing

@testable import LiveActivityModel

@Suite("What APNs keeps for one activity")
struct APNsDestinationTests {
    private static func at(_ seconds: Int64) -> Instant { .start + .seconds(seconds) }

    @Test("Nothing overtakes")
    func order() {
        var destination = APNsDestination()
        let wished: [Int64] = [50, 20, 50, 60, 55]
        #expect(wished.map { destination.arrival(notBefore: Self.at($0)) } == [50, 50, 50, 60, 60].map(Self.at))
    }

    /// Keeps a push sent at second 10 that meets a phone without a connection at second 20.
    private static func keep(
        _ push: UInt32,
        in destination: inout APNsDestination,
        expiration: TimeSpan = .seconds(60),
        until online: Int64 = 30,
        _ storage: Scenario.PushStorage
    ) -> APNsDestination.Keeping {
        destination.keep(
            push,
            sentAt: at(10),
            expiration: expiration,
            storage: storage,
            until: at(online),
            at: at(20)
        )
    }

    @Test("One push is kept: a newer one takes its place, and one that is there does not take its own")
    func one() {
        var destination = APNsDestination()
        #expect(Self.keep(1, in: &destination, .one) == .stored(inPlaceOf: nil))
        #expect(Self.keep(2, in: &destination, .one) == .stored(inPlaceOf: 1))
        #expect(Self.keep(2, in: &destination, .one) == .stored(inPlaceOf: nil))
        destination.taken(1)
        #expect(Self.keep(3, in: &destination, .one) == .stored(inPlaceOf: 2))
        destination.taken(3)
        #expect(Self.keep(4, in: &destination, .one) == .stored(inPlaceOf: nil))
    }

    @Test(
        "All are kept, or none",
        arguments: [(.all, .stored(inPlaceOf: nil)), (.none, .notStored)]
            as [(Scenario.PushStorage, APNsDestination.Keeping)]
    )
    func others(storage: Scenario.PushStorage, keeping: APNsDestination.Keeping) {
        var destination = APNsDestination()
        #expect(Self.keep(1, in: &destination, storage) == keeping)
        #expect(Self.keep(2, in: &destination, storage) == keeping)
    }

    @Test("A push that expires before the phone is back takes the place of the one before, and leaves it empty")
    func expiry() {
        var destination = APNsDestination()
        #expect(Self.keep(1, in: &destination, until: 70, .one) == .stored(inPlaceOf: nil))
        #expect(Self.keep(2, in: &destination, until: 71, .one) == .expired(inPlaceOf: 1))
        #expect(Self.keep(3, in: &destination, expiration: .seconds(100), until: 110, .one) == .stored(inPlaceOf: nil))
        #expect(Self.keep(4, in: &destination, expiration: .seconds(100), until: 111, .one) == .expired(inPlaceOf: 3))
    }

    @Test("What has expired when it meets the phone is not kept")
    func expiredBefore() {
        var destination = APNsDestination()
        let keeping = destination.keep(
            1,
            sentAt: Self.at(10),
            expiration: .seconds(60),
            storage: .one,
            until: Self.at(90),
            at: Self.at(70)
        )
        #expect(keeping == .notStored)
    }
}
