package import Quantities

/// The due times of an open-loop load, from a rate that is constant or changes in straight lines.
///
/// Arrival *n*, counted from 0, is due when the integral of the rate reaches *n*: the first one at once, and at 1,000/s one
/// more each millisecond. ``ArrivalTimes`` can take the rate as that of a Poisson process instead. Due times do not depend on
/// anything that happens during the run, so the requests that become due while a server stalls count with their full latency
/// (no coordinated omission).
///
/// Times are nanoseconds since the beginning of the plan, because microseconds are too coarse for millions per second. The
/// same plan gives the same instants on every machine, because it uses only sums, quotients and square roots, which IEEE 754
/// rounds exactly. Each query for an instant or an arrival is O(log points).
package struct RatePlan: Hashable, Sendable {
    /// The rate at an instant; between two points it changes in a straight line.
    package struct Point: Hashable, Sendable {
        /// The instant, since the beginning of the plan.
        package var at: TimeSpan
        /// Arrivals per second.
        package var perSecond: Double

        /// A point.
        package init(at: TimeSpan, perSecond: Double) {
            self.at = at
            self.perSecond = perSecond
        }
    }

    /// The part of the plan between two points.
    private struct Segment: Hashable, Sendable {
        /// Its beginning [ns].
        let start: Double
        /// Its length [ns]; above zero.
        let length: Double
        /// The rate at its beginning [arrivals/ns].
        let rate: Double
        /// The growth of the rate [arrivals/ns²].
        let growth: Double
        /// The integral of the rate before it [arrivals].
        let before: Double

        /// The integral of the rate up to an offset into the segment, from the beginning of the plan [arrivals].
        func integral(at offset: Double) -> Double { before + offset * (rate + growth * offset / 2) }

        /// The instant at which the integral reaches a number [ns since the beginning of the plan].
        func instant(of number: Double) -> Double {
            let sought = number - before
            guard sought > 0 else { return start }
            // This form of the quadratic's solution loses no digits if the growth is small or zero.
            let root = max(0, rate * rate + 2 * growth * sought).squareRoot()
            return start + 2 * sought / (rate + root)
        }
    }

    /// The length of the plan.
    package let duration: TimeSpan
    private let segments: [Segment]
    /// The number of arrivals.
    package let total: Int
    /// The integral of the rate over the whole plan, which is ``total`` before rounding.
    package let expected: Double

    /// The highest allowed rate [1/s].
    package static let highestRate = 1e9

    /// A plan through points that begin at zero.
    ///
    /// Two points at the same time are a jump. The plan ends before its last point: an arrival at that instant is left out.
    ///
    /// - Throws: ``RatePlanError`` for fewer than two points, a first point after zero, times that decrease, or a rate
    ///   outside 0...``highestRate``.
    package init(points: [Point]) throws(RatePlanError) {
        guard points.count >= 2 else { throw .tooFewPoints(got: points.count) }
        var segments: [Segment] = []
        var before = 0.0
        var last: Point?
        for (index, point) in points.enumerated() {
            guard point.perSecond >= 0, point.perSecond <= RatePlan.highestRate else {
                throw .rateOutOfRange(index: index, got: point.perSecond)
            }
            guard point.at >= (last?.at ?? .zero), index > 0 || point.at == .zero, point.at <= .longest else {
                throw .timeOutOfOrder(index: index, got: point.at)
            }
            if let last, point.at > last.at {
                let length = Double((point.at - last.at).microseconds) * 1000
                let segment = Segment(
                    start: Double(last.at.microseconds) * 1000,
                    length: length,
                    rate: last.perSecond / 1e9,
                    growth: (point.perSecond - last.perSecond) / 1e9 / length,
                    before: before
                )
                segments.append(segment)
                // The area of the trapezium, which is free of the growth's rounding error.
                before += length * (last.perSecond + point.perSecond) / 2e9
            }
            last = point
        }
        duration = last?.at ?? .zero
        self.segments = segments
        total = Int(before.rounded(.up))
        expected = before
    }

    /// A plan with a number of arrivals in each step of time, evenly spaced within the step.
    ///
    /// - Parameters:
    ///   - counts: The numbers by step; further steps have none.
    ///   - duration: The length of the plan, above zero; it ends within the last step or later.
    package init(counts: [Int], step: TimeSpan, for duration: TimeSpan) {
        let end = Double(duration.microseconds) * 1000
        let length = Double(step.microseconds) * 1000
        var segments: [Segment] = []
        var (index, before) = (0, 0)
        while Double(index) * length < end {
            // Steps with equal numbers are one segment, such as those of a pause.
            let count = index < counts.count ? counts[index] : 0
            var next = index + 1
            while next < counts.count, counts[next] == count, Double(next + 1) * length <= end { next += 1 }
            let start = Double(index) * length
            let stop = next >= counts.count && count == 0 ? end : min(end, Double(next) * length)
            let total = count * (next - index)
            segments.append(
                Segment(
                    start: start,
                    length: stop - start,
                    rate: Double(total) / (stop - start),
                    growth: 0,
                    before: Double(before)
                )
            )
            before += total
            if stop == end { break }
            index = next
        }
        self.duration = duration
        self.segments = segments
        total = before
        expected = Double(before)
    }

    /// A plan with a constant rate.
    package static func constant(perSecond: Double, for duration: TimeSpan) throws(RatePlanError) -> RatePlan {
        try RatePlan(points: [Point(at: .zero, perSecond: perSecond), Point(at: duration, perSecond: perSecond)])
    }

    /// A plan with a rate that rises in a straight line and then stays.
    ///
    /// - Parameters:
    ///   - ramp: The length of the rise; may be zero.
    ///   - duration: The length of the plan, at least `ramp`.
    package static func ramp(
        from low: Double,
        to high: Double,
        over ramp: TimeSpan,
        for duration: TimeSpan
    ) throws(RatePlanError) -> RatePlan {
        try RatePlan(points: [
            Point(at: .zero, perSecond: low), Point(at: ramp, perSecond: high), Point(at: duration, perSecond: high),
        ])
    }

    /// The rate at an instant [1/s]; at a jump the rate after it, after the end 0.
    package func rate(at time: TimeSpan) -> Double {
        let offset = Double(time.microseconds) * 1000
        guard let segment = segment(at: offset), offset < segment.start + segment.length
        else {
            return 0
        }
        return (segment.rate + segment.growth * (offset - segment.start)) * 1e9
    }

    /// The highest rate of the plan [1/s].
    package var peakRate: Double {
        segments.map { max($0.rate, $0.rate + $0.growth * $0.length) * 1e9 }.max() ?? 0
    }

    /// The longest queue that arrivals make at a server of constant speed, fractions of arrivals included.
    ///
    /// - Parameter speed: The number of arrivals that the server takes per second.
    /// - Complexity: O(points of the plan).
    package func longestBacklog(servedPerSecond speed: Double) -> Double {
        let served = speed / 1e9
        var (backlog, longest) = (0.0, 0.0)
        for segment in segments {
            // The queue turns where the rate crosses the speed: between such instants it only grows or only shrinks.
            let crossing = segment.growth == 0 ? 0 : (served - segment.rate) / segment.growth
            let turns = [0, min(max(0, crossing), segment.length), segment.length]
            for (start, end) in zip(turns, turns.dropFirst()) {
                let arrived = segment.integral(at: end) - segment.integral(at: start)
                backlog = max(0, backlog + arrived - served * (end - start))
                longest = max(longest, backlog)
            }
        }
        return longest
    }

    /// The due time of an arrival [ns since the beginning of the plan]; it never decreases with the number.
    ///
    /// - Precondition: `number` is within 0..<``total``.
    package func due(_ number: Int) -> Int64 { instant(reaching: Double(number)) }

    /// The instant at which the integral of the rate reaches a number [ns since the beginning of the plan].
    ///
    /// It is the end of the plan for a number that the integral never reaches.
    func instant(reaching number: Double) -> Int64 {
        guard !segments.isEmpty else { return 0 }
        let earlier = segments.dropLast().prefixCount { number >= $0.integral(at: $0.length) }
        let segment = segments[earlier]
        return Int64(min(segment.start + segment.length, segment.instant(of: number)).rounded(.up))
    }

    /// The last segment that begins at a time [ns since the beginning of the plan] or before; nil before the beginning.
    private func segment(at time: Double) -> Segment? {
        let count = segments[...].prefixCount { $0.start <= time }
        return count > 0 ? segments[count - 1] : nil
    }

    /// The number of arrivals due at a time [ns since the beginning of the plan] or before.
    package func dueCount(at nanoseconds: Int64) -> Int {
        guard nanoseconds >= 0 else { return 0 }
        let time = Double(nanoseconds)
        guard let segment = segment(at: time) else { return 0 }
        let integral = segment.integral(at: min(time - segment.start, segment.length))
        var count = min(total, Int(integral) + 1)
        // Rounding may have made it wrong by one.
        while count < total, due(count) <= nanoseconds { count += 1 }
        while count > 0, due(count - 1) > nanoseconds { count -= 1 }
        return count
    }
}

/// The reason why points do not make a plan.
package enum RatePlanError: Error, Hashable, Sendable, CustomStringConvertible {
    case tooFewPoints(got: Int)
    case rateOutOfRange(index: Int, got: Double)
    case timeOutOfOrder(index: Int, got: TimeSpan)

    /// The rule that is broken and the value that was given.
    package var description: String {
        switch self {
        case .tooFewPoints(let got):
            "a rate profile needs at least 2 points, got \(got)"
        case .rateOutOfRange(let index, let got):
            "the rate of point \(index + 1) must be within 0...\(Int(RatePlan.highestRate))/s, got \(got)/s"
        case .timeOutOfOrder(let index, let got):
            "point \(index + 1) must "
                + (index == 0 ? "be at 0 s" : "not be before its predecessor, nor after 3650 days")
                + ", got \(got.microseconds) µs"
        }
    }
}

extension ArraySlice {
    /// The number of elements before the first for which a condition does not hold; it holds for no later one either.
    fileprivate func prefixCount(while holds: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if holds(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low - startIndex
    }
}
