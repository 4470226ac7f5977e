/// The time series of a load, window by window, for its charts.
public struct LoadCourse: Hashable, Sendable {
    /// A window of the load.
    public struct Window: Hashable, Sendable {
        /// The start, since the beginning of the load [µs].
        public var start: Int64
        /// The length [µs].
        public var length: Int64
        /// The number of items due in the window by the plan; nil without a plan, as in a closed loop.
        public var asked: Int?
        /// The number of items done in the window, whenever they were due.
        public var done: Int
        /// The latencies of the window [µs]; nil if nothing was measured.
        public var latency: Latency?
        /// The number of items with each outcome, in the order of ``LoadCourse/outcomes``.
        public var outcomes: [Int]

        /// Creates a window.
        public init(start: Int64, length: Int64, asked: Int?, done: Int, latency: Latency?, outcomes: [Int]) {
            self.start = start
            self.length = length
            self.asked = asked
            self.done = done
            self.latency = latency
            self.outcomes = outcomes
        }
    }

    /// A summary of latencies from the due time [µs].
    public struct Latency: Hashable, Sendable {
        public var median: Double
        public var percentile99: Double
        /// The maximum.
        public var longest: Double

        /// Creates a summary [µs].
        public init(median: Double, percentile99: Double, longest: Double) {
            self.median = median
            self.percentile99 = percentile99
            self.longest = longest
        }
    }

    /// The noun for the items, in the plural: `requests`.
    public var items: String
    /// The participle for an item that is done: `answered`.
    public var done: String
    /// The outcomes, the desired one first, as they appear in a sentence: `accepted`.
    public var outcomes: [String]
    /// The end of the warm-up, since the beginning of the load [µs]; earlier windows are shown but not counted.
    public var measuredFrom: Int64
    /// The windows in order.
    public var windows: [Window]
    /// The p99 of the time from the due time until done [µs], over counted items; nil if there are none.
    public var percentile99: Double?
    /// The end of the time axis, since the beginning of the load [µs], while the load runs; nil for the end of the
    /// windows.
    public var until: Int64?
    /// The highest rate that held [1/s] in a search for it, 0 if none did; nil for any other load.
    public var limit: Double?
    /// `true` while the search goes on; ``limit`` is then the highest rate that has held so far.
    public var isSearching = false
    /// `true` if latencies are measured.
    public var isTimed = true
    /// The faults during the load, since its beginning; empty if there are none.
    public var faults: [FaultSpan] = []
    /// The number of items with each outcome if it exceeds the windows, for example during an unfinished second; nil to
    /// use the windows.
    var counted: [Int]?
    /// The part of the load that the windows cover, such as `the last hour`; nil for all of it.
    public var stretch: String?

    /// Creates a time series.
    public init(
        items: String,
        done: String,
        outcomes: [String],
        measuredFrom: Int64 = 0,
        windows: [Window],
        percentile99: Double?,
        limit: Double? = nil
    ) {
        self.items = items
        self.done = done
        self.outcomes = outcomes
        self.measuredFrom = measuredFrom
        self.windows = windows
        self.percentile99 = percentile99
        self.limit = limit
    }

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
}

extension LoadCourse {
    /// The target rate and the achieved rate, as a sentence without its full stop.
    var rateSentence: String {
        if isSearching, limit == nil { return "No rate has held yet" }
        if isSearching, let limit {
            return "The highest rate that has held so far: \(Format.count(Int64(limit))) \(items) a second"
        }
        if limit == 0 { return "No rate held" }
        if let limit { return "The highest rate that held: \(Format.count(Int64(limit))) \(items) a second" }
        let planned = measured.filter { ($0.asked ?? 0) > 0 }
        if let (asked, done) = LoadCourse.rates(planned) {
            return "Target: \(Format.rate(asked)) \(items) a second; \(self.done) \(Format.rate(done))"
                + (isSteady(planned) ? "" : " on average") + " while it ran"
        }
        guard measured.contains(where: { $0.done > 0 }), let (_, done) = LoadCourse.rates(measured) else {
            return "No \(items) were \(self.done)" + inStretch
        }
        return "\(Format.rate(done)) \(items) a second \(self.done) on average" + inStretch
    }

    private var inStretch: String { stretch.map { " in \($0)" } ?? "" }

    /// The latency, as a sentence without its full stop; nil if nothing is timed.
    var latencySentence: String? {
        guard isTimed else { return nil }
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
