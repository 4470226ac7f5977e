import Foundation
import InputFiles
import ScenarioLanguage
import SimulationKernel

/// The parameters of a case, read by name; errors are collected instead of thrown, so that all of them are reported.
///
/// After an error a reading function returns a usable value, so that reading can continue.
struct Parameters: Sendable {
    /// An error in a parameter.
    struct Problem: Sendable {
        let place: Place
        let message: String
        /// `true` if the error is not a wrong value but an unknown form: a parameter is missing or has another name.
        var isUnknownForm = false
    }

    private let entries: [ScenarioNode.Entry]
    private let place: Place
    private var read: [String] = []
    private(set) var problems: [Problem] = []

    init(_ entries: [ScenarioNode.Entry], at place: Place) {
        self.entries = entries
        self.place = place
    }

    /// The parameters that were not read; a model that ignores them would be another model.
    var unread: [String] {
        entries.map(\.key).filter { !read.contains($0) }
    }

    func has(_ key: String) -> Bool {
        entries.contains { $0.key == key }
    }

    // MARK: - Numbers

    /// Reads a number, also as text or as a fraction: `0.3`, `"0.3"`, `"3/10"`.
    mutating func number(_ key: String, in range: ClosedRange<Double>) -> Double {
        guard let node = node(key) else { return range.lowerBound }
        return number(node, key, in: range)
    }

    /// Reads a number above zero, of a magnitude suitable for computation.
    mutating func positive(_ key: String) -> Double {
        number(key, in: 1e-9...1e9)
    }

    mutating func probability(_ key: String) -> Double {
        number(key, in: 0...1)
    }

    mutating func whole(_ key: String, in range: ClosedRange<Int>) -> Int {
        let number = number(key, in: Double(range.lowerBound)...Double(range.upperBound))
        guard let whole = Int(exactly: number) else {
            refuse(key, "must be a whole number")
            return range.lowerBound
        }
        return whole
    }

    mutating func positives(_ key: String, count: ClosedRange<Int>) -> [Double] {
        numbers(key, in: 1e-9...1e9, count: count)
    }

    mutating func numbers(_ key: String, in range: ClosedRange<Double>, count: ClosedRange<Int>) -> [Double] {
        guard let node = node(key) else { return [] }
        guard let list = node.list, count.contains(list.count) else {
            refuse(key, "must be a list of \(count.lowerBound) … \(count.upperBound) numbers, got \(node.excerpt)")
            return []
        }
        return list.map { number($0, key, in: range) }
    }

    /// Reads a number that can be absent or null.
    mutating func numberOrNothing(_ key: String) -> Double? {
        guard has(key), let node = node(key), !node.isNothing else { return nil }
        return positive(key)
    }

    mutating func flag(_ key: String, default value: Bool) -> Bool {
        guard has(key), let node = node(key) else { return value }
        switch node.scalar {
        case "true": return true
        case "false": return false
        case nil where node.isNothing: return value
        default:
            refuse(key, "must be true or false, got \(node.excerpt)")
            return value
        }
    }

    mutating func word(_ key: String) -> String {
        node(key)?.scalar ?? ""
    }

    // MARK: - Structures

    mutating func list(_ key: String) -> [ScenarioNode] {
        guard let node = node(key) else { return [] }
        guard let list = node.list else {
            refuse(key, "must be a list, got \(node.excerpt)")
            return []
        }
        return list
    }

    /// Reads a distribution `{dist: …}` of times in units of a clock.
    mutating func distribution(_ key: String, unit: Double) -> Distribution {
        guard let node = node(key) else { return .constant(unit) }
        guard let entries = node.mapping else {
            refuse(key, "must be a distribution as {dist: exp, rate: 1}, got \(node.excerpt)")
            return .constant(unit)
        }
        var inner = Parameters(entries, at: node.place)
        let distribution = inner.distribution(unit: unit)
        problems += inner.problems.map {
            Problem(place: $0.place, message: "\(key): \($0.message)", isUnknownForm: $0.isUnknownForm)
        }
        for unknown in inner.unread {
            let message = "\(key) has no parameter \(ScenarioNode.quoted(unknown)) that is known here"
            problems.append(Problem(place: node.place, message: message, isUnknownForm: true))
        }
        return distribution
    }

    private mutating func distribution(unit: Double) -> Distribution {
        switch word("dist") {
        case "const", "constant", "det":
            return .constant(number("value", in: 0...1e9) * unit)
        case "exp", "exponential":
            return .exponential(mean: mean() * unit)
        case "gamma":
            return .gamma(shape: positive("shape"), scale: positive("scale") * unit)
        case "erlang":
            let shape = Double(whole("k", in: 1...1000))
            return .gamma(shape: shape, scale: mean() / shape * unit)
        case "lognormal":
            let logarithm = has("mu") ? number("mu", in: -50...50) : log(positive("median"))
            // Scenarios state the logarithm of seconds.
            return .lognormalOfLog(mu: logarithm + log(unit / 1e6), sigma: positive("sigma"), unit: 1e6)
        case "weibull":
            return .weibull(shape: positive("shape"), scale: positive("scale") * unit)
        case "uniform":
            return .uniform(low: number("low", in: 0...1e9) * unit, high: number("high", in: 0...1e9) * unit)
        case "triangular":
            let (least, most) = (number("min", in: 0...1e9), number("max", in: 0...1e9))
            return .triangular(min: least * unit, mode: number("mode", in: 0...1e9) * unit, max: most * unit)
        case "mix2":
            let weight = probability("w")
            return mixture([(weight, number("a", in: 0...1e9)), (1 - weight, number("b", in: 0...1e9))], unit: unit)
        case "shift_exp", "shifted_exp", "shiftexp":
            let shift = number(firstKey(["shift", "a", "offset", "s"]), in: 0...1e9)
            return .shifted(by: shift * unit, .exponential(mean: mean() * unit))
        case let other:
            let message = "dist \(ScenarioNode.quoted(other)) is no distribution that is known here"
            problems.append(Problem(place: place, message: message, isUnknownForm: true))
            return .constant(unit)
        }
    }

    /// A mixture of constants, or a single constant if it has the whole weight.
    private func mixture(_ parts: [(weight: Double, value: Double)], unit: Double) -> Distribution {
        let present = parts.filter { $0.weight > 0 }
        guard present.count > 1 else { return .constant((present.first?.value ?? 0) * unit) }
        return .mixture(present.map { MixtureComponent(weight: $0.weight, distribution: .constant($0.value * unit)) })
    }

    /// Reads the mean of an exponential part, under any of its names.
    private mutating func mean() -> Double {
        has("rate") ? 1 / positive("rate") : positive(firstKey(["mean", "m"]))
    }

    private func firstKey(_ keys: [String]) -> String {
        keys.first(where: has) ?? keys[0]
    }

    // MARK: - Entries

    mutating func node(_ key: String) -> ScenarioNode? {
        read.append(key)
        guard let entry = entries.first(where: { $0.key == key }) else {
            problems.append(Problem(place: place, message: "the parameter \(key) is missing", isUnknownForm: true))
            return nil
        }
        return entry.value
    }

    private mutating func number(_ node: ScenarioNode, _ key: String, in range: ClosedRange<Double>) -> Double {
        guard let number = node.number, range.contains(number) else {
            let allowed = "\(NumberText.text(range.lowerBound)) … \(NumberText.text(range.upperBound))"
            problems.append(
                Problem(place: node.place, message: "\(key) must be a number within \(allowed), got \(node.excerpt)")
            )
            return range.lowerBound
        }
        return number
    }

    /// Records an error in a part of a parameter.
    mutating func refuse(_ node: ScenarioNode, _ message: String, key: String) {
        problems.append(Problem(place: node.place, message: "\(key) \(message)"))
    }

    private mutating func refuse(_ key: String, _ message: String) {
        let place = entries.first { $0.key == key }?.value.place ?? place
        problems.append(Problem(place: place, message: "\(key) \(message)"))
    }
}

extension ScenarioNode {
    /// The number of a value, in decimal or as a fraction; nil for anything else.
    var number: Double? {
        let parts = (scalar ?? "").split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let numbers = parts.compactMap { NumberText.number(String($0)) }
        guard !numbers.isEmpty, numbers.count == parts.count else { return nil }
        return numbers.count == 2 ? numbers[0] / numbers[1] : numbers[0]
    }
}
