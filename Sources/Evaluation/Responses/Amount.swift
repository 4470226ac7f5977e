import InputFiles

/// A number as people write it beside a quantity: `40`, `0.95`, `95%`, `90s`, `30/m`.
///
/// The unit of a plain number is unknown without the quantity; see ``value(in:isShare:)``.
public enum Amount: Hashable, Sendable {
    /// A plain number.
    case number(Double)
    /// A share in percent, as its fraction.
    case percent(Double)
    /// A duration [µs].
    case duration(microseconds: Double)
    /// A number per some seconds: 1, 60 or 3,600.
    case rate(Double, perSeconds: Double)

    /// Parses a number; nil for anything else.
    ///
    /// A duration must not be negative; other numbers may be.
    public init?(_ text: String) {
        if text.hasSuffix("%") {
            guard let share = NumberText.hundredths(String(text.dropLast())) else { return nil }
            self = .percent(share)
        } else if let number = NumberText.number(text) {
            self = .number(number)
        } else if let microseconds = try? DurationText.microseconds(text) {
            self = .duration(microseconds: microseconds)
        } else if let (number, seconds) = RateText.parts(text) {
            self = .rate(number, perSeconds: seconds)
        } else {
            return nil
        }
    }

    /// The canonical text, which ``init(_:)`` parses to an equal number.
    public var text: String {
        switch self {
        case .number(let number):
            NumberText.text(number)
        case .percent(let share):
            NumberText.hundredthsText(share) + "%"
        case .duration(let microseconds):
            DurationText.text(microseconds: microseconds)
        case .rate(let number, let seconds):
            RateText.text(number, perSeconds: seconds)
        }
    }

    /// The number in its smallest unit, and whether it is a time.
    ///
    /// A bare zero has any unit, so it is no time.
    package var magnitude: Magnitude {
        switch self {
        case .number(let number): Magnitude(value: number, isDuration: false)
        case .percent(let share): Magnitude(value: share, isDuration: false)
        case .duration(let microseconds): Magnitude(value: microseconds, isDuration: microseconds != 0)
        case .rate(let number, let seconds): Magnitude(value: number / seconds, isDuration: false)
        }
    }

    /// The size of an amount, however it is written.
    package struct Magnitude: Hashable {
        package let value: Double
        package let isDuration: Bool
    }

    /// Returns the number in a unit of `summary.csv`: `us`, `count`, `1`.
    ///
    /// It is nil if the amount is of another kind. Zero is zero in any unit, and percentages are only for shares of a
    /// whole.
    public func value(in unit: String, isShare: Bool) -> Double? {
        switch self {
        // No share is above 1: 97 was meant to be 97 %.
        case .number(let number) where isShare && number.magnitude > 1: nil
        case .number(let number) where unit != "us" || number == 0: number
        case .percent(let share) where isShare: share
        case .duration(let microseconds) where unit == "us": microseconds
        case .rate(let number, let seconds) where unit == "1/s": number / seconds
        case .rate(let number, let seconds) where unit == "1/h": number * (3600 / seconds)
        default: nil
        }
    }

    /// Returns the allowed form of an amount in a unit, for messages.
    package static func allowed(in unit: String, isShare: Bool) -> String {
        switch unit {
        case "us": "a duration, such as \(DurationText.forms)"
        case "count": "a number such as 1200"
        case "1/s", "1/h": "a number such as 1.5, or a rate such as 30/m"
        default: isShare ? "a share such as 0.95 or 95%" : "a number such as 1.5"
        }
    }
}
