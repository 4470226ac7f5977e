package import Quantities

/// The clock of a run in real time, whose virtual time runs at a multiple of the wall clock's speed.
package struct LiveClock: Sendable {
    /// The speed relative to the wall clock.
    package let speed: Double
    /// The time of day at the beginning of the run [µs since 1970], for payloads.
    package let epochMicroseconds: Int64
    private let began: ContinuousClock.Instant

    /// A clock that begins now, at virtual instant 0.
    ///
    /// - Precondition: `speed` is above 0.
    package init(speed: Double, epochMicroseconds: Int64) {
        precondition(speed > 0, "time goes forward")
        self.speed = speed
        self.epochMicroseconds = epochMicroseconds
        began = .now
    }

    /// The current virtual instant.
    package var now: Instant {
        let (seconds, attoseconds) = (ContinuousClock.now - began).components
        let microseconds = Double(seconds) * 1e6 + Double(attoseconds) * 1e-12
        return Instant(microseconds: Int64(microseconds * speed))
    }

    /// The wall-clock length of a virtual span.
    package func wall(_ span: TimeSpan) -> TimeSpan {
        TimeSpan(microseconds: Int64(Double(span.microseconds) / speed))
    }

    /// The time of day of a virtual instant [s since 1970].
    package func unixSeconds(_ instant: Instant) -> Int64 {
        (epochMicroseconds + instant.microseconds) / 1_000_000
    }
}
