import Testing

@testable import MonitorServer

@Suite("News of APNs for the monitor")
struct AnswerInboxTests {
    @Test("There is no connection before one is told of, so a request that comes first has nothing sent")
    func beginning() {
        let inbox = AnswerInbox()
        #expect(!inbox.take().isConnected)
        inbox.put(.connected(true))
        #expect(inbox.take().isConnected)
        inbox.put(.connected(false))
        #expect(!inbox.take().isConnected)
    }

    @Test("Answers are taken once, all that have come")
    func answers() {
        let inbox = AnswerInbox()
        inbox.put(.answers([PushAnswer(number: 1, outcome: .accepted)]))
        inbox.put(.answers([PushAnswer(number: 2, outcome: .unanswered)]))
        #expect(inbox.take().answers.map(\.number) == [1, 2])
        #expect(inbox.take().answers.isEmpty)
    }
}
