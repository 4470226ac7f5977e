import Quantities

/// The faults of a scenario by kind, as periods of time.
///
/// A class, like ``World``, so that it is shared and not copied.
final class FaultTimeline: Sendable {
    /// One period.
    struct Period: Sendable {
        let from: Instant
        /// The first instant after it.
        let until: Instant
        let share: Probability
        let factorThousandths: Int64
        /// The index in the scenario's list, which keys the draws for the affected entities.
        let number: UInt32

        func covers(_ instant: Instant) -> Bool { from <= instant && instant < until }
    }

    let apnsSilent: [Period]
    let apnsUnavailable: [Period]
    let apnsSlow: [Period]
    /// The speed of APNs' servers; see ``endOfService(of:from:)``.
    private let speeds: [Speed]
    /// The intervals of all faults.
    private let stretches: [Range<Instant>]
    let connectionLost: [Period]
    let senderPaused: [Period]
    let monitorPaused: [Period]
    let contentDown: [Period]
    let contentSlow: [Period]
    let tokenPostDown: [Period]
    let devicesOffline: [Period]

    init(_ faults: [Scenario.Fault]) {
        func periods(of kind: Scenario.Fault.Kind) -> [Period] {
            faults.enumerated().filter { $0.element.kind == kind }
                .map { number, fault in
                    Period(
                        from: .start + fault.at,
                        until: .start + fault.at + fault.duration,
                        share: fault.share,
                        factorThousandths: Int64((fault.factor * 1000).rounded()),
                        number: UInt32(number)
                    )
                }
        }
        stretches = faults.map { .start + $0.at ..< .start + $0.at + $0.duration }
        apnsSilent = periods(of: .apnsSilent)
        apnsUnavailable = periods(of: .apnsUnavailable)
        apnsSlow = periods(of: .apnsSlow)
        speeds = Speed.course(periods(of: .apnsCapacity))
        connectionLost = periods(of: .connectionLost)
        senderPaused = periods(of: .senderPaused)
        monitorPaused = periods(of: .monitorPaused)
        contentDown = periods(of: .contentDown)
        contentSlow = periods(of: .contentSlow)
        tokenPostDown = periods(of: .tokenPostDown)
        devicesOffline = periods(of: .devicesOffline)
    }

    /// The absence of any active fault at an instant, and the first later instant at which a fault begins or ends.
    func faultFree(at instant: Instant) -> (isFaultFree: Bool, until: Instant) {
        let borders = stretches.flatMap { [$0.lowerBound, $0.upperBound] }.filter { instant < $0 }
        return (!stretches.contains { $0.contains(instant) }, borders.min() ?? .never)
    }

    /// Returns `true` if any of the periods covers an instant.
    @inline(__always)
    static func any(_ periods: [Period], cover instant: Instant) -> Bool {
        !periods.isEmpty && periods.contains { $0.covers(instant) }
    }

    /// The first instant, not before the given one, that no period covers.
    @inline(__always)
    static func firstUncovered(by periods: [Period], notBefore instant: Instant) -> Instant {
        guard !periods.isEmpty else { return instant }
        var candidate = instant
        while let covering = periods.first(where: { $0.covers(candidate) }) {
            candidate = covering.until
        }
        return candidate
    }

    /// The end of work that begins at an instant, delayed by the faults in the capacity of APNs.
    ///
    /// - Parameters:
    ///   - work: The duration at full speed.
    ///   - start: Not before the start of the run.
    /// - Returns: The first whole microsecond at which the work is complete.
    func endOfService(of work: TimeSpan, from start: Instant) -> Instant {
        // In thousandths of a microsecond at full speed, which is exact for all speeds.
        var left = work.microseconds * 1000
        var now = start
        for speed in speeds where now < speed.until {
            let done = (speed.until - now).microseconds * speed.thousandths
            guard done < left else { return now + speed.span(of: left) }
            left -= done
            now = speed.until
        }
        return now + Speed.full.span(of: left)
    }

    /// A span, extended by the faults that cover an instant.
    @inline(__always)
    static func slowed(_ span: TimeSpan, by periods: [Period], at instant: Instant) -> TimeSpan {
        periods.isEmpty ? span : stretched(span, by: periods, at: instant)
    }

    private static func stretched(_ span: TimeSpan, by periods: [Period], at instant: Instant) -> TimeSpan {
        var microseconds = span.microseconds
        for period in periods where period.covers(instant) {
            let (product, overflow) = microseconds.multipliedReportingOverflow(by: period.factorThousandths)
            microseconds = overflow ? TimeSpan.longest.microseconds : product / 1000
        }
        return min(TimeSpan(microseconds: microseconds), .longest)
    }
}

extension FaultTimeline {
    /// A period of time with a constant speed of APNs' servers.
    private struct Speed: Sendable {
        /// The first instant after it; the previous period ends where this one begins.
        let until: Instant
        /// The fraction of the full speed.
        let thousandths: Int64

        /// The speeds from the start of the run to the end of the last fault; the factors of overlapping faults multiply.
        static func course(_ faults: [Period]) -> [Speed] {
            let borders = (faults.map(\.from) + faults.map(\.until)).sorted()
            return zip([.start] + borders, borders).filter { $0 < $1 }
                .map { from, until in
                    let covering = faults.filter { $0.covers(from) }
                    return Speed(until: until, thousandths: covering.reduce(1000) { $0 * $1.factorThousandths / 1000 })
                }
        }

        /// The speed without faults.
        static var full: Speed { Speed(until: .never, thousandths: 1000) }

        /// The duration of some work, rounded up to a microsecond; the work is in thousandths of a microsecond at full
        /// speed.
        func span(of work: Int64) -> TimeSpan {
            TimeSpan(microseconds: work == 0 ? 0 : (work + thousandths - 1) / thousandths)
        }
    }
}
