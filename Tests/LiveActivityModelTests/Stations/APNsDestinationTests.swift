import Quantities
import Testing

@testable import LiveActivityModel

@Suite("The state that APNs keeps for one activity")
struct APNsDestinationTests {
    private static func at(_ seconds: Int64) -> Instant { .start + .seconds(seconds) }

    @Test("Nothing overtakes")
    func order() {
        var destination = APNsDestination()
        let wished: [Int64] = [50, 20, 50, 60, 55]
        #expect(wished.map { destination.arrival(notBefore: Self.at($0)) } == [50, 50, 50, 60, 60].map(Self.at))
    }

    /// Stores a push that was sent at second 10 and reaches an offline phone at second 20.
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

    @Test("One push is stored: a newer one replaces it, but a push does not replace itself")
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
        "All pushes are stored, or none",
        arguments: [(.all, .stored(inPlaceOf: nil)), (.none, .notStored)]
            as [(Scenario.PushStorage, APNsDestination.Keeping)]
    )
    func others(storage: Scenario.PushStorage, keeping: APNsDestination.Keeping) {
        var destination = APNsDestination()
        #expect(Self.keep(1, in: &destination, storage) == keeping)
        #expect(Self.keep(2, in: &destination, storage) == keeping)
    }

    @Test("A push that expires before the phone is online replaces the stored one, and leaves the store empty")
    func expiry() {
        var destination = APNsDestination()
        #expect(Self.keep(1, in: &destination, until: 70, .one) == .stored(inPlaceOf: nil))
        #expect(Self.keep(2, in: &destination, until: 71, .one) == .expired(inPlaceOf: 1))
        #expect(Self.keep(3, in: &destination, expiration: .seconds(100), until: 110, .one) == .stored(inPlaceOf: nil))
        #expect(Self.keep(4, in: &destination, expiration: .seconds(100), until: 111, .one) == .expired(inPlaceOf: 3))
    }

    @Test("A push that has expired when it reaches the phone is not stored")
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
