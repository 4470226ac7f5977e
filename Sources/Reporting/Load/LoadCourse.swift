/// How a load went, window by window: what its charts show.
public struct LoadCourse: Hashable, Sendable {
    /// A stretch of the load.
    public struct Window: Hashable, Sendable {
        /// When it began, since the beginning of the load [µs].
        public var start: Int64
        /// How long it was [µs].
        public var length: Int64
        /// How many were due in it by the plan; nil where there is no plan, as in a closed loop.
        public var asked: Int?
        /// How many were done in it, whenever they were due.
        public var done: Int
        /// The latencies of this window [µs]; nil where nothing was measured.
        public var latency: Latency?
        /// How many ended in which way in it, in the order of ``LoadCourse/outcomes``.
        public var outcomes: [Int]

        /// A window.
        public init(start: Int64, length: Int64, asked: Int?, done: Int, latency: Latency?, outcomes: [Int]) {
            self.start = start
            self.length = length
            self.asked = asked
            self.done = done
            self.latency = latency
            self.outcomes = outcomes
        }
    }

    /// Latencies from the due time, in a few numbers [µs].
    public struct Latency: Hashable, Sendable {
        /// Half were not longer.
        public var median: Double
        /// 99 in a hundred were not longer.
        public var percentile99: Double
        /// The longest.
        public var longest: Double

        /// Latencies [µs].
        public init(median: Double, percentile99: Double, longest: Double) {
            self.median = median
            self.percentile99 = percentile99
            self.longest = longest
        }
    }

    /// What came, in the plural: `requests`.
    public var items: String
    /// What was to be done to each: `answered`.
    public var done: String
    /// In which ways they ended; first the one that was hoped for, as it stands in a sentence: `accepted`.
    public var outcomes: [String]
    /// What happened before this, since the beginning of the load [µs], is shown but does not count.
    public var measuredFrom: Int64
    /// The windows in order.
    public var windows: [Window]
    /// 99 in a hundred of those that count and were done took no longer from when they were due [µs]; nil where none was.
    public var percentile99: Double?
    /// Where the time axis ends, since the beginning of the load [µs], while the load is under way; nil: where the windows do.
    public var until: Int64?
    /// The highest rate that held [1/s], where the load was a search for it, 0 where none did; nil for any other load.
    public var limit: Double?
    /// Whether it is still searched for; ``limit`` is then the highest that has held so far.
    public var isSearching = false
    /// Whether latencies are measured at all.
    public var isTimed = true
    /// What was broken meanwhile, since the beginning of the load; empty where the load breaks nothing.
    public var faults: [FaultSpan] = []
    /// How many ended in each way where more is counted than the windows show, as of a second under way; nil: as in these.
    var counted: [Int]?
    /// What of the whole the windows are of, as `the last hour`; nil where they are of all.
    public var stretch: String?

    /// A course.
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

    /// The same course in no more windows than this: neighbours put together, of their latencies the worst.
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
    /// What was asked for and what was done, as a sentence without its full stop.
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

    /// How long it took, as a sentence without its full stop; nil where nothing is timed.
    var latencySentence: String? {
        guard isTimed else { return nil }
        guard let percentile99 else { return "No latency: no \(items) were \(done)" }
        return "99 % of \(done) \(items) took at most \(Format.span(percentile99)) from when they were due"
    }

    /// What became of all, as a sentence without its full stop.
    var outcomeSentence: String {
        let totals = totals
        let all = totals.reduce(0, +)
        guard all > 0, let hopedFor = totals.first else { return "What became of \(items): there were none" }
        if hopedFor == all { return "All \(Format.count(Int64(all))) \(items) \(outcomes[0])" + inStretch }
        let rest = totals.indices.dropFirst().max { (totals[$0], $1) < (totals[$1], $0) } ?? 0
        return
            "\(Format.percent(Int64(hopedFor), of: Int64(all))) \(outcomes[0])\(inStretch); else mostly \(outcomes[rest])"
    }

    /// That not all came to what was hoped for, as a sentence without its full stop; nil where all did, or there were none.
    var shortfallSentence: String? {
        let totals = totals
        let all = totals.reduce(0, +)
        return all > 0 && totals.first != all ? outcomeSentence : nil
    }

    /// How many ended in each way, of those that count.
    var totals: [Int] { counted ?? totals(of: measured) }

    func totals(of windows: [Window]) -> [Int] {
        windows.reduce(into: outcomes.map { _ in 0 }) { totals, window in
            for (index, count) in window.outcomes.enumerated() { totals[index] += count }
        }
    }

    /// Whether as many a second were asked for all the time, within the one that falls on this or that side of a second.
    private func isSteady(_ windows: [Window]) -> Bool {
        let rates = windows.map { Double($0.asked ?? 0) * 1e6 / Double(max(1, $0.length)) }
        guard let low = rates.min(), let high = rates.max() else { return true }
        return high - low <= 2 + high / 100
    }

    /// What was asked for and done in some windows [1/s]; nil when they have no length.
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
    /// Puts the window after this one to it.
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
