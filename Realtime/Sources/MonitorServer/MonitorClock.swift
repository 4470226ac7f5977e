import LoadGenerator
package import Quantities

/// The monitor's time, in microseconds of UNIX time, and what wakes it.
package protocol MonitorClock: Sendable {
    /// Now; it never goes back.
    var now: Instant { get }

    /// How much faster than the wall clock it goes.
    var speed: Double { get }

    /// A wall-clock time in the monitor's time.
    func instant(ofWall time: Instant) -> Instant

    /// Does something once an instant has come, unless the task is cancelled before.
    func wake(at due: Instant, _ action: @escaping @Sendable () async -> Void) -> Task<Void, Never>
}

/// The system's time: the calendar is asked once, and from there on the monotonic clock counts.
///
/// So no correction of the calendar while the monitor runs can end an episode or begin one. In trials its time may go
/// faster than the wall clock. What the monitor hears or says in its own time, stale dates in whole seconds included, is
/// then as in a slower world; only wall-clock times that it hears have to be translated.
package struct SystemClock: MonitorClock {
    package let speed: Double
    private let epoch: Instant
    private let began: ContinuousClock.Instant

    /// A clock that begins now; its speed is above 0.
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

    /// Real time's own microseconds stay whole: no rounding where there is nothing to scale.
    private func scaled(_ microseconds: Int64) -> Int64 {
        // APNs may say any number; a hundred thousand years are enough.
        speed == 1 ? microseconds : Int64(max(-3e18, min(3e18, (Double(microseconds) * speed).rounded())))
    }
}
