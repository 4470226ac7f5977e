/// The delays between the creation of an event of the hold model and its time.
///
/// The first events are drawn from the steady state, with residual delays instead of whole ones, so that a measurement
/// need not wait for the mix to settle.
public enum DelayProfile: String, CaseIterable, Sendable {
    /// Exponential with a mean of 20 s.
    case exponential
    /// Typical of a product with deadlines: 40% exponential with a mean of 0.5 s, 40% of 20 s, 15% of 60 s, 5% exactly
    /// 15 min.
    case mixed
    /// Exactly 20 s.
    case constant
    /// None: all events stay at one instant.
    case oneInstant = "one-instant"
    /// Exactly 20 s, with all events at the same instant each time.
    case inStep = "in-step"
    /// Each shorter than the previous one, round by round, so that each event goes before all others of its round.
    case falling
    /// Exponential with a mean of 20 s; one in 1,000 is 20,000 s longer.
    case far
}

extension DelayProfile {
    /// One of several delays: an exponential part and a constant one.
    @frozen
    public struct Delay: Hashable, Sendable {
        /// The mean of the exponential part [µs], below 2^32.
        public let mean: UInt64
        /// The constant part [µs].
        public var constant: UInt64 = 0
    }

    /// The difference between neighbouring instants when delays fall [µs]; 0 for any other profile.
    ///
    /// Of the same density as the exponential profile with the same number of pending events.
    public func fallingGap(pending: Int) -> UInt64 {
        self == .falling ? max(1, 20_000_000 / UInt64(pending)) : 0
    }

    /// The delays, each chosen with the same probability.
    public var delays: [Delay] {
        let usual = Delay(mean: 20_000_000)
        return switch self {
        case .exponential: [usual]
        case .mixed:
            [Delay](repeating: Delay(mean: 500_000), count: 8) + [Delay](repeating: usual, count: 8)
                + [Delay](repeating: Delay(mean: 60_000_000), count: 3) + [Delay(mean: 0, constant: 900_000_000)]
        case .constant, .inStep: [Delay(mean: 0, constant: 20_000_000)]
        case .oneInstant, .falling: [Delay(mean: 0)]
        case .far:
            [Delay](repeating: usual, count: 999) + [Delay(mean: 20_000_000, constant: 20_000_000_000)]
        }
    }

    /// A share of the events that are pending at any moment: the residual of their delay is exponential or uniform.
    public struct Residual: Hashable, Sendable {
        /// The weight, relative to the sum of all weights.
        public let weight: UInt64
        /// The mean of an exponential residual [µs].
        public var mean: UInt64 = 0
        /// The maximum of a uniform residual [µs], below 2^35.
        public var longest: UInt64 = 0
    }

    /// The residual delays of a pending event; weights are shares times mean delays.
    public var residuals: [Residual] {
        switch self {
        case .exponential: [Residual(weight: 1, mean: 20_000_000)]
        case .mixed:
            [
                Residual(weight: 2, mean: 500_000), Residual(weight: 80, mean: 20_000_000),
                Residual(weight: 90, mean: 60_000_000), Residual(weight: 450, longest: 900_000_000),
            ]
        case .constant: [Residual(weight: 1, longest: 20_000_000)]
        case .oneInstant, .inStep, .falling: [Residual(weight: 1)]
        case .far:
            // The exponential part of a far delay is a thousandth of it, and is omitted here.
            [Residual(weight: 999, mean: 20_000_000), Residual(weight: 1000, longest: 20_000_000_000)]
        }
    }
}
