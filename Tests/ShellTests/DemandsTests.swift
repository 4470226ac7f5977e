import ArgumentParser
import Shell
import Testing

@Suite("Checks of options")
struct DemandsTests {
    private func refusal<Value>(_ read: () throws -> Value) throws -> String? {
        do {
            _ = try read()
            return nil
        } catch let error as ValidationError {
            return error.message
        }
    }

    @Test("A number outside its range is refused, with what is allowed and what was given")
    func ranges() throws {
        #expect(try refusal { try limit("--lanes", 1, to: 1...8) } == nil)
        #expect(try refusal { try limit("--lanes", 8, to: 1...8) } == nil)
        #expect(try refusal { try limit("--lanes", 9, to: 1...8) } == "--lanes must be within 1...8, got 9")
    }

    @Test("A whole number has no leading zeros", arguments: ["", "08", "1.5", "+1", "256", "x"])
    func wholeNumbers(text: String) throws {
        #expect(try wholeNumber("8") as UInt8 == 8)
        let allowed = "allowed: a whole number without leading zeros, from 0 to 255"
        #expect(try refusal { try wholeNumber(text) as UInt8 } == allowed)
    }
}
