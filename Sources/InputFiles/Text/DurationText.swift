package import Quantities

/// Durations as text: `250us 250ms 3s 2m 8h 1d`, combined as in `1h30m`, with decimals in the last part: `1.5s`.
package enum DurationText {
    /// The reason why a text is not a duration, as a part of a message.
    package enum ParseError: String, Error {
        case malformed = "is not a duration"
        case unitMissing = "lacks a unit"
        case negative = "is negative"
        case finerThanMicrosecond = "is finer than 1us"
        /// Above ``TimeSpan/longest``.
        case tooLong = "is too long"
    }

    /// The forms, for messages.
    package static let forms = "250us 250ms 3s 2m 8h 1d 1h30m"

    /// The form as a regular expression of JSON Schema; it also accepts decimals before the last part.
    package static let pattern: String = {
        let parts = (units.map(\.name) + ["ns"]).map { #"([0-9]+(\.[0-9]+)?\#($0))?"# }.joined()
        return "^(0|(?=[0-9])\(parts))$"
    }()

    /// The units for writing durations [µs], longest first; `ns` can only be read.
    package static let units: [(name: String, microseconds: Int64)] = [
        ("d", 86_400_000_000), ("h", 3_600_000_000), ("m", 60_000_000), ("s", 1_000_000), ("ms", 1000), ("us", 1),
    ]

    /// Returns the duration in a text, to the microsecond.
    package static func span(_ text: String) throws(ParseError) -> TimeSpan {
        let sum = try sum(text)
        guard sum.remainder == 0 else { throw .finerThanMicrosecond }
        return TimeSpan(microseconds: sum.whole)
    }

    /// Returns the duration in a text [µs] with fractions of a microsecond, for parameters of distributions.
    package static func microseconds(_ text: String) throws(ParseError) -> Double {
        let sum = try sum(text)
        if sum.remainder > 0, let number = NumberText.number(String(text.dropLast(2))), text.hasSuffix("us") {
            return number
        }
        return Double(sum.whole) + sum.remainder
    }

    /// Returns the text of a duration: whole days, hours and minutes, then the rest in one unit.
    package static func text(_ span: TimeSpan) -> String {
        var rest = span.microseconds
        guard rest != 0 else { return "0s" }
        var text = ""
        for unit in units.prefix(3) where rest >= unit.microseconds {
            text += "\(rest / unit.microseconds)\(unit.name)"
            rest %= unit.microseconds
        }
        if rest > 0, let unit = units.dropFirst(3).first(where: { rest >= $0.microseconds }) {
            text += "\(rest / unit.microseconds)"
            let fraction = rest % unit.microseconds
            if fraction > 0 {
                var places = "\(unit.microseconds + fraction)".dropFirst()
                while places.last == "0" { places.removeLast() }
                text += "." + places
            }
            text += unit.name
        }
        return text
    }

    /// Returns the text of a duration with fractions of a microsecond.
    package static func text(microseconds: Double) -> String {
        if let whole = Int64(exactly: microseconds) {
            return text(TimeSpan(microseconds: whole))
        }
        return NumberText.plainText(microseconds) { Double($0) == microseconds } + "us"
    }

    /// Returns whole microseconds and the remainder [µs].
    private static func sum(_ text: String) throws(ParseError) -> (whole: Int64, remainder: Double) {
        if text == "0" { return (0, 0) }
        if text.hasPrefix("-") {
            let rest = text.dropFirst()
            throw rest.hasPrefix("-") || (try? sum(String(rest))) == nil ? .malformed : .negative
        }
        if NumberText.number(text) != nil { throw .unitMissing }
        var rest = text[...]
        var units = readUnits[...]
        var total = (whole: Int128(0), remainder: 0.0)
        while let part = takePart(&rest) {
            guard let index = units.firstIndex(where: { $0.name == part.unit }) else { throw .malformed }
            let (unit, divisor) = (units[index].microseconds, units[index].divisor)
            units = units[(index + 1)...]
            guard part.whole.count <= 18, let count = Int128(part.whole) else { throw .tooLong }
            // Twenty decimal places of a day are far below a microsecond.
            let digits = (part.decimals ?? "").prefix(20)
            guard part.decimals == nil || rest.isEmpty else { throw .malformed }
            let scale = (0..<digits.count).reduce(Int128(1)) { scale, _ in scale * 10 }
            let scaled = (Int128(digits) ?? 0) * unit + (divisor > 1 ? count * unit * scale : 0)
            total.whole += (divisor > 1 ? 0 : count * unit) + scaled / (scale * divisor)
            total.remainder += Double(scaled % (scale * divisor)) / Double(scale * divisor)
        }
        guard rest.isEmpty, !text.isEmpty else { throw .malformed }
        guard total.whole <= TimeSpan.longest.microseconds else { throw .tooLong }
        return (Int64(total.whole), total.remainder)
    }

    /// The units for reading durations: microseconds, over a divisor.
    private static let readUnits: [(name: String, microseconds: Int128, divisor: Int128)] =
        units.map { ($0.name, Int128($0.microseconds), 1) } + [("ns", 1, 1000)]

    /// Removes a number with its unit from the beginning of a text; returns nil, and removes nothing, if there is none.
    private static func takePart(_ text: inout Substring) -> (whole: Substring, decimals: Substring?, unit: Substring)?
    {
        func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }
        let whole = text.prefix(while: isDigit)
        var rest = text[whole.endIndex...]
        var decimals: Substring?
        if rest.first == "." {
            let digits = rest.dropFirst().prefix(while: isDigit)
            guard !digits.isEmpty else { return nil }
            decimals = digits
            rest = rest[digits.endIndex...]
        }
        let unit = rest.prefix { !isDigit($0) }
        guard !whole.isEmpty, readUnits.contains(where: { $0.name == unit }) else { return nil }
        text = rest[unit.endIndex...]
        return (whole, decimals, unit)
    }
}
