/// M/M/1 on the kernel's event loop, timed.
public struct QueueBenchmark: Sendable {
    /// Customers in each run.
    public var customers = 2_000_000
    /// How many runs.
    public var runs = 5

    /// The benchmark with its usual settings.
    public init() {}

    /// Runs once to warm up, then counts.
    public func measure() -> Measurement {
        var queue = SingleServerQueue()
        queue.run(customers: customers)
        let times = RunSeries.nanoseconds(per: customers, runs: runs) { queue.run(customers: customers) }
        var measurement = Measurement([
            .init("workload", .text("mm1")),
            .init("customers", .integer(customers)),
            .init("load", .decimal(0.9, places: 1)),
            .init("runs", .integer(runs)),
        ])
        measurement.add("ns_per_customer", times, places: 2)
        let mean = Double(queue.timeInSystem) / Double(queue.servedCount) / 1e6
        measurement.add("mean_time_in_system_seconds", .decimal(mean, places: 3))
        measurement.add("trajectory_hash", .text(hexadecimal(queue.trajectoryHash)))
        return measurement
    }
}

/// PHOLD on the kernel's event loop, timed.
public struct ProcessHoldBenchmark: Sendable {
    /// How many logical processes there are, and messages under way.
    public var processes = 1_000_000
    /// Messages delivered in each run.
    public var events = 2_000_000
    /// How many runs.
    public var runs = 5

    /// The benchmark with its usual settings.
    public init() {}

    /// Warms up with as many messages as a run has, at least one for each process, then counts.
    public func measure() -> Measurement {
        var model = ProcessHoldModel(processes: processes)
        model.run(events: max(events, processes))
        let times = RunSeries.nanoseconds(per: events, runs: runs) { model.run(events: events) }
        var measurement = Measurement([
            .init("workload", .text("phold")),
            .init("processes", .integer(processes)),
            .init("events", .integer(events)),
            .init("runs", .integer(runs)),
        ])
        measurement.add("ns_per_event", times, places: 2)
        measurement.add("trajectory_hash", .text(hexadecimal(model.trajectoryHash)))
        return measurement
    }
}
