import LiveActivityModel
import Quantities
import SimulationKernel

/// The draws of one generated scenario, one after the other; the same for a seed in any version of Swift.
struct SwarmDraws {
    private let source: RandomSource
    private var taken: UInt32 = 0

    init(seed: UInt64) {
        source = RandomSource(seed: seed, replication: 0)
    }

    /// The next 64 bits.
    mutating func next() -> UInt64 {
        defer { taken += 1 }
        return source.draw(entity: 0, purpose: 0, index: taken)
    }

    /// A whole number within bounds.
    mutating func number(_ range: ClosedRange<Int64>) -> Int64 {
        range.lowerBound + Int64(UInt64(range.upperBound - range.lowerBound + 1).multipliedFullWidth(by: next()).high)
    }

    /// A whole number within bounds.
    mutating func count(_ range: ClosedRange<Int>) -> Int {
        Int(number(Int64(range.lowerBound)...Int64(range.upperBound)))
    }

    /// Whether a feature is in the scenario: a fair coin.
    mutating func coin() -> Bool { next() >> 63 == 1 }

    /// One of some values.
    mutating func one<Element>(of elements: [Element]) -> Element {
        elements[count(0...elements.count - 1)]
    }

    /// A share: none, some hundredths, or seldom all, which would leave little to happen.
    mutating func share() -> Probability {
        switch number(0...19) {
        case 0...7: .never
        case 8: .always
        default: Probability(Double(number(1...40)) / 100)
        }
    }

    /// Whole seconds.
    mutating func seconds(_ range: ClosedRange<Int64>) -> TimeSpan { .seconds(number(range)) }

    /// Durations of up to a few times a number of seconds; now and then none at all, or whole seconds, so that there are
    /// ties.
    mutating func durations(seconds: Int64) -> Distribution {
        let scale = Double(seconds) * 1e6
        switch number(0...9) {
        case 0: return .constant(0)
        case 1, 2: return .constant(scale)
        case 3: return .uniform(low: 0, high: scale * 2)
        case 4: return .exponential(mean: scale)
        case 5: return .lognormal(median: scale / 2, p95: scale * 2)
        case 6: return one(of: [.gamma(shape: 0.5, scale: scale * 2), .weibull(shape: 2, scale: scale)])
        case 7:
            return .quantiles([
                QuantilePoint(probability: 0, value: 0), QuantilePoint(probability: 0.5, value: scale),
                QuantilePoint(probability: 1, value: scale * 2),
            ])
        case 8: return .shifted(by: 1e6, .exponential(mean: scale))
        default:
            return .mixture(
                [0, 1, 2, 5]
                    .map {
                        MixtureComponent(weight: 1, distribution: .constant(($0 * scale / 5e6).rounded() * 1e6))
                    }
            )
        }
    }

    /// Durations above zero on average, where none at all would never let time pass.
    mutating func pauses(seconds: Int64) -> Distribution {
        let drawn = durations(seconds: seconds)
        return drawn == .constant(0) ? .constant(Double(seconds) * 1e6) : drawn
    }
}
