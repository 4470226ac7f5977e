import Testing

@testable import Shell

@Suite("An early end")
struct EarlyEndTests {
    @Test("only a load that has started can be ended early, and only once")
    func asking() {
        let end = EarlyEnd()
        #expect(!end.ask(.interrupted) && !end.isAsked)
        end.workBegins()
        #expect(end.ask(.terminated) && end.cause == .terminated)
        #expect(!end.ask(.interrupted) && end.cause == .terminated)
    }

    @Test("a signal cancels a load before its start, ends a running one early, lets results be written, stops the rest")
    func signals() {
        let end = EarlyEnd()
        #expect(end.signalled(.interrupted) == .stops && !end.hasBegun)
        end.workBegins()
        end.workIsOver()
        // The load is over, so an early end must not be reported.
        #expect(end.signalled(.interrupted) == .waits("its results are being written"))
        #expect(!end.isAsked && end.hasBegun)
        #expect(end.signalled(.interrupted) == .stops && end.kept == nil)
        end.keeps("the results are in out")
        #expect(end.signalled(.interrupted) == .stops && end.kept == "the results are in out")
        let early = EarlyEnd()
        early.workBegins()
        #expect(early.signalled(.terminated) == .endsEarly && early.cause == .terminated)
        early.workIsOver()
        #expect(early.signalled(.terminated) == .stops)
    }

    @Test("a signal after the work is over names what is being done, and only one is waited for")
    func rest() {
        let end = EarlyEnd()
        end.workBegins()
        end.workIsOver("its instances are being withdrawn")
        #expect(end.signalled(.interrupted) == .waits("its instances are being withdrawn"))
        end.workIsOver()
        #expect(!end.isAsked && end.signalled(.interrupted) == .stops)
    }
}
