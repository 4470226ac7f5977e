import Histogram
import LoadGenerator
import Quantities
import Reporting

/// A load on a monitor at a rate, second by second, as its page shows it.
struct LoadMonitorRateCourse: Sendable {
    private let plan: RatePlan
    private var windows: [LoadCourse.Window] = []
    private var (before, elapsed) = (0, TimeSpan.zero)
    private var totals: [Int] = [0, 0]
    private var percentile99: Double?

    /// A load that has not begun.
    init(plan: RatePlan) { self.plan = plan }

    /// Adds what has come since the last time.
    mutating func append(_ tally: MonitorTally, _ recent: PushTally.Times, at now: TimeSpan) -> LoadSnapshot.Progress {
        let (all, requests) = (tally.all, tally.requests)
        let good = all.statuses.filter { $0.key < 400 }.values.reduce(0, +)
        let parts = [good, requests - good]
        let end = min(now, plan.duration)
        func due(_ instant: TimeSpan) -> Int { plan.dueCount(at: instant.microseconds * 1000 - 1) }
        windows.append(
            LoadCourse.Window(
                start: elapsed.microseconds,
                length: max(1, (now - elapsed).microseconds),
                asked: elapsed < plan.duration ? due(end) - (elapsed > .zero ? due(elapsed) : 0) : nil,
                done: requests - before,
                latency: LoadCourse.Latency(recent),
                outcomes: zip(parts, totals).map { $0 - $1 }
            )
        )
        (before, elapsed, totals) = (requests, now, parts)
        percentile99 = all.latency.totalCount > 0 ? Double(all.latency.valueAtPercentile(99)) : nil
        return LoadSnapshot.Progress(
            stage: now < plan.duration && tally.earlyEnd == nil ? .running : .draining,
            elapsed: now + TimeSpan(microseconds: 1),
            planned: plan.duration
        )
    }

    var course: LoadCourse {
        LoadCourse(
            items: "requests",
            done: "answered",
            outcomes: ["done", "refused or without an answer"],
            windows: windows,
            percentile99: percentile99
        )
    }
}
