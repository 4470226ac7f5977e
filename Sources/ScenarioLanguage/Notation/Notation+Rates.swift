import InputFiles
import TextFormats

extension Notation where Value == Double {
    /// The largest relative error of a rate that is rounded to steps.
    private static let nearEnough = 0.05

    /// Returns the notation of a rate as a number per hour, or with a unit of its own.
    static func ratePerHour(_ range: ClosedRange<Double>) -> Notation {
        rate(.number(range), "a number", range) { text throws(Remark) in RateText.rate(text, perSeconds: 3600) }
    }

    /// Returns the notation of a rate as a number per second in steps of 0.001, or with a unit of its own, rounded to
    /// these steps.
    static func ratePerSecond(_ range: ClosedRange<Double>) -> Notation {
        rate(.thousandths(range), "a number in steps of 0.001", range) { text throws(Remark) in
            guard let rate = RateText.rate(text, perSeconds: 1), rate > 0 else {
                return RateText.rate(text, perSeconds: 1)
            }
            let rounded = (rate * 1000).rounded() / 1000
            guard (rounded - rate).magnitude <= nearEnough * rate else {
                throw .error(
                    "is \(NumberText.rounded(rate)) per second and cannot be rounded closely enough to steps of 0.001"
                )
            }
            return rounded
        }
    }

    private static func rate(
        _ plain: Notation,
        _ expectation: String,
        _ range: ClosedRange<Double>,
        parse: @escaping (String) throws(Remark) -> Double?
    ) -> Notation {
        let numbers = plain.schema()
        let (low, high) = (NumberText.text(range.lowerBound), NumberText.text(range.upperBound))
        return Notation(
            expectation,
            allowed: "\(low) … \(high), or \(RateText.form)",
            write: plain.write,
            schema: ["anyOf": [numbers, ["type": "string", "pattern": .text(RateText.pattern)]]],
            draw: plain.draw,
            parse: { text throws(Remark) in
                if text.contains("/") { return try parse(text).flatMap { range.contains($0) ? $0 : nil } }
                return try plain.parsed(text)
            }
        )
    }
}
