/// A number as a person writes it beside a quantity: `40`, `0.95`, `95%`, `90s`, `30/m`.
///
/// What it measures is not known before the quantity is: ``value(in:isShare:)`` tells.
public enum Amount: Hashable, Sendable {
    /// A plain number.
    case number(Double)
    /// A share in percent, as its fraction.
    case percent(Double)
    /// A duration [µs].
    case duration(microseconds: Double)
    /// A rate, as a number per some seconds: 1, 60 or 3,600.
    case rate(Double, perSeconds: Double)

    /// Reads a number; nil for anything else.
    ///
    /// A duration may not be negative; other numbers may.
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

    /// The number in one way of writing it, which ``init(_:)`` reads as an equal one.
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

    /// The number in its smallest unit, and whether it is one of time; a bare zero has any unit, so no zero is.
    var magnitude: Magnitude {
        switch self {
        case .number(let number): Magnitude(value: number, isDuration: false)
        case .percent(let share): Magnitude(value: share, isDuration: false)
        case .duration(let microseconds): Magnitude(value: microseconds, isDuration: microseconds != 0)
        case .rate(let number, let seconds): Magnitude(value: number / seconds, isDuration: false)
        }
    }

    /// How much something is, however it is written.
    struct Magnitude: Hashable {
        let value: Double
        let isDuration: Bool
    }

    /// The number in a unit of summary.csv: `us`, `count`, `1`.
    ///
    /// Nil when it measures something else. Zero is zero in any unit, and percents can state parts of a whole only.
    public func value(in unit: String, isShare: Bool) -> Double? {
        switch self {
        // No share is above 1: 97 was to be 97 %.
        case .number(let number) where isShare && number.magnitude > 1: nil
        case .number(let number) where unit != "us" || number == 0: number
        case .percent(let share) where isShare: share
        case .duration(let microseconds) where unit == "us": microseconds
        case .rate(let number, let seconds) where unit == "1/s": number / seconds
        case .rate(let number, let seconds) where unit == "1/h": number * (3600 / seconds)
        default: nil
        }
    }

    /// What such a number must look like, as messages say it.
    package static func allowed(in unit: String, isShare: Bool) -> String {
        switch unit {
        case "us": "a duration, such as \(DurationText.forms)"
        case "count": "a number, as 1200"
        case "1/s", "1/h": "a number, as 1.5, or a rate, as 30/m"
        default: isShare ? "a share, as 0.95 or 95%" : "a number, as 1.5"
        }
    }
}
