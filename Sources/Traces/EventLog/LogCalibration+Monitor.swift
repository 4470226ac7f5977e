import InputFiles

/// The Freshness Monitor.
extension LogCalibration {
    mutating func monitor() {
        put("monitor:")
        var delays = digest.retryDelays.elements.sorted()
        var source = "from stale dates to the first attempts to recover"
        if delays.count < 5, digest.hasStaleDates {
            // The content with which the app started becomes stale, too.
            let ttls = digest.ttls.elements.sorted()
            delays = digest.firstRetryDelays.elements.map { max(0, $0 - ttls[ttls.count / 2]) }.sorted()
            source =
                "from the start of activities to the first attempts to recover, without the TTL of the first content"
        }
        if delays.count >= 5 {
            let (limit, scan) = Self.onset(delays)
            freshLimit = limit
            put(
                "  fresh_limit: \(Self.seconds(limit))",
                "\(source), n = \(delays.count)"
            )
            add("monitor.fresh_limit", Double(limit), nil, delays.count)
            if scan >= 1e6, scan < 300e6 {
                put("  scan_interval: \(LogFit.text(scan))", "first attempts spread over it")
            }
        } else {
            let few =
                digest.mostRetries > 0 && !digest.hasStaleDates
                ? "without stale dates, the log does not show how long after them the monitor waits"
                : "the log has \(delays.isEmpty ? "no attempt" : "hardly any attempts") to recover an activity"
            assume(
                "  fresh_limit: 1m",
                few,
                or: ["monitor.fresh_limit=30s", "monitor.fresh_limit=2m"]
            )
        }
        let severe = digest.severeDelays.elements.sorted()
        if severe.count >= 3 {
            let window = Self.onset(severe).time - (freshLimit ?? 60_000_000)
            put(
                "  recovery_window: \(Self.seconds(max(1_000_000, window)))",
                "ends during rides after that time, n = \(severe.count)"
            )
        } else {
            assume(
                "  recovery_window: 8m",
                "the log has no end of an activity that could not be recovered",
                or: ["monitor.recovery_window=4m", "monitor.recovery_window=16m"]
            )
        }
        retries()
        ends()
        put()
    }

    /// The time after which the monitor acts, and the interval of its scans, by the times at which it did [µs, ascending].
    ///
    /// Scans at even intervals spread the acts evenly over one interval. Acts that come much later than most have other reasons.
    ///
    /// Others come earlier: ends of rides whose own end is missing in the log. So only times around the densest half count.
    static func onset(_ times: [Int64]) -> (time: Int64, scan: Double) {
        let half = times.count / 2
        let first = (0..<times.count - half).min { times[$0 + half] - times[$0] < times[$1 + half] - times[$1] } ?? 0
        let width = max(1_000_000, times[first + half] - times[first])
        let dense = times.drop { $0 < times[first] - width }
        let low = dense[dense.startIndex + dense.count / 50]
        let bound = low + 2 * (dense[dense.startIndex + 3 * dense.count / 4] - low)
        let usual = Array(dense.prefix { $0 <= bound })
        let scan = (Double(usual[19 * usual.count / 20] - low) / 0.95e6).rounded() * 1e6
        // `low` is the 2 % quantile, which evenly spread acts reach after a fiftieth of the interval.
        return (max(0, (low - Int64(scan / 50) + 500_000) / 1_000_000 * 1_000_000), scan)
    }

    mutating func retries() {
        guard digest.mostRetries > 0 else {
            assume(
                "  retry: {max_attempts: 0}",
                "the log has no attempts to recover",
                or: ["monitor.retry.max_attempts=3"]
            )
            return
        }
        put("  retry:")
        put("    max_attempts: \(digest.mostRetries)", "the most in one episode")
        let first = digest.retryPauses[1]?.elements.sorted() ?? []
        let second = digest.retryPauses[2]?.elements.sorted() ?? []
        if first.count >= 5 {
            let (low, high) = (first[first.count / 20], first[first.count - 1 - first.count / 20])
            let isSpread = Double(high) > 1.3 * Double(low)
            let base = isSpread ? high : first[first.count / 2]
            var factor = 2.0
            if second.count >= 5 {
                func mean(_ values: [Int64]) -> Double { values.reduce(0) { $0 + Double($1) } / Double(values.count) }
                factor = min(100, max(1, (mean(second) / max(1, mean(first)) * 4).rounded() / 4))
            }
            let longest =
                digest.retryPauses.keys.sorted().compactMap { digest.retryPauses[$0]?.elements.max() }.max() ?? base
            put(
                "    backoff: {base: \(Self.seconds(max(1_000_000, base))), factor: \(NumberText.text(factor)), "
                    + "cap: \(Self.seconds(max(base, longest)))}",
                "n = \(first.count) and \(second.count) pauses"
            )
            put(
                "    jitter: \(isSpread ? "equal" : "none")",
                "pauses vary from \(LogFit.text(Double(low))) to \(LogFit.text(Double(high)))"
            )
        }
        let priorities = (0..<min(10, digest.mostRetries))
            .map { number -> String in
                let counts = digest.retryPriorities[number] ?? [0, 1]
                return counts[0] > counts[1] ? "5" : "10"
            }
        put("    priorities: [\(priorities.joined(separator: ", "))]")
        assume(
            "monitor.retry.budget: attempts to recover have no limit; the log does not show attempts that were withheld",
            or: [
                "monitor.retry.budget={capacity: 10, per_second: 1}",
                "monitor.retry.budget={capacity: 1, per_second: 0.1}",
            ]
        )
    }

    mutating func ends() {
        var schedule: [Int64] = []
        for number in 0..<16 {
            let delays = digest.endDelays[number]?.elements.sorted() ?? []
            guard delays.count >= (number == 0 ? 1 : 3) else { break }
            let middle = (delays[delays.count / 2] + 500_000) / 1_000_000 * 1_000_000
            if let last = schedule.last, middle <= last { break }
            schedule.append(middle)
        }
        guard !schedule.isEmpty else {
            assume(
                "  end_schedule: [0s, 30s, 2m]",
                "the log has no end of an activity",
                or: ["monitor.end_schedule=[0s]"]
            )
            return
        }
        let text = schedule.map { Self.seconds($0) }.joined(separator: ", ")
        put(
            "  end_schedule: [\(text)]",
            "the median times from the end of rides to their end events, n = \(digest.endsByRide)"
        )
    }
}
