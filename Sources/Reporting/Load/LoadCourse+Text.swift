import Evaluation

extension LoadCourse {
    private var measured: [Window] { windows.filter { $0.start >= measuredFrom } }

    /// Returns the time series with at most `count` windows.
    ///
    /// Neighbours are merged, with the worst of their latencies.
    ///
    /// - Complexity: Linear in the number of windows.
    func coarser(atMost count: Int) -> LoadCourse {
        let stride = (windows.count + count - 1) / max(1, count)
        guard stride > 1 else { return self }
        var course = self
        course.windows = Swift.stride(from: 0, to: windows.count, by: stride)
            .map { first in
                windows[first..<min(first + stride, windows.count)].dropFirst()
                    .reduce(into: windows[first]) { $0.append($1) }
            }
        return course
    }

    /// The target rate and the achieved rate, as a sentence without its full stop.
    var rateSentence: String { rateSentence(answered: nil) }

    /// Returns the target rate and the achieved rate, as a sentence without its full stop.
    ///
    /// - Parameter answered: The achieved rate of the load's metrics, which the page shows elsewhere; nil for that of the
    ///   windows.
    func rateSentence(answered: String?) -> String {
        let planned = measured.filter { ($0.asked ?? 0) > 0 }
        if let (asked, done) = LoadCourse.rates(planned) {
            let average = isSteady(planned) ? "" : " on average"
            return "Target: \(Format.rate(asked)) \(items) a second\(answered == nil ? "" : average); \(self.done) "
                + (answered.map { "\($0) per second during the load\(planned.count > 2 ? basis : "")" }
                    ?? "\(Format.rate(done))\(average) while it ran")
        }
        guard measured.contains(where: { $0.done > 0 }), let (_, done) = LoadCourse.rates(measured) else {
            return "No \(items) were \(self.done)" + inStretch
        }
        return "\(Format.rate(done)) \(items) a second \(self.done) on average" + inStretch
    }

    /// The seconds over which the metric of the achieved rate is a mean, after a space; a load without whole seconds has none.
    private var basis: String {
        let hasWarmUp = (measured.first?.start ?? 0) > 0
        return " (over its whole seconds\(hasWarmUp ? ", without the first one after the warm-up" : ""))"
    }

    private var inStretch: String { stretch.map { " in \($0)" } ?? "" }

    /// The latency, as a sentence without its full stop; nil if nothing is timed.
    var latencySentence: String? {
        guard isTimed else { return nil }
        if let unanswered {
            let value = unanswered.bound.map { "at least \(Format.span($0))" } ?? "unknown"
            let (missing, all) = (Format.count(Int64(unanswered.missing)), Format.count(Int64(unanswered.all)))
            return "The p99 latency from the due time is \(value): \(missing) of \(all) \(items) have no answer"
        }
        guard let percentile99 else { return "No latency: no \(items) were \(done)" }
        return "99 % of \(done) \(items) took at most \(Format.span(percentile99)) from their due time"
    }

    /// The outcomes, as a sentence without its full stop.
    var outcomeSentence: String {
        let totals = totals
        let all = totals.reduce(0, +)
        guard all > 0, let hopedFor = totals.first else { return "No \(items) to count by outcome" }
        if hopedFor == all { return "All \(Format.count(Int64(all))) \(items) \(outcomes[0])" + inStretch }
        let rest = totals.indices.dropFirst().max { (totals[$0], $1) < (totals[$1], $0) } ?? 0
        return
            "\(Format.percent(Int64(hopedFor), of: Int64(all))) \(outcomes[0])\(inStretch); "
            + "most of the rest: \(outcomes[rest])"
    }

    /// The outcomes, as a sentence without its full stop, if not all are the desired one; nil otherwise.
    var shortfallSentence: String? {
        let totals = totals
        let all = totals.reduce(0, +)
        return all > 0 && totals.first != all ? outcomeSentence : nil
    }

    /// The number of counted items with each outcome.
    var totals: [Int] { counted ?? totals(of: measured) }

    func totals(of windows: [Window]) -> [Int] {
        windows.reduce(into: outcomes.map { _ in 0 }) { totals, window in
            for (index, count) in window.outcomes.enumerated() { totals[index] += count }
        }
    }

    /// Returns true if the planned rate is the same in all windows, within one item that falls on either side of a
    /// boundary.
    private func isSteady(_ windows: [Window]) -> Bool {
        let rates = windows.map { Double($0.asked ?? 0) * 1e6 / Double(max(1, $0.length)) }
        guard let low = rates.min(), let high = rates.max() else { return true }
        return high - low <= 2 + high / 100
    }

    /// Returns the planned and the achieved rate of some windows [1/s]; nil if they have no length.
    private static func rates(_ windows: [Window]) -> (asked: Double, done: Double)? {
        let length = windows.reduce(0) { $0 + $1.length }
        guard length > 0 else { return nil }
        func rate(_ count: Int) -> Double { Double(count) * 1e6 / Double(length) }
        return (
            rate(windows.reduce(0) { $0 + ($1.asked ?? 0) }),
            rate(windows.reduce(0) { $0 + $1.done })
        )
    }
}

extension LoadCourse.Window {
    /// Merges the next window into this one.
    fileprivate mutating func append(_ next: LoadCourse.Window) {
        length = next.start + next.length - start
        if let added = next.asked { asked = (asked ?? 0) + added }
        done += next.done
        if let other = next.latency {
            latency =
                latency.map { mine in
                    LoadCourse.Latency(
                        median: max(mine.median, other.median),
                        percentile99: max(mine.percentile99, other.percentile99),
                        longest: max(mine.longest, other.longest)
                    )
                } ?? other
        }
        for (index, count) in next.outcomes.enumerated() { outcomes[index] += count }
    }
}
