import Foundation

extension LogDigest {
    /// The length of a bin of a recorded log [µs].
    static let usualBinLength: Int64 = 5_000_000

    /// One bin of the time series, or the sum of several.
    public struct Bin: Hashable, Sendable {
        /// Rides requested.
        public var requests = 0
        /// Activities that apps started.
        public var starts = 0
        /// First tokens of activities.
        public var tokens = 0
        /// Requests to APNs that began.
        public var pushes = 0
        /// Requests for the monitor's attempts.
        public var retries = 0
        /// Rides that were over while the server watched their activity, and first ends of activities after their rides; both without
        /// activities that an end during the ride had given up.
        public var endings = 0
        public var firstEnds = 0
        /// Ends of activities that apps reported, during rides and after.
        public var reports = 0
        /// Requests that end activities.
        public var ends = 0
        /// Updates, by the time of their first request.
        public var updates = 0
        /// Updates, by the time of their content.
        public var contents = 0
        /// Requests that began here and were accepted, and those of them whose latency is known.
        public var accepted = 0
        public var timed = 0
        /// Requests that began here and were rejected, although the same request may be accepted later.
        public var unavailable = 0
        /// Requests that began here and were rejected for any other reason.
        public var rejected = 0
        /// Requests that began here and were never answered.
        public var unanswered = 0
        /// The sum of the logarithms of the known latencies of accepted requests [2⁻²⁰ ln µs].
        public var scaledLogLatency = 0
        /// The sum of the waits of updates from their content to their first request [µs], and their number.
        public var wait = 0
        public var waits = 0
        /// The time in which instances were watched [µs].
        public var watched = 0
        /// The time of it in which the server believed them fresh [µs].
        public var fresh = 0
        /// Activities that apps reported as ended during the ride.
        public var reportedEnds = 0

        /// Creates an empty bin.
        public init() {}

        /// The sum of the logarithms of the known latencies of accepted requests [ln µs].
        public var logLatency: Double { Double(scaledLogLatency) / Self.scale }
        /// The requests that began here and that APNs answered.
        var answered: Int { accepted + rejected + unavailable }
        /// The unit of ``scaledLogLatency``: sums of whole numbers do not depend on their order.
        static let scale = 1_048_576.0

        /// Adds another bin.
        public static func += (left: inout Bin, right: Bin) {
            left.requests += right.requests
            left.starts += right.starts
            left.tokens += right.tokens
            left.pushes += right.pushes
            left.retries += right.retries
            left.endings += right.endings
            left.firstEnds += right.firstEnds
            left.reports += right.reports
            left.ends += right.ends
            left.updates += right.updates
            left.contents += right.contents
            left.accepted += right.accepted
            left.timed += right.timed
            left.unavailable += right.unavailable
            left.rejected += right.rejected
            left.unanswered += right.unanswered
            left.scaledLogLatency += right.scaledLogLatency
            left.wait += right.wait
            left.waits += right.waits
            left.watched += right.watched
            left.fresh += right.fresh
            left.reportedEnds += right.reportedEnds
        }
    }

    /// The time that intervals cover in each bin: an interval costs the same, however long it is.
    struct Occupancy: Sendable {
        /// The length of a bin [µs].
        private let binLength: Int64
        /// The time covered in part of the bin [µs].
        private var partial: [Int64] = []
        /// The change in the number of intervals that cover the whole bin.
        private var changes: [Int32] = []

        init(binLength: Int64) { self.binLength = binLength }

        /// Adds an interval between two times since the origin, the first not negative.
        mutating func add(_ from: Int64, _ to: Int64) {
            let to = min(to, Int64(LogDigest.mostBins) * binLength)
            guard from < to else { return }
            let (first, last) = (Int(from / binLength), Int(to / binLength))
            if partial.count <= last {
                let missing = last + 1 - partial.count
                partial.append(contentsOf: repeatElement(0, count: missing))
                changes.append(contentsOf: repeatElement(0, count: missing))
            }
            guard first < last else {
                partial[first] += to - from
                return
            }
            partial[first] += Int64(first + 1) * binLength - from
            partial[last] += to - Int64(last) * binLength
            changes[first + 1] += 1
            changes[last] -= 1
        }

        /// The covered time of each bin [µs].
        var times: [Int64] {
            var whole: Int64 = 0
            return partial.indices.map { index in
                whole += Int64(changes[index])
                return partial[index] + whole * binLength
            }
        }
    }

    /// The time in each bin for which updates of rides in a stage were due [µs], with the index of the stage.
    ///
    /// They are due while the ride has a token, until an end during the ride gives the activity up.
    public var exposure: [(stage: Int, times: [Int64])] {
        watched.indices.dropFirst()
            .map { stage in
                var times = watched[stage].times
                for (bin, time) in closing[stage].times.enumerated() { times[bin] -= time }
                return (stage - 1, times)
            }
    }

    /// The largest number of bins: two months of a recorded log.
    static let mostBins = 1_100_000

    func index(_ at: Int64) -> Int { max(0, Int((at - origin) / binLength)) }

    @inline(__always)
    mutating func bin(_ at: Int64, _ change: (inout Bin) -> Void) {
        let index = index(at)
        guard index < Self.mostBins else { return }
        if bins.count <= index { bins.append(contentsOf: repeatElement(Bin(), count: index + 1 - bins.count)) }
        change(&bins[index])
    }

    /// Adds the times in which instances were watched and believed fresh to the bins.
    mutating func addTimes() {
        let all = watched.map(\.times) + [fresh.times]
        let count = all.map(\.count).max() ?? 0
        if bins.count < count { bins.append(contentsOf: repeatElement(Bin(), count: count - bins.count)) }
        for times in all.dropLast() { for (index, time) in times.enumerated() { bins[index].watched += Int(time) } }
        for (index, time) in (all.last ?? []).enumerated() { bins[index].fresh += Int(time) }
    }
}
