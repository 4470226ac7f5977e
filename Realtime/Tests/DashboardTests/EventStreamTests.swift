import PageServer
import Testing

@Suite("Events for a page")
struct EventStreamTests {
    @Test("The oldest texts are dropped at the limit, and the rest keep their order")
    func theOldestGiveWay() {
        var backlog = EventBacklog(limit: 10)
        for text in ["aaaa", "bbbb", "cc"] { backlog.append(text) }
        #expect(backlog.bytes == 10 && backlog.count == 3)
        backlog.append("d")
        #expect(backlog.bytes == 7 && backlog.count == 3)
        #expect(backlog.popFirst() == "bbbb")
        #expect(backlog.popFirst() == "cc")
        backlog.append("eee")
        #expect(backlog.popFirst() == "d")
        #expect(backlog.popFirst() == "eee")
        #expect(backlog.popFirst() == nil)
        #expect(backlog.bytes == 0 && backlog.count == 0)
    }

    @Test("A text larger than the limit is kept alone, because the page shows it next")
    func aLargeTextWaitsAlone() {
        var backlog = EventBacklog(limit: 10)
        backlog.append("aa")
        backlog.append(String(repeating: "b", count: 50))
        #expect(backlog.count == 1 && backlog.bytes == 50)
        backlog.append("c")
        #expect(backlog.popFirst() == "c")
        #expect(backlog.popFirst() == nil)
    }

    @Test("Sizes count bytes of UTF-8, not characters")
    func bytesAreCounted() {
        var backlog = EventBacklog(limit: 4)
        backlog.append("µµ")
        backlog.append("µ")
        #expect(backlog.bytes == 2 && backlog.count == 1)
    }

    @Test("The backlog of a page that does not read stays within its limit, whatever the events")
    func aPageThatDoesNotRead() {
        let stream = EventStream()
        let answer = "{\"chart\":\"\(String(repeating: "x", count: 200_000))\"}"
        for _ in 0..<256 { stream.send("answer", answer) }
        #expect(stream.waitingBytes <= EventStream.mostBytes)
        #expect(stream.waitingBytes > EventStream.mostBytes / 2)
    }
}
