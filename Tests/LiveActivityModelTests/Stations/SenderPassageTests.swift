import Quantities
import Testing

@testable import LiveActivityModel

@Suite("The state of a push in the sender")
struct SenderPassageTests {
    private static func at(_ seconds: Int64) -> Instant { .start + .seconds(seconds) }

    private static let offer = SenderStation.Offer(push: 1, rank: 1, activity: 0, kind: .update)

    /// A sender whose single stream is in use.
    private static func busy() -> SenderStation {
        var sender = Scenario.Sender()
        sender.streams = 1
        var station = SenderStation(SenderStation.Limits(sender), limiter: nil, repeatBudget: nil)
        var other = SenderPassage(offeredAt: at(0))
        _ = station.begin(.init(push: 0, rank: 1, activity: 9, kind: .update), &other, at: at(0))
        return station
    }

    @Test("It waits, begins and ends as the station decides")
    func standings() {
        var station = Self.busy()
        var passage = SenderPassage(offeredAt: Self.at(1))
        #expect(passage.standing == .offered)
        #expect(station.offered(Self.offer, &passage, isWanted: true, isPaused: false, at: Self.at(1)) == .waits)
        #expect(passage.standing == .waiting)
        #expect(station.turn(of: Self.offer, &passage, isWanted: true, at: Self.at(2)) == .begins)
        _ = station.begin(Self.offer, &passage, at: Self.at(2))
        #expect(passage.standing == .underWay)
        station.interrupted(&passage)
        #expect(passage.standing == .interrupted)
        _ = station.begin(Self.offer, &passage, at: Self.at(3))
        station.ended(Self.offer, &passage)
        #expect(passage.standing == .done)
    }

    @Test("Patience is set by the first wait, counts from the offer, and ends a wait in the queue")
    func patience() {
        var station = Self.busy()
        var passage = SenderPassage(offeredAt: Self.at(1))
        _ = station.offered(Self.offer, &passage, isWanted: true, isPaused: false, at: Self.at(1))
        #expect(passage.setPatience(.seconds(10)) == Self.at(11))
        #expect(passage.setPatience(.seconds(20)) == nil)
        // A timer that was set for another push in the same slot.
        #expect(!station.patienceEnded(Self.offer, &passage, timerSetFor: Self.at(10)))
        #expect(station.waitingCount == 1)
        #expect(station.patienceEnded(Self.offer, &passage, timerSetFor: Self.at(11)))
        #expect(station.waitingCount == 0)
        #expect(!station.patienceEnded(Self.offer, &passage, timerSetFor: Self.at(11)))
    }

    @Test("The end of patience does not end a request, begun or interrupted")
    func patienceOfARequest() {
        var station = Self.busy()
        var passage = SenderPassage(offeredAt: Self.at(0))
        _ = passage.setPatience(.seconds(5))
        _ = station.begin(Self.offer, &passage, at: Self.at(1))
        #expect(!station.patienceEnded(Self.offer, &passage, timerSetFor: Self.at(5)))
        station.interrupted(&passage)
        #expect(!station.patienceEnded(Self.offer, &passage, timerSetFor: Self.at(5)))
    }

    @Test("A deferred push is offered again at its own instant, once")
    func orbit() {
        var station = Self.busy()
        var passage = SenderPassage(offeredAt: Self.at(0))
        #expect(station.putOff(&passage, for: .seconds(3), at: Self.at(2)) == Self.at(5))
        #expect(passage.standing == .inOrbit)
        #expect(station.inOrbit == 1)
        #expect(!station.cameBack(&passage, timerSetFor: Self.at(4)))
        #expect(station.cameBack(&passage, timerSetFor: Self.at(5)))
        #expect(passage.standing == .offered)
        #expect(station.inOrbit == 0)
        #expect(!station.cameBack(&passage, timerSetFor: Self.at(5)))
    }

    @Test("Patience ends in orbit, too; the push is not offered again")
    func patienceInOrbit() {
        var station = Self.busy()
        var passage = SenderPassage(offeredAt: Self.at(0))
        _ = passage.setPatience(.seconds(4))
        _ = station.putOff(&passage, for: .seconds(3), at: Self.at(2))
        #expect(station.patienceEnded(Self.offer, &passage, timerSetFor: Self.at(4)))
        #expect(station.inOrbit == 0)
        #expect(!station.cameBack(&passage, timerSetFor: Self.at(5)))
    }

    @Test("A retry is the same push, offered now: its next attempt, with a new patience")
    func repeats() {
        var passage = SenderPassage(offeredAt: Self.at(0))
        _ = passage.setPatience(.seconds(4))
        passage.begins()
        passage.repeats(at: Self.at(7))
        #expect(passage.attempt == 1)
        #expect(passage.queuedAt == Self.at(7))
        #expect(passage.standing == .offered)
        #expect(passage.setPatience(.seconds(4)) == Self.at(11))
        passage.repeats(at: Self.at(9))
        #expect(passage.attempt == 2)
    }
}
