import Evaluation
import Histogram
import LiveActivityModel
import LoadGenerator
import Quantities
import Reporting
import Results

/// The view of a scenario's run on a page besides its measurements, sample by sample.
struct LiveView: Sendable {
    /// The planned length of the run, in wall-clock time.
    let planned: TimeSpan
    /// The planned length of the run, in the scenario's time.
    let scenarioTime: TimeSpan
    /// The faults, in the scenario's time.
    let faults: [FaultSpan]
    private(set) var glances = FreshnessGlances()
    /// The elapsed wall-clock time.
    private(set) var elapsed = TimeSpan.zero
    /// The wall-clock time at which the next sample is due.
    private var nextCheck = LiveView.interval
    private var course: LoadCourse?

    private static let interval = TimeSpan.seconds(1)
    /// The shortest pause between two samples, as a multiple of the time that a sample takes.
    private static let leastPause: Int64 = 20

    /// A view without samples.
    init(planned: TimeSpan, scenarioTime: TimeSpan, faults: [FaultSpan] = []) {
        self.planned = planned
        self.scenarioTime = scenarioTime
        self.faults = faults
    }

    /// `true` if a sample is due; a sample costs time of the thread that is measured.
    func wantsLook(at now: TimeSpan) -> Bool { now >= nextCheck }

    /// Adds a sample and the time series of requests up to it.
    mutating func append(_ look: LiveLook, _ course: LoadCourse, at now: TimeSpan) {
        nextCheck = now + max(Self.interval, look.took * Self.leastPause)
        glances.append(look.glance)
        (elapsed, self.course) = (now, course)
    }

    /// The progress of the run.
    var progress: LoadSnapshot.Progress {
        // A sample is always of time that has passed.
        LoadSnapshot.Progress(stage: .running, elapsed: elapsed + TimeSpan(microseconds: 1), planned: planned)
    }

    /// A snapshot with results so far.
    func snapshot(_ results: LoadReport) -> LoadSnapshot {
        var results = results
        results.course = course
        return LoadSnapshot(progress, results, glances: glances, scenarioTime: scenarioTime, faults: faults)
    }
}
