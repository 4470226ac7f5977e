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
        /// The number of items with each outcome, in the order of ``LoadCourse/outcomes``; see
        /// ``LoadCourse/countsByDueTime``.
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
    /// The requests without an answer if the p99 over all requests falls among them, with its lower bound.
    package var unanswered: Unanswered?
    /// The end of the time axis, since the beginning of the load [µs], while the load runs; nil for the end of the
    /// windows.
    public var until: Int64?
    /// `true` if latencies are measured.
    public var isTimed = true
    /// `true` if an outcome counts in the window in which its item was due, `false` if in the window in which it became
    /// known.
    public var countsByDueTime = false
    /// The faults during the load, since its beginning; empty if there are none.
    public var faults: [FaultSpan] = []
    /// The number of items with each outcome if it exceeds the windows, for example during an unfinished second; nil to
    /// use the windows.
    package var counted: [Int]?
    /// The part of the load that the windows cover, such as `the last hour`; nil for all of it.
    public var stretch: String?

    /// Creates a time series.
    public init(
        items: String,
        done: String,
        outcomes: [String],
        measuredFrom: Int64 = 0,
        windows: [Window],
        percentile99: Double?
    ) {
        self.items = items
        self.done = done
        self.outcomes = outcomes
        self.measuredFrom = measuredFrom
        self.windows = windows
        self.percentile99 = percentile99
    }
}
