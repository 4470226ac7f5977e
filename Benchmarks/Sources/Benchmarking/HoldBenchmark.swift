/// The hold model on the kernel's event loop, timed.
public struct HoldBenchmark: Sendable {
    /// How many events are pending.
    public var pending = 1_000_000
    /// Operations in each run.
    public var operations = 2_000_000
    /// How far ahead events lie.
    public var profile = DelayProfile.exponential
    /// Bytes of entity state that an event reads and writes; a multiple of 8.
    public var touchedBytes = 0
    /// How many runs.
    public var runs = 5

    /// The benchmark with its usual settings.
    public init() {}

    /// Operations before the first run: as many as a run has, and at least one for each pending event.
    public var warmUp: Int { max(operations, pending) }

    /// Fills the loop, warms it up and runs.
    ///
    /// All runs go on from where the last one stopped: the hash is that of the whole trajectory.
    public func measure() -> Measurement {
        let before = heapBytesInUse()
        var hold = HoldModel(pending: pending, profile: profile, touchedBytes: touchedBytes)
        hold.run(operations: warmUp)
        let times = RunSeries.nanoseconds(per: operations, runs: runs) { hold.run(operations: operations) }
        let bytes = heapBytesInUse() - before - hold.stateBytes
        var measurement = Measurement([
            .init("workload", .text("hold")),
            .init("delays", .text(profile.rawValue)),
            .init("pending", .integer(pending)),
            .init("operations", .integer(operations)),
            .init("touch_bytes", .integer(touchedBytes)),
            .init("runs", .integer(runs)),
        ])
        measurement.add("ns_per_operation", times, places: 2)
        measurement.add("bytes_per_pending", .decimal(Double(bytes) / Double(pending), places: 2))
        measurement.add("trajectory_hash", .text(hexadecimal(hold.trajectoryHash)))
        return measurement
    }
}

/// A hash as 16 digits.
func hexadecimal(_ hash: UInt64) -> String {
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
}
