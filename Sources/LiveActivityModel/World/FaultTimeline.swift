import Quantities

/// The faults of a scenario, by kind, as stretches of time.
struct FaultTimeline: Sendable {
    /// One stretch.
    struct Stretch: Sendable {
        let from: Instant
        /// The first instant after it.
        let until: Instant
        let share: Probability
        let factorThousandths: Int64
        /// The place in the scenario's list, which keys the draws of who is hit.
        let number: UInt32

        func covers(_ instant: Instant) -> Bool { from <= instant && instant < until }
    }

    let apnsSilent: [Stretch]
    let apnsUnavailable: [Stretch]
    let apnsSlow: [Stretch]
    let connectionLost: [Stretch]
    let senderPaused: [Stretch]
    let monitorPaused: [Stretch]
    let contentDown: [Stretch]
    let tokenPostDown: [Stretch]
    let devicesOffline: [Stretch]

    init(_ faults: [Scenario.Fault]) {
        func stretches(of kind: Scenario.Fault.Kind) -> [Stretch] {
            faults.enumerated().filter { $0.element.kind == kind }
                .map { number, fault in
                    Stretch(
                        from: .start + fault.at,
                        until: .start + fault.at + fault.duration,
                        share: fault.share,
                        factorThousandths: Int64((fault.factor * 1000).rounded()),
                        number: UInt32(number)
                    )
                }
        }
        apnsSilent = stretches(of: .apnsSilent)
        apnsUnavailable = stretches(of: .apnsUnavailable)
        apnsSlow = stretches(of: .apnsSlow)
        connectionLost = stretches(of: .connectionLost)
        senderPaused = stretches(of: .senderPaused)
        monitorPaused = stretches(of: .monitorPaused)
        contentDown = stretches(of: .contentDown)
        tokenPostDown = stretches(of: .tokenPostDown)
        devicesOffline = stretches(of: .devicesOffline)
    }

    /// Whether any of the stretches covers an instant.
    static func any(_ stretches: [Stretch], cover instant: Instant) -> Bool {
        stretches.contains { $0.covers(instant) }
    }

    /// The first instant, not before the given one, that no stretch covers.
    static func firstUncovered(by stretches: [Stretch], notBefore instant: Instant) -> Instant {
        var candidate = instant
        while let covering = stretches.first(where: { $0.covers(candidate) }) {
            candidate = covering.until
        }
        return candidate
    }

    /// A span as the slowness at an instant stretches it.
    func slowed(_ span: TimeSpan, at instant: Instant) -> TimeSpan {
        var microseconds = span.microseconds
        for stretch in apnsSlow where stretch.covers(instant) {
            let (product, overflow) = microseconds.multipliedReportingOverflow(by: stretch.factorThousandths)
            microseconds = overflow ? TimeSpan.longest.microseconds : product / 1000
        }
        return min(TimeSpan(microseconds: microseconds), .longest)
    }
}
