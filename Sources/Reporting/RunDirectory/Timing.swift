internal import Foundation
public import Quantities
import TextFormats

/// How long a run took, and on what: the one file of a run directory that differs each time.
public struct Timing: Hashable, Sendable {
    /// The commit that is checked out in the working directory; empty if there is none.
    public var gitCommit: String
    /// A hash of the running program's file, 16 hexadecimal digits; empty if it cannot be read.
    public var binaryHash: String
    /// The compiler, and whether it optimised.
    public var toolchain: String
    /// The operating system and its kernel.
    public var operatingSystem: String
    /// The processor's model; empty if the system does not tell.
    public var processor: String
    /// Processors at hand.
    public var cores: Int
    /// How many cells ran at the same time.
    public var jobs: Int
    /// The time that passed.
    public var wall: TimeSpan
    /// The time that processors worked, in this process.
    public var cpu: TimeSpan
    /// Events that had a meaning.
    public var events: UInt64
    /// The most memory that the process held [bytes].
    public var peakMemoryBytes: Int64

    /// A hash of the running program's file, 16 hexadecimal digits; empty if it cannot be read.
    public static var programHash: String { Machine.binaryHash }

    /// What can be known at the end of a run.
    ///
    /// - Parameters:
    ///   - wall: How long the run took, by the caller's monotonic clock.
    ///   - events: How many events it had.
    ///   - jobs: How many cells ran at the same time.
    public static func ofThisProcess(wall: TimeSpan, events: UInt64, jobs: Int) -> Timing {
        let usage = ResourceUsage.ofThisProcess
        return Timing(
            gitCommit: Machine.gitCommit,
            binaryHash: Machine.binaryHash,
            toolchain: Machine.toolchain,
            operatingSystem: Machine.operatingSystem,
            processor: Machine.processor,
            cores: ProcessInfo.processInfo.activeProcessorCount,
            jobs: jobs,
            wall: wall,
            cpu: usage.cpu,
            events: events,
            peakMemoryBytes: usage.peakMemoryBytes
        )
    }

    /// Events per second of wall time; nil when no time has passed.
    public var eventsPerSecond: Double? {
        wall > .zero ? Double(events) / (Double(wall.microseconds) / 1e6) : nil
    }

    var json: JSONValue {
        [
            "schema_version": 1,
            "git_commit": .string(gitCommit),
            "binary_hash": .string(binaryHash),
            "toolchain": .string(toolchain),
            "operating_system": .string(operatingSystem),
            "processor": .string(processor),
            "cores_count": .integer(Int64(cores)),
            "jobs_count": .integer(Int64(jobs)),
            "wall_us": .integer(wall.microseconds),
            "cpu_us": .integer(cpu.microseconds),
            "events_count": .unsigned(events),
            "events_per_second": eventsPerSecond.map { .decimal($0, places: 0) } ?? .null,
            "peak_memory_bytes": .integer(peakMemoryBytes),
        ]
    }
}

/// What the process has used.
private struct ResourceUsage {
    var cpu: TimeSpan
    var peakMemoryBytes: Int64

    static var ofThisProcess: ResourceUsage {
        var usage = rusage()
        #if canImport(Darwin)
        getrusage(RUSAGE_SELF, &usage)
        let memoryUnit: Int64 = 1
        #else
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        // Linux counts in KiB.
        let memoryUnit: Int64 = 1024
        #endif
        func span(_ time: timeval) -> TimeSpan {
            .seconds(Int64(time.tv_sec)) + TimeSpan(microseconds: Int64(time.tv_usec))
        }
        return ResourceUsage(
            cpu: span(usage.ru_utime) + span(usage.ru_stime),
            peakMemoryBytes: Int64(usage.ru_maxrss) * memoryUnit
        )
    }
}
