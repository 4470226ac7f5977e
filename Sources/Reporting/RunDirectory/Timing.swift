internal import Foundation
public import Quantities
public import ScenarioLanguage
import TextFormats

/// The duration of a run and its machine: the only file of a run directory that differs between repetitions.
public struct Timing: Hashable, Sendable {
    let json: JSONValue

    /// Returns the timing at the end of a run.
    ///
    /// - Parameters:
    ///   - wall: The duration of the run, by the caller's monotonic clock.
    ///   - events: The number of events.
    ///   - jobs: The number of cells that run at the same time.
    ///   - data: The places of its data files.
    public static func ofThisProcess(
        wall: TimeSpan,
        events: UInt64,
        jobs: Int,
        data: DataPlaces = DataPlaces()
    ) -> Timing {
        let usage = resourceUsage()
        let rate: Double? = wall > .zero ? Double(events) / (Double(wall.microseconds) / 1e6) : nil
        var members: [String: JSONValue] = [
            "schema_version": 1,
            "git_commit": .string(Machine.gitCommit),
            "binary_hash": .string(Machine.binaryHash),
            "toolchain": .string(Machine.toolchain),
            "operating_system": .string(Machine.operatingSystem),
            "processor": .string(Machine.processor),
            "cores_count": .integer(Int64(ProcessInfo.processInfo.activeProcessorCount)),
            "jobs_count": .integer(Int64(jobs)),
            "wall_us": .integer(wall.microseconds),
            "cpu_us": .integer(usage.cpu.microseconds),
            "events_count": .unsigned(events),
            "events_per_second": rate.map { .decimal($0, places: 0) } ?? .null,
            "peak_memory_bytes": .integer(usage.peakMemoryBytes),
        ]
        if !data.files.isEmpty {
            members[DataPlaces.key] = .object(data.files.mapValues { .string($0) })
        }
        return Timing(json: .object(members))
    }
}

/// Returns the processor time and the peak memory of the process.
private func resourceUsage() -> (cpu: TimeSpan, peakMemoryBytes: Int64) {
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
    return (span(usage.ru_utime) + span(usage.ru_stime), Int64(usage.ru_maxrss) * memoryUnit)
}
