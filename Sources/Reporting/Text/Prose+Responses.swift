import Experiments

/// Values of responses: what they measure is told by a unit of summary.csv.
extension Prose {
    /// A value in the way its unit asks for.
    static func value(_ value: Double?, unit: String, isShare: Bool) -> String {
        guard let value else { return undefined }
        switch unit {
        case "us":
            return span(value)
        case "count" where value.rounded() == value && value.magnitude < 0x1p53:
            return count(Int64(value))
        default:
            return isShare ? percent(value) : number(value)
        }
    }

    /// An interval of values, the unit once where both ends share it.
    static func interval(_ interval: ClosedRange<Double>?, unit: String, isShare: Bool) -> String {
        guard let interval else { return "" }
        let (low, high) = (interval.lowerBound, interval.upperBound)
        let first = value(low, unit: unit, isShare: isShare)
        return (isShare ? String(first.dropLast(2)) : first) + " – " + value(high, unit: unit, isShare: isShare)
    }

    /// A difference of values, with its sign; one of shares in percentage points.
    static func difference(_ difference: Double?, unit: String, isShare: Bool) -> String {
        guard let difference else { return undefined }
        let sign = difference < 0 ? "−" : difference > 0 ? "+" : "±"
        let magnitude = value(difference.magnitude, unit: unit, isShare: isShare)
        return sign + (isShare ? magnitude.dropLast(2) + " pp" : magnitude)
    }
}
