import LoadGenerator
package import Quantities

/// The monitor's time, in microseconds of UNIX time, with its wake-ups.
package protocol MonitorClock: Sendable {
    /// The current time; it never decreases.
    var now: Instant { get }

    /// The speed relative to the wall clock.
    var speed: Double { get }

    /// Converts a wall-clock time to the monitor's time.
    func instant(ofWall time: Instant) -> Instant

    /// Performs an action at an instant, unless the task is cancelled before.
    func wake(at due: Instant, _ action: @escaping @Sendable () async -> Void) -> Task<Void, Never>
}

/// The system's time: it reads the calendar once and then follows the monotonic clock.
///
/// So a correction of the calendar while the monitor runs can neither end an episode nor begin one. For trials its time
/// may be faster than the wall clock. Values in the monitor's own time, including stale dates in whole seconds, are
/// then as in a slower world. Only incoming wall-clock times must be converted.
package struct SystemClock: MonitorClock {
    package let speed: Double
    private let epoch: Instant
    private let began: ContinuousClock.Instant

    /// Creates a clock that starts now; its speed is above 0.
    package init(speed: Double = 1) {
        precondition(speed > 0, "time goes forward")
        self.speed = speed
        epoch = Instant(microseconds: WallClock.microseconds)
        began = .now
    }

    package var now: Instant {
        let passed = began.duration(to: .now).components
        let microseconds = passed.seconds * 1_000_000 + passed.attoseconds / 1_000_000_000_000
        return epoch + TimeSpan(microseconds: scaled(microseconds))
    }

    package func instant(ofWall time: Instant) -> Instant {
        guard speed != 1 else { return time }
        return Instant(microseconds: epoch.microseconds + scaled(time.microseconds - epoch.microseconds))
    }

    package func wake(at due: Instant, _ action: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        let span = max(.zero, due - now).microseconds
        let pause = Duration.microseconds(speed == 1 ? span : Int64(Double(span) / speed))
        return Task {
            guard (try? await Task.sleep(for: pause, tolerance: .milliseconds(1))) != nil else { return }
            await action()
        }
    }

    /// At speed 1 the microseconds are exact: nothing is scaled or rounded.
    private func scaled(_ microseconds: Int64) -> Int64 {
        // APNs may send any number; a hundred thousand years are enough.
        speed == 1 ? microseconds : Int64(max(-3e18, min(3e18, (Double(microseconds) * speed).rounded())))
    }
}
