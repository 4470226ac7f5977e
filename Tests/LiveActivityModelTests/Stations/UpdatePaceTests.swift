import Quantities
import Testing

@testable import LiveActivityModel

@Suite("The pace of updates")
struct UpdatePaceTests {
    private static func at(_ seconds: Int64) -> Instant { .start + .seconds(seconds) }

    private static func verdict(isStageNew: Bool = false, minimum: Int64 = 15, at second: Int64) -> UpdatePace.Verdict {
        var pace = UpdatePace()
        pace.updated(at: at(10))
        return pace.verdict(isStageNew: isStageNew, minimum: .seconds(minimum), at: at(second))
    }

    @Test("The first update is sent")
    func first() {
        #expect(UpdatePace().verdict(isStageNew: false, minimum: .hours(1), at: Self.at(0)) == .goes)
    }

    @Test("A refresh within the interval is dropped; exactly at its end it is sent")
    func refresh() {
        #expect(Self.verdict(at: 10) == .leftOut)
        #expect(Self.verdict(at: 24) == .leftOut)
        #expect(Self.verdict(at: 25) == .goes)
        #expect(Self.verdict(minimum: 0, at: 10) == .goes)
    }

    @Test("A stage change within the interval is postponed to its end, which moves with the next update")
    func stateChange() {
        #expect(Self.verdict(isStageNew: true, at: 20) == .putOff(until: Self.at(25)))
        #expect(Self.verdict(isStageNew: true, at: 25) == .goes)
        var pace = UpdatePace()
        pace.updated(at: Self.at(10))
        #expect(pace.isOver(.seconds(15), at: Self.at(25)))
        #expect(!pace.isOver(.seconds(15), at: Self.at(24)))
        pace.updated(at: Self.at(12))
        #expect(!pace.isOver(.seconds(15), at: Self.at(25)))
    }
}
