internal import Foundation

/// The clock of a run as one thread reads it; tests replace it by a manual one.
protocol CoreClock {
    /// The time since the beginning of the run [ns]; never decreases.
    mutating func now() -> Int64
    /// Returns at an instant [ns] or a little later.
    mutating func wait(until instant: Int64)
}

/// The system's monotonic clock, from the beginning of a run.
struct SystemCoreClock: CoreClock, Sendable {
    private let beginning = wallNanoseconds()

    func now() -> Int64 { Int64(wallNanoseconds() - beginning) }

    /// Sleeps until an instant [ns]; the system wakes some 50 µs late.
    func wait(until instant: Int64) {
        let nanoseconds = instant - now()
        guard nanoseconds > 0 else { return }
        var span = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        // A signal ends it early; the caller reads the clock again anyway.
        nanosleep(&span, nil)
    }
}
