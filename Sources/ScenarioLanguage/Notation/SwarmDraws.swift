public import Quantities
import SimulationKernel

/// The draws of one key of a random scenario, in sequence; for a given seed they are the same in all versions of Swift.
///
/// Each key has draws of its own, named by its path, so a new key leaves the values of all others unchanged.
public struct SwarmDraws {
    private let source: RandomSource
    /// The hash of the path (FNV-1a).
    private var entity: UInt64 = 0xcbf2_9ce4_8422_2325
    private var taken: UInt32 = 0
    /// One key in this many gets another value.
    private let rarity: Int64
    /// `true` if durations are constants, multiples of some seconds, so that events coincide.
    private let isOnGrid: Bool

    /// Creates the draws of the root.
    ///
    /// - Parameters:
    ///   - rarity: One key in this many gets a random value.
    ///   - isOnGrid: `true` to draw constants on a grid of five seconds instead of distributions, so that events
    ///     coincide.
    public init(seed: UInt64, oneKeyIn rarity: Int64 = 2, onGrid isOnGrid: Bool = false) {
        source = RandomSource(seed: seed, replication: 0)
        self.rarity = rarity
        self.isOnGrid = isOnGrid
    }

    /// Returns the draws of a key within this one, or of an index in a list.
    public func inner(_ key: String) -> SwarmDraws {
        var inner = self
        inner.taken = 0
        for byte in Array(key.utf8) + [0] {
            inner.entity = (inner.entity ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        return inner
    }

    /// Returns the next 64 bits.
    public mutating func next() -> UInt64 {
        defer { taken += 1 }
        return source.draw(entity: entity, purpose: 0, index: taken)
    }

    /// Draws a whole number within bounds.
    public mutating func number(_ range: ClosedRange<Int64>) -> Int64 {
        range.lowerBound + Int64(UInt64(range.upperBound - range.lowerBound + 1).multipliedFullWidth(by: next()).high)
    }

    /// Draws a whole number within bounds.
    public mutating func count(_ range: ClosedRange<Int>) -> Int {
        Int(number(Int64(range.lowerBound)...Int64(range.upperBound)))
    }

    /// Draws a decision: true if a key gets a random value.
    mutating func changesKey() -> Bool { number(0...rarity - 1) == rarity - 1 }

    /// Tosses a fair coin: true if a feature is in the scenario.
    public mutating func coin() -> Bool { next() >> 63 == 1 }

    /// Draws one of some values.
    public mutating func one<Element>(of elements: [Element]) -> Element {
        elements[count(0...elements.count - 1)]
    }

    /// Draws a share: zero, a few hundredths, or rarely one, which would leave little to happen.
    mutating func share() -> Double {
        switch number(0...19) {
        case 0...7: 0
        case 8: 1
        default: Double(number(1...40)) / 100
        }
    }

    /// Draws whole seconds.
    public mutating func seconds(_ range: ClosedRange<Int64>) -> TimeSpan {
        let number = number(range)
        return .seconds(isOnGrid ? max(range.lowerBound, number / 5 * 5) : number)
    }

    /// Draws a number of thousandths.
    mutating func thousandths(_ range: ClosedRange<Int64>) -> Double { Double(number(range)) / 1000 }

    /// Draws a distribution with values of up to a few times a scale.
    ///
    /// Now and then all values are zero, or whole units, so that there are ties.
    mutating func distribution(scale: Double, unit: Double) -> Distribution {
        if isOnGrid {
            let step = scale < 5 * unit ? unit : 5 * unit
            return .constant(Double(number(0...9) == 0 ? 0 : number(1...max(2, Int64(2 * scale / step)))) * step)
        }
        switch number(0...9) {
        case 0: return .constant(0)
        case 1, 2: return .constant(scale)
        case 3: return .uniform(low: 0, high: scale * 2)
        case 4: return .exponential(mean: scale)
        case 5: return .lognormal(median: scale / 2, p95: scale * 2)
        case 6:
            return one(of: [
                .gamma(shape: 0.5, scale: scale * 2), .weibull(shape: 2, scale: scale),
                .triangular(min: 0, mode: scale / 2, max: scale * 2),
            ])
        case 7:
            return .quantiles([
                QuantilePoint(probability: 0, value: 0), QuantilePoint(probability: 0.5, value: scale),
                QuantilePoint(probability: 1, value: scale * 2),
            ])
        case 8: return .shifted(by: unit, .exponential(mean: scale))
        default:
            return .mixture(
                [0, 1, 2, 5]
                    .map {
                        MixtureComponent(
                            weight: 1,
                            distribution: .constant(($0 * scale / 5 / unit).rounded() * unit)
                        )
                    }
            )
        }
    }
}
