import FreshnessCore
import Quantities
import Testing

@testable import LiveActivityModel

@Suite("The channels of an app at APNs")
struct ChannelStationTests {
    @Test("An app has at most as many channels as APNs allows; a deletion makes room")
    func most() {
        var station = ChannelStation<String, UInt64>(most: 2)
        let created = ["a", "b", "c"].map { station.create($0, storesNewest: $0 == "a") }
        #expect(created == [true, true, false])
        #expect(station.count == 2 && station.storesNewest("c") == nil)
        #expect(station.storesNewest("a") == true && station.storesNewest("b") == false)
        let deleted = [station.delete("a"), station.delete("a"), station.create("c", storesNewest: true)]
        #expect(deleted == [true, false, true])
        #expect(station.channels.sorted() == ["b", "c"])
    }

    @Test("A channel has the phones that have followed it and not left")
    func followers() {
        var station = ChannelStation<String, UInt64>(most: 2)
        _ = station.create("a", storesNewest: true)
        for phone in [1, 2, 3, 2] as [UInt64] { station.follow("a", phone) }
        station.follow("none", 1)
        #expect(station.phones(of: "a") == [1, 2, 3] && station.phones(of: "none").isEmpty)
        station.leave("a", 1)
        station.leave("a", 1)
        #expect(station.phones(of: "a") == [3, 2])
        station.leave("a", 2)
        station.follow("a", 4)
        #expect(station.phones(of: "a") == [3, 4])
        station.keep { $0 == 4 }
        station.follow("a", 3)
        station.leave("a", 4)
        #expect(station.phones(of: "a") == [3])
        // A deleted channel has no followers, and neither has the next with its name.
        station.delete("a")
        _ = station.create("a", storesNewest: true)
        #expect(station.phones(of: "a").isEmpty)
    }

    @Test("A copy has the draws of a push to the phone's token")
    func copy() {
        let request = APNsStation.Request(
            ride: 5 | WorldEntity.channel,
            drawIndex: 9,
            tokenNumber: 1,
            tokenDeadSince: .start,
            priority: .considerate,
            bytes: 700,
            isToChannel: true
        )
        let copy = APNsStation.Request(ride: 7, drawIndex: 9, tokenNumber: 0, priority: .considerate, bytes: 700)
        #expect(request.copy(toRide: 7) == copy)
    }
}
