import LiveActivityModel
import Quantities
import Testing

@testable import Experiments
@testable import Reporting

@Suite("Wording")
struct WordingTests {
    /// The tables, by what the scopes begin with in which their names stand.
    private static let tables: [(prefix: String, words: [String: String])] = [
        ("reason", Wording.reasons), ("fate", Wording.fates), ("status", Wording.statuses),
        ("outcome", Wording.outcomes), ("kind", Wording.kinds),
    ]

    /// What else scopes begin with, and which needs no table.
    ///
    /// The user names stages; thresholds and ranks are numbers; the report words the few others one by one.
    private static let prefixesWithoutTable: Set = ["all", "stage", "over", "rank", "by", "size", "attempt"]

    /// The names in the scopes of the catalogue, by what stands before their colon.
    private static let names: [String: Set<String>] = {
        var scenario = Scenario.oneRide
        scenario.measure.ageOver = [.seconds(15)]
        scenario.measure.waitOver = [.seconds(1)]
        var names: [String: Set<String>] = [:]
        for metric in MetricCatalog.metrics(of: scenario) {
            let parts = metric.scope.split(separator: ":", maxSplits: 1).map(String.init)
            names[parts[0], default: []].formUnion(parts.dropFirst())
        }
        return names
    }()

    @Test("Every name in the catalogue of metrics has words, and there are words for no other", arguments: tables)
    func complete(prefix: String, words: [String: String]) throws {
        let names = try #require(Self.names[prefix])
        #expect(names.subtracting(words.keys).sorted() == [], "no words for these in \(prefix):…")
        #expect(Set(words.keys).subtracting(names).sorted() == [], "no metric has these in \(prefix):…")
    }

    @Test("No two names have the same words", arguments: tables)
    func distinct(prefix: String, words: [String: String]) {
        #expect(Set(words.values).count == words.count)
    }

    @Test("A scope of the catalogue has a table of words here, or needs none")
    func prefixes() {
        let known = Self.prefixesWithoutTable.union(Self.tables.map(\.prefix))
        #expect(Set(Self.names.keys).subtracting(known).sorted() == [])
    }

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
