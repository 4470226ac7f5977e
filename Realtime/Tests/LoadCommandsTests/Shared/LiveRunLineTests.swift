import Quantities
import Shell
import Testing

@testable import LoadCommands
@testable import LoadGenerator

@Suite("Progress line of a scenario's live run")
struct LiveRunLineTests {
    @Test("The longest line fits 80 columns")
    func width() {
        var progress = LiveProgress()
        progress.advance(to: .start + .hours(99), requests: 999_499_999, news: 999_499_999)
        let line = LiveRun.line(progress, until: .start + .hours(1000), after: 359_999)
        #expect(line.count <= ProgressLine.width, "\(line)")
    }
}
