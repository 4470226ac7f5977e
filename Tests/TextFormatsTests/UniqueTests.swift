import Testing
import TextFormats

@Suite("Elements without repetitions")
struct UniqueTests {
    @Test("Each element stays where it occurs first")
    func elements() {
        #expect(["b", "a", "b", "c", "a"].unique == ["b", "a", "c"])
        #expect([Int]().unique.isEmpty)
    }

    @Test("Of elements with one key, the first stays")
    func keys() {
        #expect(["bear", "ant", "bee", "cat"].unique { $0.first } == ["bear", "ant", "cat"])
    }
}
