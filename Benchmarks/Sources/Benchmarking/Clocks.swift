internal import Foundation

/// The processor time of the calling thread [ns].
///
/// On a shared machine this is the cost of a workload; wall-clock time includes the work of others.
@inline(never)
public func threadCPUNanoseconds() -> UInt64 {
    nanoseconds(of: CLOCK_THREAD_CPUTIME_ID)
}

/// The processor time of all threads of the process [ns].
@inline(never)
public func processCPUNanoseconds() -> UInt64 {
    nanoseconds(of: CLOCK_PROCESS_CPUTIME_ID)
}

/// The time since some instant before the process began [ns].
@inline(never)
public func wallNanoseconds() -> UInt64 {
    nanoseconds(of: CLOCK_MONOTONIC)
}

private func nanoseconds(of clock: clockid_t) -> UInt64 {
    var time = timespec()
    guard clock_gettime(clock, &time) == 0 else {
        preconditionFailure("a clock of the system cannot be read")
    }
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
