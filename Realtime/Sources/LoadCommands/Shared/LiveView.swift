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
    /// What breaks in it, in the scenario's time.
    let faults: [FaultSpan]
    private(set) var glances = FreshnessGlances()
    /// How far it has come, by the clock.
    private(set) var elapsed = TimeSpan.zero
    /// When the next look is due, by the clock.
    private var nextLook = LiveView.interval
    private var course: LoadCourse?

    private static let interval = TimeSpan.seconds(1)
    /// Between two looks there is this many times as long as a look takes, or longer.
    private static let leastPause: Int64 = 20

    /// A view without a look.
    init(planned: TimeSpan, scenarioTime: TimeSpan, faults: [FaultSpan] = []) {
        self.planned = planned
        self.scenarioTime = scenarioTime
        self.faults = faults
    }

    /// Whether it is time for a look; one costs the thread whose time is measured.
    func wantsLook(at now: TimeSpan) -> Bool { now >= nextLook }

    /// Adds a look, and requests up to it.
    mutating func append(_ look: LiveLook, _ course: LoadCourse, at now: TimeSpan) {
        nextLook = now + max(Self.interval, look.took * Self.leastPause)
        glances.append(look.glance)
        (elapsed, self.course) = (now, course)
    }

    /// How far the run has come.
    var progress: LoadSnapshot.Progress {
        // A look is always of time that has passed.
        LoadSnapshot.Progress(stage: .running, elapsed: elapsed + TimeSpan(microseconds: 1), planned: planned)
    }

    /// A snapshot with results so far.
    func snapshot(_ results: LoadResults) -> LoadSnapshot {
        var results = results
        results.course = course
        return LoadSnapshot(progress, results, glances: glances, scenarioTime: scenarioTime, faults: faults)
    }
}
