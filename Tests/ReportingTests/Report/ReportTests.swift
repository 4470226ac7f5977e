import Evaluation
import InputFiles
import LiveActivityModel
import Quantities
import SimulationKernel
import Testing

@testable import Reporting
@testable import ScenarioLanguage

struct ReportTests {
    @Test
    func golden() async throws {
        let result = try await RunResult.running(.oneRide)
        let text = Report(result).blocks.markdown
            .replacing("\(RunID(.oneRide))", with: "RUN_ID")
            .replacing(result.fingerprint.value.hexadecimal, with: "FINGERPRINT")
        #expect(try text == Fixture.text("one-ride.report.md"), "\(text)")
    }

    @Test("If APNs loses every push, the headline reports the low coverage, not the freshness of the few screens")
    func blackout() async throws {
        var scenario = Scenario.offlinePhones
        scenario.apns.loss = Probability(1)
        let result = try await RunResult.running(scenario, replications: 3)
        let coverage = try #require(Summary(result).row("ride_fresh_coverage_ratio", "ratio")?.value)
        let shown = try #require(Summary(result).row("displayed_fresh_time_ratio", "ratio")?.value)
        #expect(coverage.double < shown.double)
        #expect(Report(result).headline[0].hasPrefix("Of ride time: fresh card \(Format.percent(coverage.double)) · "))
        #expect(Report(result).blocks.markdown.contains("**\(Report(result).headline[0])** Right stage: "))
    }

    @Test("A metric without an interval is listed once, with the reason and a remedy")
    func intervalGaps() async throws {
        let small = Report(try await RunResult.running(.offlinePhones, replications: 2)).intervalGaps
        #expect(small.hasPrefix("No interval for ") && small.hasSuffix("."), "\(small)")
        #expect(small.contains(" rides or ") && small.contains("twice this run's estimate"), "\(small)")
        var steady = Scenario.oneRide
        steady.faults = []
        let short = Report(try await RunResult.running(steady)).intervalGaps
        #expect(short.contains("use --replications 5"), "\(short)")
    }

    @Test
    func aScenarioWithoutUpdates() async throws {
        var scenario = Scenario()
        scenario.rides.arrivals.process = .even
        let headline = Report(try await RunResult.running(scenario)).headline
        #expect(
            headline.last == "The scenario generates no updates: there are no refreshes, and rides have one stage."
        )
        scenario.rides.stages.append(Scenario.Stage(name: "trip", duration: .constant(60e6)))
        #expect(
            !Report(try await RunResult.running(scenario)).headline.contains { $0.contains("no updates") }
        )
    }

    @Test(
        "A report of a scaled-down scenario states the effect on senders; at full size it does not"
    )
    func scale() async throws {
        var scenario = Scenario.offlinePhones
        scenario.cells = 2
        #expect(!Report(try await RunResult.running(scenario)).blocks.markdown.contains("rides.scale"))
        scenario.rides.scale = 0.125
        let text = Report(try await RunResult.running(scenario)).blocks.markdown
        #expect(
            text.contains("for 12.50 % of the rides (`rides.scale`), simulated as 2 of 16 equal cells. Each cell has ")
        )
        #expect(text.contains("its own sender, so waits, queues and streams are those of a run of all rides in 16 "))
        scenario.rides.scale = 0.625
        #expect(
            scenario.remarkOnScale
                == "Rides arrive at 62.50 % of the scenario's rates (`rides.scale`), and each cell's sender carries 31.25 %. "
                + "Waits, queues and streams are those of this load."
        )
        for (scale, isWhole) in [(0.3333, true), (0.3, false), (0.9, false), (0.5, true)] {
            scenario.cells = 1
            scenario.rides.scale = scale
            #expect(scenario.remarkOnScale?.contains("equal cells") == isWhole, "\(scale)")
        }
        var experiment = Experiment(scenario: scenario)
        #expect(experiment.remarkOnScale != nil)
        experiment.factors = Factors()
        experiment.factors?.vary = [
            Factor(path: "cells", levels: .listed([]), origin: Origin(.file(line: 1, column: 1)))
        ]
        #expect(experiment.remarkOnScale == nil)
    }

    @Test
    func aRunInWhichNothingHappens() async throws {
        var scenario = Scenario.oneRide
        scenario.rides.arrivals.count = 0
        let text = Report(try await RunResult.running(scenario)).blocks.markdown
        #expect(text.contains("**There were no rides.**"))
        #expect(text.contains("No activity ended."))
        #expect(text.contains("No instance became stale."))
        #expect(!text.contains("## Worst"))
        #expect(!text.contains("## Freshness over the day"))
    }

    @Test("Without a monitor no sentence, table, tile or chart is about its belief")
    func aScenarioWithoutMonitor() async throws {
        var scenario = Scenario.oneRide
        scenario.monitor.enabled = false
        let result = try await RunResult.running(scenario)
        let text = Report(result).blocks.markdown
        #expect(text.contains("This scenario has no monitor."))
        #expect(!text.contains("believe") && !text.contains("stale episodes recovered"), "\(text)")
        let table = Report(result).summaryTable
        #expect(!table.contains("believe") && !table.contains("recovery") && table.contains("pushes sent"), "\(table)")
        #expect(!Chart.freshness(result).text.contains("believe"))
        #expect(HeadlineTile.tiles(of: result).count == 6)
    }

    @Test
    func whatReadingATraceLeftOut() async throws {
        var scenario = Scenario.oneRide
        var trace = Scenario.Trace(file: "rides.csv")
        trace.rides = [TracedRide(request: .start, stages: [.minutes(1), .minutes(9)], isCancelled: false)]
        trace.cleaning.read = 1600
        trace.cleaning.kept = 1200
        trace.cleaning.otherProvider = 300
        trace.cleaning.repaired = [TraceCleaning.Count(reason: "arrival_after_pickup", rows: 40)]
        trace.cleaning.leftOut = [TraceCleaning.Count(reason: "no_pickup", rows: 100)]
        scenario.rides.trace = trace
        let text = Report(try await RunResult.running(scenario)).blocks.markdown
        #expect(
            text.contains(
                """
                |                                                 |  rows |    share |
                | ----------------------------------------------- | ----: | -------: |
                | Read                                            | 1,600 | 100.00 % |
                | Of other providers                              |   300 |  18.75 % |
                | Repaired: rows with an arrival after the pickup |    40 |   2.50 % |
                | Left out: rows without a pickup time            |   100 |   6.25 % |
                | Kept                                            | 1,200 |  75.00 % |
                """
            )
        )
    }

    @Test
    func theWorstStepHasEnoughLiveTime() async throws {
        // The last step has half a second of live time, with the lowest freshness.
        var scenario = Scenario.oneRide
        scenario.content.ttl = .milliseconds(60_100)
        let steps = TimeSteps(try await RunResult.running(scenario), windowsPerStep: 1).steps
        #expect(steps.map { $0.share(.displayedFreshTime, of: .displayedTime) ?? 1 }.min() == 0.2)
        let worst = Report.worst(of: steps, .displayedFreshTime, .displayedTime)
        #expect(worst?.from == .start + .minutes(5))
    }
}
