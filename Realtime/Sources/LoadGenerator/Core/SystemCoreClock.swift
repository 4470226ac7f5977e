import Foundation

/// The clock of a run as one thread reads it; tests replace it by a manual one.
protocol CoreClock {
    /// The time since the beginning of the run [ns]; never decreases.
    mutating func now() -> Int64
    /// Returns at an instant [ns] or a little later.
    mutating func wait(until instant: Int64)
    /// The processor time of the calling thread [ns].
    mutating func worked() -> Int64
    /// The resident memory of the process [bytes]; 0 if the system does not report it.
    mutating func residentBytes() -> Int
}

/// The system's monotonic clock, from the beginning of a run.
struct SystemCoreClock: CoreClock, Sendable {
    private let beginning: Int64

    /// A clock of a run that begins after a delay [ns].
    init(beginsIn delay: Int64 = 0) {
        beginning = SystemCoreClock.read(CLOCK_MONOTONIC) + delay
    }

    func now() -> Int64 { SystemCoreClock.read(CLOCK_MONOTONIC) - beginning }

    /// Sleeps until an instant [ns]; the system wakes some 50 µs late.
    func wait(until instant: Int64) {
        let nanoseconds = instant - now()
        guard nanoseconds > 0 else { return }
        var span = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        // A signal ends it early; the caller reads the clock again anyway.
        nanosleep(&span, nil)
    }

    func worked() -> Int64 { SystemCoreClock.read(CLOCK_THREAD_CPUTIME_ID) }

    func residentBytes() -> Int { SystemCoreClock.residentBytes() }

    /// The resident memory of the process [bytes]; 0 if the system does not report it.
    static func residentBytes() -> Int {
        #if os(Linux)
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
        let fields = text.split(separator: " ")
        guard fields.count > 1, let pages = Int(fields[1]) else { return 0 }
        return pages * Int(getpagesize())
        #else
        return 0
        #endif
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { preconditionFailure("a clock of the system cannot be read") }
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
