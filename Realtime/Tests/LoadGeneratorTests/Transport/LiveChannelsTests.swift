import FreshnessCore
import LiveActivityModel
import Quantities
import Testing
import Wire

@testable import LoadGenerator

@Suite("The channels of a load")
struct LiveChannelsTests {
    private static func request(_ channel: UInt64, start: Bool = false) -> OutgoingRequest {
        OutgoingRequest(
            id: OutgoingRequest.ID(ride: start ? 3 : channel, drawIndex: 0, place: 0),
            tokenNumber: 1,
            kind: start ? .start : .update,
            priority: .immediate,
            bytes: 100,
            content: ContentStamp(generatedAt: .start, staleDate: .never),
            timestamp: 0,
            sentAt: .start,
            channel: start ? channel : nil
        )
    }

    @Test("Publications, starts and followers wait until APNs has created their channel")
    func waits() {
        var channels = LiveChannels()
        let (update, start) = (Self.request(9), Self.request(9, start: true))
        #expect(channels.changed(.created(9)) == [.create(9)])
        #expect(channels.changed(.followed(9, ride: 3)) == [])
        #expect(channels.offered(update) == [] && channels.offered(start) == [])
        #expect(!channels.isSettled)
        #expect(
            channels.answered(creationOf: 9, id: "A") == [
                .report(.follows(channel: "A", ride: 3)), .send(update, channel: "A"), .send(start, channel: "A"),
            ]
        )
        #expect(channels.changed(.left(9, ride: 3)) == [.report(.leaves(channel: "A", ride: 3))])
        #expect(channels.changed(.closed(9)) == [.delete(9, id: "A")])
        #expect(!channels.isSettled)
        #expect(channels.deletionAnswered() == [] && channels.isSettled)
        // The cards of a deleted channel end later.
        #expect(channels.changed(.left(9, ride: 4)) == [])
    }

    @Test("A channel that APNs refuses answers as if it were deleted")
    func refused() {
        var channels = LiveChannels()
        let update = Self.request(9)
        _ = channels.changed(.created(9))
        #expect(channels.offered(update) == [])
        #expect(channels.answered(creationOf: 9, id: nil) == [.refuse(update.id)])
        #expect(channels.offered(update) == [.refuse(update.id)])
        #expect(channels.changed(.closed(9)) == [] && channels.refusedCount == 1 && channels.isSettled)
    }

    @Test("A channel is created after the deletions before it, because the app may have as many as it can")
    func afterDeletions() {
        var channels = LiveChannels()
        for channel in [1, 2] as [UInt64] {
            _ = channels.changed(.created(channel))
            _ = channels.answered(creationOf: channel, id: "\(channel)")
        }
        #expect(channels.changed(.closed(1)) == [.delete(1, id: "1")])
        #expect(channels.changed(.created(3)) == [])
        #expect(channels.changed(.closed(2)) == [.delete(2, id: "2")])
        #expect(channels.deletionAnswered() == [.create(3)])
    }

    @Test("A channel that vanishes is deleted at its instant, once, and its publications go on")
    func vanishes() {
        var channels = LiveChannels()
        let update = Self.request(9)
        _ = channels.changed(.created(9))
        #expect(channels.changed(.vanishes(9, at: .start + .seconds(15))) == [])
        #expect(channels.proceed(to: .start + .seconds(15)) == [])
        _ = channels.answered(creationOf: 9, id: "A")
        #expect(channels.proceed(to: .start + .seconds(14)) == [])
        #expect(channels.proceed(to: .start + .seconds(15)) == [.delete(9, id: "A")])
        #expect(channels.proceed(to: .start + .seconds(16)) == [])
        #expect(channels.offered(update) == [.send(update, channel: "A")])
        #expect(channels.changed(.closed(9)) == [])
    }

    @Test("At the end all channels are deleted, also one whose creation is answered later")
    func ended() {
        var channels = LiveChannels()
        for channel in [1, 2, 3] as [UInt64] { _ = channels.changed(.created(channel)) }
        for channel in [1, 2] as [UInt64] { _ = channels.answered(creationOf: channel, id: "\(channel)") }
        #expect(channels.ended() == [.delete(1, id: "1"), .delete(2, id: "2")])
        #expect(channels.answered(creationOf: 3, id: "3") == [.delete(3, id: "3")])
        for _ in 0..<3 { _ = channels.deletionAnswered() }
        #expect(channels.isSettled)
    }

    @Test("At the end a creation that waits for a deletion is given up, with what waits for it")
    func endedWhileHeld() {
        var channels = LiveChannels()
        _ = channels.changed(.created(1))
        _ = channels.answered(creationOf: 1, id: "1")
        #expect(channels.changed(.closed(1)) == [.delete(1, id: "1")])
        #expect(channels.changed(.created(2)) == [])
        #expect(channels.ended() == [])
        _ = channels.deletionAnswered()
        #expect(channels.isSettled)
    }
}
