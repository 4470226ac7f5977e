import Testing
import TextFormats

@testable import Reporting

@Suite("The axis of fresh shares")
struct ShareAxisTests {
    @Test(
        "It begins at 90, 80, 50 or 0 %, the highest that is not above any value",
        arguments: [
            ([97.5, 92.3], 90, 6), ([100, 90], 90, 6), ([99, 89.99], 80, 5), ([80], 80, 5), ([79, 97], 50, 6),
            ([96, 33.96], 0, 6), ([], 0, 6),
        ] as [([Double], Int64, Int)]
    )
    func beginning(percents: [Double], low: Int64, ticks: Int) throws {
        let values = ShareAxis(percents).values
        #expect(values["shareDomain"] == [.integer(low), 100])
        guard case .array(let marks)? = values["shareTicks"] else { throw CancellationError() }
        #expect(marks.count == ticks && marks.first == .integer(low) && marks.last == 100)
        #expect(ShareAxis(percents).remark == (low > 0 ? "; the axis begins at \(low) %" : ""))
    }
}
