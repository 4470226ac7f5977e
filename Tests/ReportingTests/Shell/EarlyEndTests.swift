import Experiments
import Testing

@testable import Reporting

@Suite struct EarlyEndTests {
    @Test("It is asked for once, and only while there is something to end")
    func once() {
        let end = EarlyEnd()
        #expect(!end.ask(.interrupted))
        end.workBegins()
        #expect(end.ask(.interrupted))
        #expect(!end.ask(.terminated))
        #expect(end.cause == .interrupted)
    }

    @Test("What goes on once all is measured and written is stopped at once, and says what is kept")
    func afterTheWork() {
        let end = EarlyEnd()
        end.workBegins()
        end.workEnds(kept: "the results are there")
        #expect(!end.ask(.interrupted))
        #expect(!end.isAsked)
        #expect(end.kept == "the results are there")
    }
}
