import Testing

@testable import MonitorServer

@Suite("Messages from APNs to the monitor")
struct AnswerInboxTests {
    @Test("No connection exists before it is reported, so an earlier request sends nothing")
    func beginning() {
        let inbox = AnswerInbox()
        #expect(!inbox.take().isConnected)
        inbox.put(.connected(true))
        #expect(inbox.take().isConnected)
        inbox.put(.connected(false))
        #expect(!inbox.take().isConnected)
    }

    @Test("All pending answers are taken, each once")
    func answers() {
        let inbox = AnswerInbox()
        inbox.put(.answers([PushAnswer(number: 1, outcome: .accepted)]))
        inbox.put(.answers([PushAnswer(number: 2, outcome: .unanswered)]))
        #expect(inbox.take().answers.map(\.number) == [1, 2])
        #expect(inbox.take().answers.isEmpty)
    }
}
