/// Local dates and times of data files as integers, in the proleptic Gregorian calendar.
///
/// Its own arithmetic replaces Foundation's formatters. It is exact, without time zones or locales, and fast enough for
/// the eighty million times in a month of New York's trips.
package enum CivilTime {
    /// The length of a day [µs]; local time without a zone has no other lengths.
    package static let day: Int64 = 86_400_000_000

    /// Returns the microseconds from 1970-01-01T00:00:00 to a time such as `2016-03-29T19:00:49` or `2016-03-29
    /// 19:00:49`.
    ///
    /// A fraction of 1 to 9 digits may follow and is truncated to microseconds. Nil for anything else: a date that the
    /// calendar does not have, a leap second, a time zone.
    package static func microseconds(of text: ArraySlice<UInt8>) -> Int64? {
        let start = text.startIndex
        guard text.count >= 19,
            text[start + 4] == UInt8(ascii: "-"),
            text[start + 7] == UInt8(ascii: "-"),
            text[start + 10] == UInt8(ascii: "T") || text[start + 10] == UInt8(ascii: " "),
            text[start + 13] == UInt8(ascii: ":"),
            text[start + 16] == UInt8(ascii: ":"),
            let year = number(text, start, 4),
            let month = number(text, start + 5, 2),
            let dayOfMonth = number(text, start + 8, 2),
            let hour = number(text, start + 11, 2),
            let minute = number(text, start + 14, 2),
            let second = number(text, start + 17, 2),
            let fraction = fraction(text[(start + 19)...]),
            let days = days(toYear: year, month: month, day: dayOfMonth),
            hour < 24, minute < 60, second < 60
        else { return nil }
        return days * day + ((hour * 60 + minute) * 60 + second) * 1_000_000 + fraction
    }

    /// Returns the microseconds since midnight.
    package static func timeOfDay(_ microseconds: Int64) -> Int64 {
        let remainder = microseconds % day
        return remainder < 0 ? remainder + day : remainder
    }

    /// Returns the days from 1970-01-01 to a date from the year 1 on; nil if the calendar does not have it.
    package static func days(toYear year: Int64, month: Int64, day: Int64) -> Int64? {
        guard year >= 1, (1...12).contains(month) else { return nil }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let length = month == 2 && isLeap ? 29 : monthLength[Int(month) - 1]
        guard (1...length).contains(day) else { return nil }
        let yearsBefore = year - 1
        let daysBefore = yearsBefore * 365 + yearsBefore / 4 - yearsBefore / 100 + yearsBefore / 400
        let leapDay: Int64 = isLeap && month > 2 ? 1 : 0
        return daysBefore + daysBeforeMonth[Int(month) - 1] + leapDay + day - 1 - daysFromYear1To1970
    }

    /// Returns the year of a day, counted in days from 1970-01-01; 1 for days before that year.
    package static func year(ofDay day: Int64) -> Int64 {
        // A close lower bound, whatever the leap years.
        var year = max(1, 1970 + day / (day < 0 ? 365 : 366) - 1)
        while let next = days(toYear: year + 1, month: 1, day: 1), next <= day { year += 1 }
        return year
    }

    /// 1,969 years of 365 days and their 477 leap days.
    private static let daysFromYear1To1970: Int64 = 719_162
    private static let monthLength: [Int64] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    private static let daysBeforeMonth: [Int64] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]

    /// Returns a number with a fixed count of digits.
    private static func number(_ text: ArraySlice<UInt8>, _ start: Int, _ count: Int) -> Int64? {
        var number: Int64 = 0
        for index in start..<(start + count) {
            let digit = text[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            number = number * 10 + Int64(digit)
        }
        return number
    }

    /// Returns the microseconds of a fraction with its point; 0 for no text.
    private static func fraction(_ text: ArraySlice<UInt8>) -> Int64? {
        guard let point = text.first else { return 0 }
        let digits = text.dropFirst()
        guard point == UInt8(ascii: "."), (1...9).contains(digits.count),
            var value = number(digits, digits.startIndex, digits.count)
        else { return nil }
        for _ in digits.count..<9 { value *= 10 }
        return value / 1000
    }
}
