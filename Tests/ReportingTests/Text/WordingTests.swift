import LiveActivityModel
import Quantities
import Testing

@testable import Reporting
@testable import ScenarioLanguage

@Suite("Wording")
struct WordingTests {
    @Test("A name is replaced with its words; a name without words is printed unchanged")
    func lookUp() {
        #expect(Wording.part("reason", "severe") == "the monitor gave up: severely stale")
        #expect(Wording.part("fate", "lost") == "accepted by APNs, then lost")
        #expect(Wording.part("status", "timeout") == "no answer in time")
        #expect(Wording.part("outcome", "severe") == "given up as severely stale")
        #expect(Wording.part("kind", "retry") == "retries")
        // A send log may contain any status.
        #expect(Wording.part("status", "404") == "404")
        #expect(Wording.part("reason", "some_new_reason") == "some new reason")
    }
}
