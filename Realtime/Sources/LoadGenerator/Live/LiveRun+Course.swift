package import Evaluation
import LiveActivityModel
import Quantities
import Synchronization

/// The numbers of due and sent requests of a scenario's load, by wall-clock second.
struct RequestSeconds: Sendable {
    /// The number of requests by the second in which they were due.
    private(set) var due: [Int] = []
    /// The number of requests by the second in which they were handed to the wire.
    private(set) var sent: [Int] = []

    /// Counts a request.
    mutating func count(due: TimeSpan, sent: TimeSpan) {
        Self.count(due, in: &self.due)
        Self.count(sent, in: &self.sent)
    }

    private static func count(_ instant: TimeSpan, in seconds: inout [Int]) {
        let second = Int(max(0, instant.microseconds) / 1_000_000)
        if seconds.count <= second { seconds += Array(repeating: 0, count: second + 1 - seconds.count) }
        seconds[second] += 1
    }
}

extension LiveRun {
    /// The time series of requests: due ones, answered ones and latencies.
    ///
    /// A wire that does not time answers shows sent requests instead of answered ones.
    package var course: LoadCourse {
        let (requests, answers) = (requestSeconds.withLock { $0 }, wire.latencies)
        let seconds = answers?.seconds
        let elapsed = wall(progress.now).microseconds
        let done = seconds?.map(\.answered) ?? requests.sent
        let count = max(Int((elapsed + 999_999) / 1_000_000), requests.due.count, done.count)
        let windows = (0..<count)
            .map { second -> LoadCourse.Window in
                let start = Int64(second) * 1_000_000
                // The last answers arrive after the run's end.
                let isCut = second == count - 1 && start < elapsed
                return LoadCourse.Window(
                    start: start,
                    length: isCut ? max(1, min(1_000_000, elapsed - start)) : 1_000_000,
                    asked: start < elapsed ? second < requests.due.count ? requests.due[second] : 0 : nil,
                    done: second < done.count ? done[second] : 0,
                    latency: seconds.flatMap { second < $0.count ? $0[second].latency : nil },
                    outcomes: []
                )
            }
        var course = LoadCourse(
            items: "requests",
            done: seconds == nil ? "sent" : "answered",
            outcomes: [],
            measuredFrom: wall(.start + world.scenario.clock.warmUp).microseconds,
            windows: windows,
            percentile99: answers?.percentile99
        )
        course.isTimed = seconds != nil
        course.faults = FaultSpan.all(of: world.scenario, atSpeed: speed)
        return course
    }
}
