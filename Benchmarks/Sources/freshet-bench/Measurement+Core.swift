import Benchmarking
import Quantities
import TextFormats

extension Measurement {
    /// The core in real time at a rate, or at the highest rate that it keeps up with.
    ///
    /// The first run is only a warm-up: the memory of the first scans is cold.
    ///
    /// - Throws: Never, because the policy is valid.
    static func core(
        instances: Int,
        rate first: Double,
        findLimit: Bool,
        seconds: Int64,
        jobs: Int,
        runs: Int
    ) throws -> Measurement {
        let before = heapBytesInUse()
        let load = try CoreLoad(.brisk(instances: instances), shards: jobs)
        let bytes = heapBytesInUse() - before
        _ = load.run(perSecond: first, for: .seconds(seconds))
        let rate = findLimit ? load.limit(from: first) : first
        let tallies = (0..<runs).map { _ in load.run(perSecond: rate, for: .seconds(seconds)) }
        var measurement = Measurement(fields: [
            ("workload", "core"),
            ("instances", .integer(Int64(instances))),
            ("jobs", .integer(Int64(jobs))),
            ("seconds_per_run", .integer(seconds)),
            ("runs", .integer(Int64(runs))),
            ("updates_due_per_second", .decimal(rate, places: 0)),
            ("keeps_up", .bool(tallies.allSatisfy { $0.keepsUp(with: rate) })),
        ])
        measurement.add("updates_per_second", RunSeries(tallies.map(\.updatesPerSecond)), places: 0)
        func add(_ name: String, _ record: KeyPath<CoreTally, LatencyRecord>, _ shares: [(name: String, Double)]) {
            for (quantile, share) in shares {
                let times = tallies.compactMap { $0[keyPath: record].quantile(share).map { Double($0) / 1000 } }
                let field = "\(name)_\(quantile)_us"
                if times.isEmpty {
                    measurement.add(field, .null)
                } else {
                    measurement.add(field, RunSeries(times), places: 3)
                }
            }
        }
        add("update_latency", \.updateLatency, [("p50", 0.5), ("p99", 0.99), ("max", 1)])
        add("decision_latency", \.decisionLatency, [("p50", 0.5), ("p99", 0.99)])
        add("scan_time", \.scanTime, [("p50", 0.5)])
        add("deciding_time", \.decidingTime, [("p50", 0.5)])
        add("scan_lateness", \.scanLateness, [("p50", 0.5), ("max", 1)])
        measurement.add("processor_share", RunSeries(tallies.map(\.processorShare)), places: 3)
        measurement.add("bytes_per_instance", .decimal(Double(bytes) / Double(instances), places: 1))
        let counts = tallies.reduce(into: CoreCounts()) { $0 += $1.counts }
        for (name, count) in counts.named { measurement.add(name, .integer(Int64(count))) }
        return measurement
    }
}
