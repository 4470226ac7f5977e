internal import Foundation

/// The time that the calling thread has spent on a processor [ns].
///
/// On a shared machine this is what a workload costs; the time that passes includes others'.
@inline(never)
public func threadCPUNanoseconds() -> UInt64 {
    nanoseconds(of: CLOCK_THREAD_CPUTIME_ID)
}

/// The time that all threads of the process have spent on processors [ns].
@inline(never)
public func processCPUNanoseconds() -> UInt64 {
    nanoseconds(of: CLOCK_PROCESS_CPUTIME_ID)
}

/// The time since some moment before the process began [ns].
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
