import Experiments
import FreshnessCore
import LoadGenerator
import Quantities
import Reporting
import Shell

/// The results of a load on the core, as metrics.
struct LoadCoreOutcome: Sendable {
    /// A step of the search for the limit.
    struct Trial: Sendable {
        let rate: Double
        let percentile99: Int64
        let holds: Bool
    }

    let settings: CoreSettings
    /// The rate of the plan, or the limit that was found [1/s].
    var asked = 0.0
    var tally = CoreTally()
    var windows: [CoreWindow] = []
    /// The speed of memcpy, bytes read and written [bytes/s].
    var copySpeed = 0.0
    /// The memory of the instances [bytes].
    var residentBytes = 0
    /// The number of threads; each scans its own part.
    var shardCount = 1
    /// The warm-up, which is shown but not measured.
    var warmUp = TimeSpan.zero
    /// The search for the limit, if there was one.
    var trials: [Trial] = []
    /// `true` while the search goes on; ``asked`` is then the rate of the current trial.
    var isSearching = false
    /// The early end; nil for a load that ran to the end of its plan.
    var earlyEnd: EarlyEndMark?

    /// Every metric.
    ///
    /// The names do not depend on the measurements.
    var rows: [SummaryRow] {
        let counts = tally.counts
        var rows: [SummaryRow] = [
            .number("updates_per_second", "mean", "1/s", tally.updatesPerSecond),
            .number("updates_asked_per_second", "value", "1/s", asked),
            .count("updates_count", counts.updates),
            row("updates_behind_count", "max", "count", tally.largestBacklog),
        ]
        rows += latency("update_latency_us", tally.updateLatency)
        rows += latency("decision_latency_us", tally.decisionLatency)
        rows += latency("scan_time_us", tally.scanTime)
        rows += latency("deciding_time_us", tally.decidingTime)
        rows += latency("scan_lateness_us", tally.scanLateness)
        rows += [
            .count("scans_count", counts.scans),
            .count("scans_missed_count", tally.missedScans),
            .number("scan_to_copy_ratio", "ratio", "1", scanToCopy),
            .count("stale_episodes_count", counts.episodes),
            .count("recovered_count", counts.recoveredByUpdate + counts.recoveredByRetry),
            .count("ended_severe_count", counts.givenUp),
            .count("token_invalidated_count", counts.invalidated),
            .count("pushes_sent_count", counts.retries, scope: "kind:retry"),
            .count("pushes_sent_count", counts.ends, scope: "kind:end"),
            .count("apns_response_count", counts.refused, scope: "status:503"),
            .number("processor_share_ratio", "ratio", "1", tally.processorShare),
            row("bytes_per_instance", "kept", "bytes", CoreShard.bytesPerInstance),
            .number("bytes_per_instance", "resident", "bytes", Double(residentBytes) / Double(settings.instances)),
            row("resident_bytes", "end", "bytes", windows.last?.residentBytes ?? 0),
            .number("resident_growth_bytes_per_minute", "slope", "bytes", memorySlope),
        ]
        return rows
    }

    /// The speed of scans relative to memcpy's, where a scan counts bytes read and a copy counts bytes read and written.
    private var scanToCopy: Double? {
        guard let median = tally.scanTime.quantile(0.5), median > 0, copySpeed > 0 else { return nil }
        let bytes = Double(settings.instances * FreshnessTable.scannedBytesPerRow) / Double(shardCount)
        return bytes / Double(median) * 1e9 / copySpeed
    }

    /// The growth of memory by a least-squares line [bytes/min]; nil if fewer than three seconds were measured.
    var memorySlope: Double? {
        // Memory that is allocated once appears in the first seconds.
        let steady = windows.dropFirst(min(windows.count / 4, 10))
        guard steady.count >= 3 else { return nil }
        let times = steady.map { Double($0.start + $0.length) / 6e10 }
        let bytes = steady.map { Double($0.residentBytes) }
        let (meanTime, meanBytes) = (times.reduce(0, +) / Double(times.count), bytes.reduce(0, +) / Double(bytes.count))
        var (product, square) = (0.0, 0.0)
        for (time, byte) in zip(times, bytes) {
            product += (time - meanTime) * (byte - meanBytes)
            square += (time - meanTime) * (time - meanTime)
        }
        return square > 0 ? product / square : nil
    }

    /// The note about memory of a soak test.
    var memoryNote: String {
        guard let first = windows.first, let last = windows.last, let memorySlope else {
            return "Memory: measured for too short a time."
        }
        return
            "Memory: \(first.residentBytes / 1000) kB after the first second, \(last.residentBytes / 1000) kB after the "
            + "last; \(Int(memorySlope / 1000)) kB a minute by a line through all but the first."
    }

    /// Adds the time series, the histograms, the data of charts and the notes.
    func describe(_ results: inout LoadResults) {
        results.course = course
        results.seriesColumns = [
            "updates_due_count", "updates_count", "refused_count", "update_latency_p50_us", "update_latency_p99_us",
            "update_latency_max_us", "scan_max_us", "changes_count", "stale_episodes_count", "retries_count",
            "ended_severe_count", "ends_count", "behind_count", "scans_missed_count", "cpu_us", "resident_bytes",
        ]
        func micro(_ nanoseconds: Int64?) -> Int64? { nanoseconds.map { $0 / 1000 } }
        results.series = windows.map { window in
            let counts = window.counts
            let values: [Int64?] = [
                Int64(window.due), Int64(counts.updates), Int64(counts.refused), micro(window.median),
                micro(window.percentile99), micro(window.longest), micro(window.longestScan), Int64(counts.changes),
                Int64(counts.episodes), Int64(counts.retries), Int64(counts.givenUp), Int64(counts.ends),
                Int64(window.backlog), Int64(window.missedScans), window.worked / 1000, Int64(window.residentBytes),
            ]
            return (start: window.start / 1000, length: window.length / 1000, values: values)
        }
        results.histograms = [
            ("update_latency_us", tally.updateLatency), ("decision_latency_us", tally.decisionLatency),
            ("scan_time_us", tally.scanTime),
        ]
        .map { name, record in
            LoadResults.Histogram(
                metric: name,
                buckets: record.buckets.map { (Double($0.low) / 1000, Double($0.high) / 1000, $0.count) }
            )
        }
        results.notes = notes
        results.earlyEnd = earlyEnd
    }

    /// The windows as charts show them.
    private var course: LoadCourse {
        var course = LoadCourse(
            items: "updates",
            done: "applied",
            outcomes: ["confirmed", "refused", "without effect"],
            measuredFrom: warmUp.microseconds,
            windows: windows.map { window in
                var latency: LoadCourse.Latency?
                if let median = window.median, let percentile99 = window.percentile99, let longest = window.longest {
                    latency = LoadCourse.Latency(
                        median: Double(median) / 1000,
                        percentile99: Double(percentile99) / 1000,
                        longest: Double(longest) / 1000
                    )
                }
                let counts = window.counts
                return LoadCourse.Window(
                    start: window.start / 1000,
                    length: window.length / 1000,
                    asked: window.due,
                    done: counts.updates,
                    latency: latency,
                    outcomes: [counts.confirmed, counts.refused, counts.withoutEffect]
                )
            },
            percentile99: tally.updateLatency.quantile(0.99).map { Double($0) / 1000 },
            limit: trials.filter(\.holds).map(\.rate).max() ?? (isSearching || trials.isEmpty ? nil : 0)
        )
        course.isSearching = isSearching
        return course
    }

    private var notes: [String] {
        let millisecond = Double(tally.scanTime.quantile(0.5) ?? 0) / 1e6
        let bound = max(1, Double(settings.instances) / 1e6)
        let scans = millisecond <= bound || (scanToCopy ?? 0) >= 0.5
        let rate = tally.updatesPerSecond ?? 0
        let notes = [
            "Goals: at least 5,000,000 updates/s on one core (\(rate >= 5e6 * Double(shardCount) ? "met" : "not shown") here: "
                + "\(Int(rate)) updates/s on \(shardCount)); a scan within \(Int(bound)) ms or at half of memcpy's speed "
                + "(\(scans ? "met" : "not met"))."
        ]
        let search = trials.map { trial in
            "\(Int(trial.rate)) updates/s: p99 \(ProgressLine.span(Int64(trial.percentile99 / 1000))), \(trial.holds ? "holds" : "does not hold")"
        }
        return notes + LoadResults.searchNote(search)
    }

    private func latency(_ name: String, _ record: LatencyRecord) -> [SummaryRow] {
        func micro(_ stat: String, _ nanoseconds: Double?) -> SummaryRow {
            .number(name, stat, "us", nanoseconds.map { $0 / 1000 })
        }
        let quantiles = SummaryRow.quantiles.dropLast()
            .map { micro($0.name, record.quantile($0.percent / 100).map { Double($0) }) }
        return [micro("mean", record.mean)] + quantiles + [micro("max", record.longest.map { Double($0) })]
    }

    private func row(_ metric: String, _ stat: String, _ unit: String, _ count: Int) -> SummaryRow {
        SummaryRow(scope: "all", metric: metric, stat: stat, unit: unit, value: .integer(Int64(count)))
    }
}
