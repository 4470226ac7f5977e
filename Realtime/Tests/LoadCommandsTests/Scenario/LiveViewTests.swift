import Quantities
import Reporting
import Testing

@testable import LoadCommands
@testable import LoadGenerator

@Suite("What a page shows of a scenario's run")
struct LiveViewTests {
    private static func look(at time: TimeSpan, took: TimeSpan = .zero) -> LiveLook {
        LiveLook(
            glance: FreshnessGlance(at: time),
            progress: LiveProgress(),
            cells: [],
            lateness: LiveOutcome.Lateness(),
            took: took
        )
    }

    private static let course = LoadCourse(
        items: "requests",
        done: "sent",
        outcomes: [],
        windows: [],
        percentile99: nil
    )

    @Test("The thread of the cells is asked to look once a second, and less often where a look takes long")
    func pace() {
        var view = LiveView(planned: .minutes(1), scenarioTime: .minutes(1))
        #expect(!view.wantsLook(at: .milliseconds(900)) && view.wantsLook(at: .seconds(1)))
        view.append(Self.look(at: .seconds(1)), Self.course, at: .seconds(1))
        #expect(!view.wantsLook(at: .milliseconds(1900)) && view.wantsLook(at: .seconds(2)))
        view.append(Self.look(at: .seconds(2), took: .milliseconds(200)), Self.course, at: .seconds(2))
        #expect(!view.wantsLook(at: .milliseconds(5900)) && view.wantsLook(at: .seconds(6)))
    }
}

@Suite("The line of a scenario's run")
struct LiveRunLineTests {
    @Test("The longest line fits 80 columns")
    func width() {
        var progress = LiveProgress()
        progress.advance(to: .start + .hours(99), requests: 999_499_999, news: 999_499_999)
        let line = LiveRun.line(progress, until: .start + .hours(1000), after: 359_999)
        #expect(line.count <= ProgressLine.width, "\(line)")
    }
}

@Suite("Seeds on command lines")
struct SeedOptionTests {
    @Test("A seed keeps the rule of scenario files: no zero before its digits")
    func leadingZero() throws {
        let scenario = try LoadScenarioCommand.parse(["a.yaml", "--seed", "10"])
        #expect(scenario.seed == 10)
        #expect(throws: (any Error).self) { try LoadScenarioCommand.parse(["a.yaml", "--seed", "010"]) }
        #expect(throws: (any Error).self) { try LoadMonitorCommand.parse(["a.yaml", "--seed", "010"]) }
        #expect(throws: (any Error).self) { try LoadResultOptions.parse(["--seed", "010"]) }
        #expect(try LoadResultOptions.parse(["--seed", "0"]).seed == 0)
    }
}
