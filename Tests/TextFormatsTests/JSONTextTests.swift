import Testing
import TextFormats

struct JSONTextTests {
    @Test
    func membersStandInTheOrderOfAdding() {
        var json = JSONText()
        json.add("b", "x\"\n")
        json.add("a", 7)
        json.add("absent", nil as String?)
        json.add("words", ["x", "y"])
        json.add("raw", raw: "[1]")
        json.addNull("none")
        json.beginArray("list")
        json.begin(nil)
        json.add("c", 1.5)
        json.end()
        json.begin(nil)
        json.end()
        #expect(json.document == #"{"b":"x\"\n","a":7,"words":["x","y"],"raw":[1],"none":null,"list":[{"c":1.5},{}]}"#)
    }
}
