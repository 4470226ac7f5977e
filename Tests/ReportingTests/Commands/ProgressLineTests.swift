import Quantities
import Shell
import Testing

@testable import Reporting
@testable import Studies

@Suite("Lines of progress")
struct ProgressLineTests {
    @Test("The longest line of a long sweep fits 80 columns")
    func longest() {
        let state = RunProgress.State(
            events: 999_999_999_999_999,
            finishedTasks: 9_959_999,
            tasks: 9_999_999,
            simulated: .hours(9_959_999),
            horizon: .hours(1),
            keptTasks: 0
        )
        let line = ProgressLine.line(state, after: 359_999)
        #expect(line.count <= ProgressLine.width, "\(line)")
        #expect(line == " 99.6 %  2.78G events/s  9.96M of 10.0M cells  9.96M cell h  24 min 06 s left")
    }

    @Test("The remaining time follows from the work of this run, not from earlier results")
    func resumed() {
        func state(finished: Int, kept: Int) -> RunProgress.State {
            RunProgress.State(
                events: 1000,
                finishedTasks: finished,
                tasks: 100,
                simulated: .hours(Int64(finished)),
                horizon: .hours(1),
                keptTasks: kept
            )
        }
        #expect(ProgressLine.line(state(finished: 70, kept: 60), after: 10).hasSuffix("  30 s left"))
        #expect(state(finished: 60, kept: 60).shareOfNewTasks == 0)
        #expect(state(finished: 100, kept: 100).shareOfNewTasks == 1)
    }

    @Test("Near the start no remaining time is shown; counts are short")
    func beginning() {
        #expect(ProgressLine.left(after: 1, share: 0.001).isEmpty)
        #expect(ProgressLine.left(after: 10, share: 0.5) == "  10 s left")
        #expect(
            [0, 99_999, 100_000, 999_499, 999_500, 1_234_567, 99_949_999, 123_456_789_012].map(ProgressLine.count) == [
                "0", "99,999", "100k", "999k", "1.00M", "1.23M", "99.9M", "123G",
            ]
        )
    }
}
