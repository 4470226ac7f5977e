import FreshnessCore
import Testing

@testable import LiveActivityModel

@Suite("A waiting push, and another that arrives")
struct WaitingPushTests {
    @Test("A new push joins the last one that waits, until it has left")
    func last() {
        var waiting = WaitingPush()
        #expect(waiting.number == nil)
        waiting.waits(3)
        waiting.waits(5)
        #expect(waiting.number == 5)
        waiting.left(3)
        #expect(waiting.number == 5)
        waiting.left(5)
        #expect(waiting.number == nil)
    }

    @Test("Content replaces content, a second end is dropped, and nothing else joins")
    func joining() {
        for kind in StoryLine.PushKind.allCases {
            for other in StoryLine.PushKind.allCases {
                let joining = WaitingPush.joining(kind, .considerate, ofWatch: 3, toWaiting: other, .considerate)
                switch (kind, other) {
                case (.update, .update), (.update, .retry):
                    #expect(joining == .renews(withIndex: true, priority: .considerate, watch: 3))
                case (.retry, .update), (.retry, .retry):
                    #expect(joining == .renews(withIndex: false, priority: .considerate, watch: 3))
                case (.end, .end): #expect(joining == .isNeedless)
                default: #expect(joining == .no)
                }
            }
        }
    }

    @Test("The more urgent of both priorities applies")
    func priority() {
        for (new, old) in [(PushPriority.immediate, PushPriority.considerate), (.considerate, .immediate)] {
            #expect(
                WaitingPush.joining(.update, new, ofWatch: 3, toWaiting: .update, old)
                    == .renews(withIndex: true, priority: .immediate, watch: 3)
            )
        }
    }
}
