import LiveActivityModel
import Quantities
import Testing

@testable import Experiments
@testable import Reporting

@Suite("Wording")
struct WordingTests {
    @Test("A name is given its words; without any it is shown as it is")
    func lookUp() {
        #expect(Wording.reason("severe") == "the monitor gave up: severely stale")
        #expect(Wording.fate("lost") == "accepted by APNs, then lost")
        #expect(Wording.status("timeout") == "no answer in time")
        #expect(Wording.outcome("severe") == "given up as severely stale")
        #expect(Wording.kind("retry") == "retries")
        // A send log may have any status.
        #expect(Wording.status("404") == "404")
        #expect(Wording.reason("some_new_reason") == "some new reason")
    }
}
