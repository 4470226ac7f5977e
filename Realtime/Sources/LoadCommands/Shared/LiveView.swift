import Histogram
import LiveActivityModel
import LoadGenerator
import Quantities
import Reporting

/// What a page shows of a scenario's run besides its measurements, look by look.
struct LiveView: Sendable {
    /// How long the run is to take, by the clock.
    let planned: TimeSpan
    /// The same in the scenario's time.
    let scenarioTime: TimeSpan
    private(set) var glances = FreshnessGlances()
    /// How far it has come, by the clock.
    private(set) var elapsed = TimeSpan.zero
    private var windows: [LoadCourse.Window] = []
    private var requests = 0
    private var percentile99: Double?

    /// A view without a look.
    init(planned: TimeSpan, scenarioTime: TimeSpan) {
        self.planned = planned
        self.scenarioTime = scenarioTime
    }

    /// Adds a look; false where hardly a second has passed since the one before, or it is that one.
    mutating func append(_ look: LiveLook, at now: TimeSpan) -> Bool {
        guard now - elapsed >= .milliseconds(750) else { return false }
        glances.append(look.glance)
        windows.append(
            LoadCourse.Window(
                start: elapsed.microseconds,
                length: (now - elapsed).microseconds,
                asked: nil,
                done: look.progress.requests - requests,
                latency: nil,
                outcomes: []
            )
        )
        (elapsed, requests) = (now, look.progress.requests)
        return true
    }

    /// Adds the latencies of the newest look's second, and those of all.
    mutating func add(_ recent: PushTally.Times, of all: PushTally.Times) {
        guard !windows.isEmpty else { return }
        windows[windows.count - 1].latency = LoadCourse.Latency(recent)
        percentile99 = all.totalCount > 0 ? Double(all.valueAtPercentile(99)) : nil
    }

    /// Requests over time.
    var course: LoadCourse {
        LoadCourse(items: "requests", done: "sent", outcomes: [], windows: windows, percentile99: percentile99)
    }

    /// A snapshot with results so far.
    func snapshot(_ results: LoadResults) -> LoadSnapshot {
        var results = results
        results.course = course
        // A look is always of time that has passed.
        let progress = LoadSnapshot.Progress(
            stage: .running,
            elapsed: elapsed + TimeSpan(microseconds: 1),
            planned: planned
        )
        return LoadSnapshot(progress, results, glances: glances, scenarioTime: scenarioTime)
    }
}
