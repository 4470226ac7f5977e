import Evaluation
import FreshnessCore
import LiveActivityModel
import Quantities
import Reporting
import Results
import Testing

@testable import MonitorCommands
@testable import MonitorServer

@Suite("The time series on a monitor's page")
struct MonitorCourseTests {
    private static func report(accepted: Int, refused: Int, fresh: Int, recoverable: Int) -> MonitorReport {
        var counts = MonitorCounts()
        counts.accepted = accepted
        counts.refused[0] = refused
        var classes = FreshnessTable.Counts()
        (classes.fresh, classes.recoverable) = (fresh, recoverable)
        return MonitorReport(
            counts: counts,
            classes: classes,
            instances: fresh + recoverable,
            inFlight: 2,
            waiting: 1,
            isConnected: true,
            writes: Registry.Writes(),
            waitingWrites: 0,
            waitingDecisions: 0,
            waitingWithdrawals: 0,
            lastScan: .zero,
            slowestScan: .zero
        )
    }

    @Test("Counts are converted to counts per second; belief is that of the last check")
    func seconds() throws {
        var course = MonitorCourse(settings: [("topic", "t")])
        _ = course.append(Self.report(accepted: 10, refused: 1, fresh: 3, recoverable: 1), at: .seconds(1))
        let snapshot = course.append(Self.report(accepted: 14, refused: 1, fresh: 9, recoverable: 0), at: .seconds(2))
        let windows = try #require(snapshot.results.course).windows
        #expect(windows.map(\.done) == [11, 4])
        #expect(windows.map(\.outcomes) == [[10, 1, 0], [4, 0, 0]])
        #expect(snapshot.glances.last?.belief?.fresh == 9 && snapshot.progress.planned == nil)
        #expect(snapshot.message.contains("\"believed fresh now\""))
        #expect(snapshot.message.contains("status 200"))
        let report = try #require(RunFiles(snapshot.results).files.first { $0.path == "report.md" }).text
        #expect(!report.contains("latency") && report.contains("## Outcomes"), "\(report)")
    }

    @Test("Its counts are metrics of `freshet metrics`, with known scopes")
    func declared() throws {
        var course = MonitorCourse(settings: [])
        let counted = Self.report(accepted: 1, refused: 1, fresh: 1, recoverable: 0)
        let known = MetricDescription.all(of: Scenario()) + MetricDescription.ofLoads
        for row in course.append(counted, at: .seconds(1)).results.rows {
            let metric = try #require(known.first { $0.name == row.metric }, "\(row.metric) is not declared")
            #expect(metric.unit == row.unit && metric.statistics.contains(row.stat), "\(row.metric)")
            // The simulator has no reasons besides the statuses.
            let hasPart = row.scope.hasPrefix("reason:") || metric.scopes.contains { $0.name == row.scope }
            #expect(hasPart, "\(row.metric){\(row.scope)}")
        }
    }

    @Test("After a long run the last hour fills the width and is labelled")
    func longLife() throws {
        var course = MonitorCourse(settings: [])
        var shares: [Double] = []
        var last: LoadSnapshot?
        for second in 1...20_000 {
            let snapshot = course.append(
                Self.report(accepted: second, refused: 0, fresh: 1, recoverable: 0),
                at: .seconds(Int64(second))
            )
            guard second.isMultiple(of: 500), let course = snapshot.results.course, let until = course.until else {
                continue
            }
            let (first, end) = (course.windows[0].start, Int64(second) * 1_000_000)
            #expect(end <= until)
            shares.append(Double(end - first) / Double(until - first))
            last = snapshot
        }
        // If an axis doubles, at least half of it is in use.
        #expect(shares.allSatisfy { $0 > 0.49 }, "\(shares)")
        #expect(shares.suffix(30).allSatisfy { $0 > 0.9 }, "\(shares)")
        let report = try #require(last.flatMap { RunFiles($0.results).files.first { $0.path == "report.md" } }).text
        #expect(report.contains("1 pushes a second answered on average in the last hour."), "\(report.prefix(600))")
    }
}
