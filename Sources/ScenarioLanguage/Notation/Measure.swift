import InputFiles
import Quantities

/// The quantity of a distribution's values: durations, or plain numbers such as bytes.
package struct Measure: Sendable {
    /// The name of the distributions among the definitions of the JSON Schema.
    let definition: String
    /// The name in messages.
    package let name: String
    /// The base value of a second, or of 1: the median of a lognormal with `mu` = 0.
    package let unit: Double
    /// `true` for durations.
    let isDuration: Bool

    /// Durations in microseconds; parameters may be fractions of a microsecond.
    package static let duration = Measure(
        definition: "duration_distribution",
        name: "durations",
        unit: 1e6,
        isDuration: true
    )

    /// Plain numbers.
    package static let number = Measure(definition: "number_distribution", name: "numbers", unit: 1, isDuration: false)

    /// The largest value, in base units.
    package var largest: Double { isDuration ? Double(TimeSpan.longest.microseconds) : 1e12 }

    /// The smallest scale that a division may give, in base units; a text represents it to the last bit.
    var smallestScale: Double { 1e-12 }

    /// The typical size of values of random distributions if there is no default, in base units.
    var typicalScales: [Double] { isDuration ? [1e6, 5e6, 20e6] : [2500] }

    /// A value of the distribution.
    var value: Notation<Double> { notation(isPositive: false) }

    /// A value above zero.
    var positiveValue: Notation<Double> { notation(isPositive: true) }

    /// The units of data columns, with their base values; empty for plain numbers.
    var columnUnits: [(name: String, base: Double)] {
        isDuration ? DurationText.units.map { ($0.name, Double($0.microseconds)) } + [("ns", 1e-3)] : []
    }

    private func notation(isPositive: Bool) -> Notation<Double> {
        guard isDuration else { return isPositive ? .positiveNumber(upTo: largest) : .number(0...largest) }
        let largest = largest
        let bound = DurationText.text(.longest)
        return Notation(
            isPositive ? "a duration above 0s" : "a duration",
            allowed: "\(isPositive ? "above 0s" : "0s") … \(bound), such as \(DurationText.forms)",
            write: { .word(DurationText.text(microseconds: $0)) },
            schema: ["$ref": "#/$defs/duration"],
            parse: { text throws(Remark) in
                do throws(DurationText.ParseError) {
                    let value = try DurationText.microseconds(text)
                    return value <= largest && (value > 0 || !isPositive) ? value : nil
                } catch {
                    throw .error(error.rawValue)
                }
            }
        )
    }
}
