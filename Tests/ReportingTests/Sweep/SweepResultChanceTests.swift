import Statistics
import Testing

@testable import Reporting

@Suite("Effect of chance in a sweep")
struct SweepResultChanceTests {
    /// Two factors of two levels each, with two replications.
    private static func effects(_ responses: [[Double]]) -> MainEffects {
        MainEffects(points: [[0, 0], [0, 1], [1, 0], [1, 1]], responses: responses)
    }

    @Test("Factors whose spans overlap within their intervals lead together; a clearly separate one leads alone")
    func leaders() {
        #expect(Self.effects([[0, 0.1], [5, 5], [10, 10], [15, 15.1]]).leaders == [0])
        #expect(Self.effects([[0, 1], [5, 5.5], [5.2, 5.1], [10, 11]]).leaders == [1, 0])
        #expect(Self.effects([[1, 9], [9, 1], [2, 8], [8, 2]]).leaders.isEmpty)
        // The second factor's span is within chance, which may also have hidden a span as large as the first's.
        #expect(Self.effects([[0, 9], [9, 0], [10, 19], [19, 10]]).leaders == [0, 1])
        // A single replication gives no information about chance.
        #expect(Self.effects([[0], [5], [5.2], [10]]).leaders.isEmpty)
    }
}
