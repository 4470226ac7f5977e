package import Quantities

/// When open-loop load is due: a rate that is constant or changes in straight lines, and so the instant of each
/// arrival.
///
/// Arrival *n*, counted from 0, is due when the integral of the rate reaches *n*: the first one at once, and at 1,000/s
/// each millisecond one more. ``ArrivalTimes`` can take the rate as that of a Poisson process instead. Either way due
/// times depend on nothing that happens during the run, so a server that stalls is charged for all who would have come
/// meanwhile (no coordinated omission).
///
/// Times are nanoseconds since the beginning of the plan: at millions per second, microseconds are too coarse. The same
/// plan gives the same instants on every machine: nothing but sums, quotients and square roots, which IEEE 754 rounds
/// exactly. Each question about an instant or an arrival is O(points).
package struct RatePlan: Hashable, Sendable {
    /// A rate that holds at an instant; between two points it changes in a straight line.
    package struct Point: Hashable, Sendable {
        /// When, since the beginning of the plan.
        package var at: TimeSpan
        /// Arrivals per second.
        package var perSecond: Double

        /// A point.
        package init(at: TimeSpan, perSecond: Double) {
            self.at = at
            self.perSecond = perSecond
        }
    }

    /// From one point to the next.
    private struct Segment: Hashable, Sendable {
        /// When it begins [ns].
        let start: Double
        /// How long it takes [ns]; above zero.
        let length: Double
        /// The rate at its beginning [arrivals/ns].
        let rate: Double
        /// What the rate grows by [arrivals/ns²].
        let growth: Double
        /// Arrivals due before it, fractions included.
        let before: Double

        /// Arrivals due at an offset into it, fractions included, counted from the beginning of the plan.
        func integral(at offset: Double) -> Double { before + offset * (rate + growth * offset / 2) }

        /// When the integral reaches a number [ns since the beginning of the plan].
        func instant(of number: Double) -> Double {
            let sought = number - before
            guard sought > 0 else { return start }
            // The form of the quadratic's solution that loses no digits where the growth is small, or none.
            let root = max(0, rate * rate + 2 * growth * sought).squareRoot()
            return start + 2 * sought / (rate + root)
        }
    }

    /// How long the plan takes.
    package let duration: TimeSpan
    private let segments: [Segment]
    /// How many arrivals there are in all.
    package let total: Int
    /// The integral of the rate over the whole plan: ``total`` with its fraction.
    package let expected: Double

    /// The highest rate that a plan may state [1/s].
    package static let highestRate = 1e9

    /// A plan through some points, the first of which lies at the beginning.
    ///
    /// Two points at the same time are a jump. The plan ends at the last point; what would be due just then no more is.
    ///
    /// - Throws: ``RatePlanError`` for fewer than two points, a first one that is late, times that fall, or a rate
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
                // The trapezium, not the integral: no rounding of the growth in it.
                before += length * (last.perSecond + point.perSecond) / 2e9
            }
            last = point
        }
        duration = last?.at ?? .zero
        self.segments = segments
        total = Int(before.rounded(.up))
        expected = before
    }

    /// The same rate all the time.
    package static func constant(perSecond: Double, for duration: TimeSpan) throws(RatePlanError) -> RatePlan {
        try RatePlan(points: [Point(at: .zero, perSecond: perSecond), Point(at: duration, perSecond: perSecond)])
    }

    /// A rate that rises from one to another in a straight line and then stays.
    ///
    /// - Parameters:
    ///   - ramp: How long it rises; may be zero.
    ///   - duration: How long the plan takes in all, not less than `ramp`.
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

    /// The rate at an instant [1/s]; at a jump the later one, after the end 0.
    package func rate(at time: TimeSpan) -> Double {
        let offset = Double(time.microseconds) * 1000
        guard let segment = segments.last(where: { $0.start <= offset }), offset < segment.start + segment.length
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
    /// - Parameter speed: How many arrivals the server takes per second.
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

    /// When an arrival is due [ns since the beginning of the plan]; never falls with its number.
    ///
    /// - Precondition: `number` is within 0..<``total``.
    package func due(_ number: Int) -> Int64 { instant(reaching: Double(number)) }

    /// When the integral of the rate reaches a number [ns since the beginning of the plan]; its end for one that it
    /// never reaches.
    func instant(reaching number: Double) -> Int64 {
        for segment in segments.dropLast() {
            let end = segment.start + segment.length
            if number < segment.integral(at: segment.length) {
                return Int64(min(end, segment.instant(of: number)).rounded(.up))
            }
        }
        guard let last = segments.last else { return 0 }
        return Int64(min(last.start + last.length, last.instant(of: number)).rounded(.up))
    }

    /// How many arrivals are due at a time [ns since the beginning of the plan] or before.
    package func dueCount(at nanoseconds: Int64) -> Int {
        guard nanoseconds >= 0 else { return 0 }
        let time = Double(nanoseconds)
        guard let segment = segments.last(where: { $0.start <= time }) else { return 0 }
        let integral = segment.integral(at: min(time - segment.start, segment.length))
        var count = min(total, Int(integral) + 1)
        // Rounding may have put it one off.
        while count < total, due(count) <= nanoseconds { count += 1 }
        while count > 0, due(count - 1) > nanoseconds { count -= 1 }
        return count
    }
}

/// What is wrong with a plan of load, in the words of its description.
package enum RatePlanError: Error, Hashable, Sendable, CustomStringConvertible {
    case tooFewPoints(got: Int)
    case rateOutOfRange(index: Int, got: Double)
    case timeOutOfOrder(index: Int, got: TimeSpan)

    /// What, got, allowed.
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
