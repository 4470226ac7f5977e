import CommandTestSupport
import Shell
import Testing

@Suite("Checks of options")
struct DemandsTests {
    @Test("A number outside its range is refused, with what is allowed and what was given")
    func ranges() throws {
        #expect(try Parsing.refusal { try limit("--lanes", 1, to: 1...8) } == nil)
        #expect(try Parsing.refusal { try limit("--lanes", 8, to: 1...8) } == nil)
        #expect(try Parsing.refusal { try limit("--lanes", 9, to: 1...8) } == "--lanes must be within 1...8, got 9")
    }

    @Test("A whole number has no leading zeros", arguments: ["", "08", "1.5", "+1", "256", "x"])
    func wholeNumbers(text: String) throws {
        #expect(try wholeNumber("8") as UInt8 == 8)
        let allowed = "allowed: a whole number without leading zeros, from 0 to 255"
        #expect(try Parsing.refusal { try wholeNumber(text) as UInt8 } == allowed)
    }
}
