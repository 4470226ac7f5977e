/// The time of a run, as one thread reads it; a test brings one that stands still until it is told.
public protocol CoreClock {
    /// Time since the beginning of the run [ns]; never falls.
    mutating func now() -> Int64
    /// Returns at an instant [ns] or a little later.
    mutating func wait(until instant: Int64)
    /// What the calling thread has worked [ns].
    mutating func worked() -> Int64
    /// What the process holds in memory [bytes]; 0 where the system does not tell.
    mutating func residentBytes() -> Int
}
