import LoadGenerator
import Quantities
import Testing

@testable import LoadCommands

@Suite("Warning about timestamps ahead of the clock")
struct PushLoadLeadTests {
    private func load(_ rate: Double, tokens: Int) throws -> PushLoad {
        PushLoad(LoadSchedule(.open(try .constant(perSecond: rate, for: .seconds(60)))), tokens: tokens)
    }

    @Test("It states the lead and the remedy")
    func warning() throws {
        let warning = try #require(try load(3000, tokens: 1000).leadWarning)
        #expect(warning.contains("up to 3 pushes per second"), "\(warning)")
        #expect(warning.contains("up to 2 min ahead of the clock"), "\(warning)")
        #expect(warning.contains("at most 1,000 pushes per second, or to at least 3,000 tokens"), "\(warning)")
    }

    @Test("There is none if timestamps keep to the clock, or without timestamps")
    func none() throws {
        #expect(try load(1000, tokens: 1000).leadWarning == nil)
        var document = try load(3000, tokens: 1000)
        document.payload = .document(try PayloadDocument(#"{"aps":[1]}"#, now: 0))
        #expect(document.leadWarning == nil)
    }
}
