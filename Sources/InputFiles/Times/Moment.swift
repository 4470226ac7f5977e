package import LiveActivityModel

/// A time in a data file, in any of the forms that programs usually write.
///
/// All times are read here.
///
/// - RFC 3339 and similar: `2026-07-14T18:00:00.250`, optionally with a blank for the `T`, slashes for the hyphens, a
///   comma before the fraction, or without seconds; without zone, or with `Z`, `UTC`, `+00`, `-0700`, `+02:00`, also
///   after a blank, or with the name of a zone, `[Europe/Berlin]`; without hyphens and colons, `20260714T180000Z`;
/// - `07/14/2026 06:00:00 PM` and `14/07/2026 18:00:00`, in the order that the caller gives, and `14.07.2026 18:00:00`, day first;
/// - with the name of the month: `14/Jul/2026:18:00:00 +0000` of web servers, `Tue, 14 Jul 2026 18:00:00 GMT` of HTTP,
///   `Jul 14, 2026 @ 18:00:00.000` of Kibana;
/// - seconds, milliseconds, microseconds or nanoseconds since 1970, distinguished by their size.
package struct Moment: Hashable {
    /// The instant since 1970 in UTC; for a local time, the time on the clock [µs].
    package let microseconds: Int64
    /// The offset of the clock from UTC [µs]; nil for a local time of unknown zone.
    package let offset: Int64?

    /// The local time of day [µs].
    var timeOfDay: Int64 { CivilTime.timeOfDay(microseconds + (offset ?? 0)) }

    /// The forms that ``init(_:)`` accepts, for messages.
    package static let allowed =
        "as 2026-07-14T18:00:00.250, with Z, UTC or an offset such as +02:00 or without, or s, ms, us or ns since 1970"

    /// Parses the time in a cell; nil if there is none.
    ///
    /// - Parameter order: The order of day and month in dates such as `05/06/2026`.
    package init?(_ cell: ArraySlice<UInt8>, order: Scenario.DateOrder = .monthFirst) {
        var cell = TextCell.trimmed(cell)
        if let local = CivilTime.microseconds(of: cell) {
            self.init(microseconds: local, offset: nil)
            return
        }
        // Longer than any of the forms.
        guard cell.count <= 64 else { return nil }
        if cell.first == UInt8(ascii: "["), cell.last == UInt8(ascii: "]") { cell = cell.dropFirst().dropLast() }
        if let instant = Self.sinceEpoch(cell) {
            self.init(microseconds: instant, offset: 0)
            return
        }
        var text = Cursor(rest: cell, order: order)
        guard let day = text.date(), text.takesBreak(), let time = text.time(), let zone = text.zone() else {
            return nil
        }
        let local = day * CivilTime.day + time
        let offset: Int64? =
            switch zone {
            case .unknown: nil
            case .offset(let offset): offset
            case .named(let clock): clock.offset(atLocal: local)
            }
        self.init(microseconds: local - (offset ?? 0), offset: offset)
    }

    /// Returns `true` for a cell with a time, in either order of day and month.
    package static func isTime(_ cell: ArraySlice<UInt8>) -> Bool {
        Moment(cell) != nil || numericDate(cell) != nil && Moment(cell, order: .dayFirst) != nil
    }

    /// Returns the first two numbers of a date such as `05/06/2026`, its day and month in either order; nil for any
    /// other text.
    static func numericDate(_ cell: ArraySlice<UInt8>) -> (first: Int64, second: Int64)? {
        let cell = TextCell.trimmed(cell)
        // Nearly all times end here, because they begin with a year.
        guard cell.count > 8, cell.dropFirst().prefix(2).contains(where: Cursor.isDateMark) else { return nil }
        var text = Cursor(rest: cell)
        guard let first = text.number(1...2), let mark = text.rest.first, Cursor.isDateMark(mark), text.takes(mark),
            let second = text.number(1...2), text.takes(mark), text.number(4...4) != nil
        else { return nil }
        return (first, second)
    }

    private init(microseconds: Int64, offset: Int64?) {
        self.microseconds = microseconds
        self.offset = offset
    }

    /// Parses a count since 1970, from 2001 on.
    ///
    /// The ranges of the four units are a factor of 1,000 apart and do not overlap.
    private static func sinceEpoch(_ cell: ArraySlice<UInt8>) -> Int64? {
        let parts = cell.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts[0].count <= 19, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isDigit) }),
            let whole = Int64(String(decoding: parts[0], as: UTF8.self))
        else { return scientific(cell) }
        let digits = parts.count > 1 ? parts[1] : []
        func fraction(_ places: Int) -> Int64 {
            (0..<places)
                .reduce(0) { sum, place in
                    let digit = place < digits.count ? digits[digits.startIndex + place] - UInt8(ascii: "0") : 0
                    return sum * 10 + Int64(digit)
                }
        }
        return switch whole {
        case 1_000_000_000..<100_000_000_000: whole * 1_000_000 + fraction(6)
        case 1_000_000_000_000..<100_000_000_000_000: whole * 1000 + fraction(3)
        case 1_000_000_000_000_000..<100_000_000_000_000_000: whole
        case 1_000_000_000_000_000_000...: whole / 1000
        default: nil
        }
    }

    /// Parses a count with an exponent, as spreadsheets and data frames write large numbers.
    private static func scientific(_ cell: ArraySlice<UInt8>) -> Int64? {
        guard let number = NumberText.number(String(decoding: cell, as: UTF8.self)) else { return nil }
        return switch number {
        case 1e9..<1e11: Int64((number * 1e6).rounded())
        case 1e12..<1e14: Int64((number * 1e3).rounded())
        case 1e15..<1e17: Int64(number.rounded())
        case 1e18..<9e18: Int64((number / 1e3).rounded())
        default: nil
        }
    }
}

/// The rest of a time that is being parsed.
private struct Cursor {
    var rest: ArraySlice<UInt8>
    /// The order of day and month if both are numbers between slashes or hyphens.
    var order = Scenario.DateOrder.monthFirst
    /// A Boolean value that indicates whether the date had no separators, so that the time may have none either.
    private var isBasic = false

    init(rest: ArraySlice<UInt8>, order: Scenario.DateOrder = .monthFirst) {
        self.rest = rest
        self.order = order
    }

    /// The zone in a text.
    enum Zone {
        case unknown
        /// The offset of the zone from UTC [µs].
        case offset(Int64)
        case named(ZonedClock)
    }

    /// Returns `true` for a separator of dates that does not determine the order of day and month.
    static func isDateMark(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "/") || byte == UInt8(ascii: "-") }

    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
    private static let longMonths = [
        "january", "february", "march", "april", "june", "july", "august", "september", "sept", "october", "november",
        "december",
    ]

    /// Consumes the English name of a month, or its first three letters.
    private mutating func month() -> Int64? {
        let name = word()
        guard name.count == 3 || Self.longMonths.contains(name),
            let index = Self.months.firstIndex(of: String(name.prefix(3)))
        else { return nil }
        return Int64(index + 1)
    }

    /// Consumes all following characters of a set.
    private mutating func drop(_ bytes: StaticString) {
        rest = rest.drop { byte in bytes.withUTF8Buffer { $0.contains(byte) } }
    }

    /// Consumes a byte if it comes next.
    mutating func takes(_ byte: UInt8) -> Bool {
        guard rest.first == byte else { return false }
        rest.removeFirst()
        return true
    }

    /// Consumes a number with a range of digits.
    mutating func number(_ digits: ClosedRange<Int>) -> Int64? {
        let found = rest.prefix(while: \.isDigit)
        guard digits.contains(found.count) else { return nil }
        rest = rest.dropFirst(found.count)
        return found.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }

    /// Consumes the following letters and returns them in lower case.
    mutating func word() -> String {
        let found = rest.prefix { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
        rest = rest.dropFirst(found.count)
        return String(decoding: found, as: UTF8.self).lowercased()
    }

    mutating func dropBlanks() { rest = rest.drop { $0 == UInt8(ascii: " ") } }

    /// Consumes a date and returns its days from 1970.
    mutating func date() -> Int64? {
        let start = rest
        let name = word()
        if !name.isEmpty {
            if rest.first == UInt8(ascii: ",") {
                // The day of the week.
                drop(", ")
                return dateOfWords()
            }
            rest = start
            return dateFromMonth()
        }
        if let date = basicDate() { return date }
        guard let first = number(1...4), let mark = rest.first else { return nil }
        let firstIsYear = start.count - rest.count == 4
        rest.removeFirst()
        if !firstIsYear, let letter = rest.first, letter.isLetterOrDigit, !letter.isDigit {
            rest = start
            return dateOfWords()
        }
        guard let second = number(1...2), takes(mark), let third = number(firstIsYear ? 1...2 : 4...4) else {
            return nil
        }
        switch (mark, firstIsYear) {
        case (UInt8(ascii: "-"), true), (UInt8(ascii: "/"), true):
            return CivilTime.days(toYear: first, month: second, day: third)
        case (UInt8(ascii: "/"), false), (UInt8(ascii: "-"), false):
            let (month, day) = order == .monthFirst ? (first, second) : (second, first)
            return CivilTime.days(toYear: third, month: month, day: day)
        case (UInt8(ascii: "."), false): return CivilTime.days(toYear: third, month: second, day: first)
        default: return nil
        }
    }

    /// Consumes `14/Jul/2026`, `14-Jul-2026` or `14 Jul 2026`.
    private mutating func dateOfWords() -> Int64? {
        guard let day = number(1...2), let mark = rest.first, "/- ".utf8.contains(mark), takes(mark),
            let month = month(), takes(mark), let year = number(4...4)
        else { return nil }
        return CivilTime.days(toYear: year, month: month, day: day)
    }

    /// Consumes `Jul 14, 2026`.
    private mutating func dateFromMonth() -> Int64? {
        guard let month = month(), takes(UInt8(ascii: " ")) else { return nil }
        dropBlanks()
        guard let day = number(1...2) else { return nil }
        _ = takes(UInt8(ascii: ","))
        guard takes(UInt8(ascii: " ")), let year = number(4...4) else { return nil }
        return CivilTime.days(toYear: year, month: month, day: day)
    }

    /// Consumes `20260714`, if the letter between date and time follows.
    private mutating func basicDate() -> Int64? {
        let start = rest
        guard let date = number(8...8), rest.first.map({ $0 | 0x20 }) == UInt8(ascii: "t") else {
            rest = start
            return nil
        }
        isBasic = true
        return CivilTime.days(toYear: date / 10_000, month: date / 100 % 100, day: date % 100)
    }

    /// Consumes the separator between date and time.
    mutating func takesBreak() -> Bool {
        if takes(UInt8(ascii: "T")) || takes(UInt8(ascii: "t")) || takes(UInt8(ascii: ":")) { return true }
        _ = takes(UInt8(ascii: ","))
        let before = rest.count
        dropBlanks()
        if takes(UInt8(ascii: "@")) { dropBlanks() }
        return rest.count < before
    }

    /// Consumes a time and returns the microseconds since midnight.
    mutating func time() -> Int64? {
        if isBasic, let together = number(6...6) {
            let (hour, minute, second) = (together / 10_000, together / 100 % 100, together % 100)
            guard hour < 24, minute < 60, second < 60, let fraction = fraction() else { return nil }
            return ((hour * 60 + minute) * 60 + second) * 1_000_000 + fraction
        }
        guard var hour = number(1...2), takes(UInt8(ascii: ":")), let minute = number(2...2), minute < 60 else {
            return nil
        }
        var second: Int64 = 0
        var fraction: Int64 = 0
        if takes(UInt8(ascii: ":")) {
            guard let found = number(2...2), found < 60, let part = self.fraction() else { return nil }
            (second, fraction) = (found, part)
        }
        let start = rest
        dropBlanks()
        switch word() {
        case "am":
            guard (1...12).contains(hour) else { return nil }
            hour %= 12
        case "pm":
            guard (1...12).contains(hour) else { return nil }
            hour = hour % 12 + 12
        default: rest = start
        }
        return hour < 24 ? ((hour * 60 + minute) * 60 + second) * 1_000_000 + fraction : nil
    }

    /// Consumes the fraction of a second [µs]; 0 if there is none, nil if it is malformed.
    private mutating func fraction() -> Int64? {
        guard takes(UInt8(ascii: ".")) || takes(UInt8(ascii: ",")) else { return 0 }
        let digits = rest.prefix(while: \.isDigit)
        guard (1...9).contains(digits.count), let found = number(1...9) else { return nil }
        return (digits.count..<9).reduce(found) { number, _ in number * 10 } / 1000
    }

    /// Consumes the zone up to the end of the text; nil if it is no zone.
    mutating func zone() -> Zone? {
        dropBlanks()
        guard !rest.isEmpty else { return .unknown }
        let start = rest
        let name = word()
        guard ["", "z", "utc", "gmt"].contains(name) else { return named(start) }
        var offset: Int64 = 0
        let isAhead = takes(UInt8(ascii: "+"))
        if isAhead || takes(UInt8(ascii: "-")) {
            guard name != "z", let minutes = minutesOfOffset() else { return nil }
            offset = (isAhead ? 1 : -1) * minutes * 60_000_000
        } else if name.isEmpty {
            guard rest.first == UInt8(ascii: "["), rest.last == UInt8(ascii: "]") else { return nil }
            return named(rest.dropFirst().dropLast())
        }
        return dropsZoneName() ? .offset(offset) : nil
    }

    /// Returns the zone with a name such as `Europe/Berlin`.
    private func named(_ name: ArraySlice<UInt8>) -> Zone? {
        let name = String(decoding: name, as: UTF8.self)
        if name == "Z" { return .offset(0) }
        return ZonedClock.named(name).map { .named($0) }
    }

    /// Consumes the digits of an offset: `2`, `02`, `0200`, `02:00`.
    private mutating func minutesOfOffset() -> Int64? {
        var (hours, minutes): (Int64, Int64) = (0, 0)
        if let together = number(4...4) {
            (hours, minutes) = (together / 100, together % 100)
        } else {
            guard let found = number(1...2) else { return nil }
            hours = found
            if takes(UInt8(ascii: ":")) {
                guard let found = number(2...2) else { return nil }
                minutes = found
            }
        }
        return hours < 24 && minutes < 60 ? hours * 60 + minutes : nil
    }

    /// Consumes the name of a zone after its offset: `+0000 UTC` of Go, `-04:00[America/New_York]` of Java.
    private mutating func dropsZoneName() -> Bool {
        dropBlanks()
        if rest.first == UInt8(ascii: "["), rest.last == UInt8(ascii: "]") { return true }
        _ = word()
        return rest.isEmpty
    }
}
