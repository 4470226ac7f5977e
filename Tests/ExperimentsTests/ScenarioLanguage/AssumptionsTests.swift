import TestSupport
import Testing

@testable import ScenarioLanguage

@Suite("Assumptions in scenario files")
struct AssumptionsTests {
    @Test("A comment on the line, or above the next value, marks an assumption; other comments do not")
    func marks() throws {
        let directory = Scratch()
        let base = try directory.write(
            """
            name: base
            clock: {duration: 1h}
            rides:
              arrivals: {process: even, count: 20, spread: 10m} # assumption: even is simple
              stages:
                - name: on_trip
                  duration: 9m # from a paper
                  # assumption: as often as
                  # the traffic changes
                  refresh: 45s
            content:
              ttl: 90s # assumption
            """,
            to: "base.yaml"
        )
        func assumptions(_ file: String) throws -> [[String]] {
            try ScenarioReader.read(file: file).assumptions().map { [$0.path, $0.value, $0.reason] }
        }
        let arrivals = ["rides.arrivals", "{process: even, count: 20, spread: 10m}", "even is simple"]
        let refresh = ["rides.stages.0.refresh", "45s", "as often as the traffic changes"]
        #expect(try assumptions(base) == [arrivals, refresh, ["content.ttl", "90s", ""]])
        // A value that a file replaces is no longer the extended file's assumption.
        let own = try directory.write(
            "extends: base.yaml\nname: own\ncontent: {ttl: 2m}\napns: {loss: 1%} # assumption: no rate is public\n",
            to: "own.yaml"
        )
        #expect(try assumptions(own) == [arrivals, refresh, ["apns", "{loss: 1%}", "no rate is public"]])
        #expect(try ScenarioReader.read(file: own).assumptions().map(\.origin) == [base, base, nil])
    }
}
