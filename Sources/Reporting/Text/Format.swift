import Evaluation
import LiveActivityModel
import Results
import TextFormats

/// Numbers for people: digits in groups of three, shares in percent, durations in a suitable unit.
package enum Format {
    /// The sign for an undefined number.
    static let undefined = "–"

    /// Formats a count: `1,234,567`.
    package static func count(_ number: Int64) -> String {
        (number < 0 ? "-" : "") + grouped("\(number.magnitude)")
    }

    /// Formats a count that may be a mean over replications: `6,403`, `42.33`.
    ///
    /// From 100 on it has no fraction.
    package static func count(mean number: Double) -> String {
        let isWhole = number.magnitude >= 100 || number.rounded() == number
        return isWhole && number.magnitude < 0x1p53 ? count(Int64(number.rounded())) : Format.number(number)
    }

    /// Formats a count in at most six characters: `12,345`, `123k`, `1.23M`.
    package static func short(_ number: Int) -> String {
        let units = [(1e3, "k"), (1e6, "M"), (1e9, "G"), (1e12, "T")]
        guard number.magnitude >= 100_000 else { return count(Int64(number)) }
        for (unit, letter) in units {
            let value = Double(number) / unit
            // A value that would round to a thousand belongs to the next unit.
            guard value < 999.5 || letter == "T" else { continue }
            return (FixedPoint.text(value, places: value < 9.995 ? 2 : value < 99.95 ? 1 : 0) ?? undefined) + letter
        }
        return undefined
    }

    /// Formats a rate: as a whole number, or with two places if rounding would hide much of it.
    package static func rate(_ rate: Double) -> String {
        rate < 10 && rate != rate.rounded() ? number(rate) : count(Int64(rate.rounded()))
    }

    /// Formats a number that is not a count, with two places: `1,234.50`.
    static func number(_ number: Double?) -> String {
        guard let number, let text = FixedPoint.text(number, places: 2) else { return undefined }
        let sign = text.hasPrefix("-") ? "-" : ""
        return sign + grouped(String(text.dropFirst(sign.count).dropLast(3))) + text.suffix(3)
    }

    /// Formats a share: `97.31 %`.
    static func percent(_ share: Double?) -> String {
        guard let share, let text = FixedPoint.text(share * 100, places: 2) else { return undefined }
        return "\(text) %"
    }

    /// Formats the shares of one whole so that the printed numbers add up to 100 %.
    ///
    /// Each is rounded to the nearest hundredth of a percent, except for the last, which takes the rest. So the last may
    /// differ from its own rounding by a hundredth, and no share is printed as negative.
    static func percents(ofWhole shares: [Double]) -> [String] {
        var rest: Int64 = 10_000
        return shares.enumerated()
            .map { index, share in
                let part = index == shares.count - 1 ? rest : min(rest, hundredths(share) ?? 0)
                rest -= part
                return percent(Double(part) / 10_000)
            }
    }

    /// Returns a share in hundredths of a percent, rounded as it is printed.
    static func hundredths(_ share: Double) -> Int64? {
        FixedPoint.text(share * 100, places: 2).flatMap { Int64($0.replacing(".", with: "")) }
    }

    /// Formats a chosen probability: `95 %`, `99.9 %`.
    static func level(_ share: Double) -> String {
        guard let text = FixedPoint.text(share * 100, places: 2) else { return undefined }
        let short = String(text.reversed().drop { $0 == "0" }.drop { $0 == "." }.reversed())
        return "\(short) %"
    }

    /// Formats a part of a whole as a share; undefined if the whole is zero.
    static func percent(_ part: Int64, of whole: Int64) -> String {
        percent(whole == 0 ? nil : Double(part) / Double(whole))
    }

    /// Formats a duration [µs]: `850 ms`, `41.2 s`, `12 min 05 s`, `5 h 07 min`.
    static func span(_ microseconds: Double?) -> String {
        guard let microseconds, microseconds.magnitude < 0x1p62 else { return undefined }
        return span(Int64(microseconds.rounded()))
    }

    /// Formats a duration in whole microseconds; a whole number of a unit has no fraction: `15 min`.
    static func span(_ microseconds: Int64) -> String {
        let sign = microseconds < 0 ? "-" : ""
        let length = Int64(microseconds.magnitude)
        let minute: Int64 = 60_000_000
        let text: String
        switch length {
        case 0:
            text = "0 s"
        case ..<1000:
            text = "\(length) µs"
        case ..<1_000_000 where length % 1000 == 0:
            text = "\(length / 1000) ms"
        case ..<10_000:
            text = decimal(length, unit: 1000, places: 1) + " ms"
        case ..<1_000_000:
            text = decimal(length, unit: 1000, places: 0) + " ms"
        case ..<120_000_000 where length % 1_000_000 == 0:
            text = "\(length / 1_000_000) s"
        case ..<10_000_000:
            text = decimal(length, unit: 1_000_000, places: 2) + " s"
        case ..<120_000_000:
            text = decimal(length, unit: 1_000_000, places: 1) + " s"
        case ..<7_200_000_000:
            let seconds = (length + 500_000) / 1_000_000
            text = "\(seconds / 60) min" + (length % minute == 0 ? "" : " \(twoDigits(seconds % 60)) s")
        case (1000 * 60 * minute)...:
            text = "\(count((length + 30 * minute) / (60 * minute))) h"
        default:
            let minutes = (length + minute / 2) / minute
            text = "\(count(minutes / 60)) h" + (length % (60 * minute) == 0 ? "" : " \(twoDigits(minutes % 60)) min")
        }
        return sign + text
    }

    /// Formats a value of the summary in its unit.
    static func value(_ row: SummaryRow?) -> String {
        if let unmet = row?.unmet { return unmet.text }
        guard let row, let value = row.value else { return undefined }
        return number(value.double, like: row)
    }

    /// Formats the interval of a value of the summary: `97.10 – 97.42 %`.
    static func interval(_ row: SummaryRow?) -> String {
        guard let row, row.unmet == nil, let interval = row.interval else { return undefined }
        // An interval by Student's formula can exceed the possible range, so it is cut to that range.
        let possible = row.isShare ? 0.0...1.0 : 0...Double.greatestFiniteMagnitude
        let shown = interval.clamped(to: possible)
        let low = number(shown.lowerBound, like: row)
        let high = number(shown.upperBound, like: row)
        let unit = row.isShare ? " %" : ""
        return "\(low.hasSuffix(unit) ? String(low.dropLast(unit.count)) : low) – \(high)"
    }

    /// Formats a value of the summary with the half-width of its interval: `97.31 ± 0.08 %`.
    static func valueAndSpread(_ row: SummaryRow?) -> String {
        guard let row, row.unmet == nil, let value = row.value else { return value(row) }
        let text = number(value.double, like: row)
        guard let interval = row.interval else { return text }
        let sides = [value.double - interval.lowerBound, interval.upperBound - value.double]
        let reach = sides.max() ?? 0
        guard sides.allSatisfy({ $0 >= 0.8 * reach }) else {
            return "\(text) (\(number(interval.lowerBound, like: row)) – \(number(interval.upperBound, like: row)))"
        }
        let spread = number(reach, like: row)
        let unit = " " + (spread.split(separator: " ").last.map(String.init) ?? "")
        let shared = row.isShare && text.hasSuffix(unit) ? String(text.dropLast(unit.count)) : text
        return "\(shared) ± \(spread)"
    }

    // MARK: - Responses, with a unit of summary.csv

    /// Formats a value in its unit.
    static func value(_ value: Double?, unit: String, isShare: Bool) -> String {
        guard let value else { return undefined }
        switch unit {
        case "us":
            return span(value)
        case "count":
            return count(mean: value)
        default:
            return isShare ? percent(value) : number(value)
        }
    }

    /// Formats an interval, with the unit once if both ends share it.
    static func interval(_ interval: ClosedRange<Double>?, unit: String, isShare: Bool) -> String {
        guard let interval else { return "" }
        let (low, high) = (interval.lowerBound, interval.upperBound)
        let first = value(low, unit: unit, isShare: isShare)
        return (isShare ? String(first.dropLast(2)) : first) + " – " + value(high, unit: unit, isShare: isShare)
    }

    /// Formats a distance between values, without a sign; for shares in percentage points.
    static func distance(_ distance: Double?, unit: String, isShare: Bool) -> String {
        String(difference(distance, unit: unit, isShare: isShare).drop { $0 == "+" || $0 == "±" })
    }

    /// Formats a difference of values, with its sign; for shares in percentage points.
    static func difference(_ difference: Double?, unit: String, isShare: Bool) -> String {
        guard let difference else { return undefined }
        let sign = difference < 0 ? "−" : difference > 0 ? "+" : "±"
        let magnitude = value(difference.magnitude, unit: unit, isShare: isShare)
        return sign + (isShare ? magnitude.dropLast(2) + " pp" : magnitude)
    }

    /// Formats a difference with the reach of chance, if that is known: `+0.42 ± 0.05 pp`.
    static func difference(_ difference: Double?, reach: Double?, unit: String, isShare: Bool) -> String {
        let text = Format.difference(difference, unit: unit, isShare: isShare)
        guard difference != nil, let reach, reach.isFinite, reach > 0 else { return text }
        let spread = distance(reach, unit: unit, isShare: isShare)
        return (isShare ? String(text.dropLast(3)) : text) + " ± " + spread
    }

    /// Formats a relative difference: `−24 %`, `+1.4 %`; empty if it is undefined.
    static func relative(_ share: Double?) -> String {
        guard let share, share.isFinite,
            let text = FixedPoint.text(share.magnitude * 100, places: share.magnitude < 0.0995 ? 1 : 0)
        else { return "" }
        return "\(share < 0 ? "−" : share > 0 ? "+" : "±")\(text) %"
    }

    /// Wraps a text between words, to a width that fits any terminal.
    static func wrapped(_ text: String) -> String {
        var lines = [""]
        for word in text.split(separator: " ") {
            let line = lines.removeLast()
            let longer = line.isEmpty ? String(word) : line + " " + word
            lines += longer.count <= 80 || line.isEmpty ? [longer] : [line, String(word)]
        }
        return lines.joined(separator: "\n")
    }

    // MARK: - Parts

    /// Formats a number of replications: "1 replication", "3 replications".
    static func replications(_ number: Int) -> String { number.counted("replication", "replications") }

    /// Formats a number with two digits, with a leading zero if needed.
    static func twoDigits(_ number: Int64) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }

    private static func number(_ number: Double, like row: SummaryRow) -> String {
        switch row.unit {
        case "us":
            return span(number)
        case "count":
            // The bounds of a count of one replication are whole numbers like the count.
            if case .integer = row.value { return count(Int64(number.rounded())) }
            return count(mean: number)
        default:
            return row.isShare ? percent(number) : Format.number(number)
        }
    }

    private static func decimal(_ length: Int64, unit: Int64, places: Int) -> String {
        FixedPoint.text(Double(length) / Double(unit), places: places) ?? undefined
    }

    private static func grouped(_ digits: String) -> String {
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return text
    }
}
