package import LiveActivityModel
import TextFormats

/// The order of day and month in a file's dates such as `05/06/2026`, recognized from all of them.
///
/// A first number above 12 is a day, and a second number above 12 is too. If no date of the file has either, both
/// orders fit.
package struct DateOrderCheck {
    /// A date with its location.
    private struct Example {
        let line: Int
        let column: Int
        let field: Int
        let text: String
    }

    private var dayFirst: Example?
    private var monthFirst: Example?
    private var undecided: Example?

    /// A Boolean value that indicates whether a date of the file has numbers for day and month, in either order.
    private(set) var hasNumericDates = false

    /// Records the time in a field of a table's current row.
    ///
    /// - Returns: `true` if its date has numbers for day and month, in either order.
    @discardableResult
    package mutating func note(_ field: Int, in row: borrowing CSVRecord) -> Bool {
        guard let (first, second) = Moment.numericDate(row[field]) else { return false }
        hasNumericDates = true
        if first > 12, second <= 12 {
            if dayFirst == nil { dayFirst = Self.example(field, row) }
        } else if second > 12, first <= 12 {
            if monthFirst == nil { monthFirst = Self.example(field, row) }
        } else if undecided == nil, first != second {
            undecided = Self.example(field, row)
        }
        return true
    }

    /// The order of the dates so far; nil if both fit.
    ///
    /// It is month first if dates contradict each other, which ``check(_:setting:)`` reports.
    package var decided: Scenario.DateOrder? {
        if monthFirst != nil { return .monthFirst }
        return dayFirst != nil ? .dayFirst : nil
    }

    /// The order of the dates; month first if both fit.
    package var order: Scenario.DateOrder { decided ?? .monthFirst }

    /// Creates a check that has seen nothing.
    package init() {}

    /// Reports an error if some dates have the day first and others the month.
    ///
    /// - Parameter setting: The option or key that sets the order, for the message.
    package func check(_ table: inout CSVTable, setting: String) {
        guard let dayFirst, let monthFirst else { return }
        let isDayFirst = dayFirst.line > monthFirst.line
        let (first, second) = isDayFirst ? (monthFirst, dayFirst) : (dayFirst, monthFirst)
        table.report(
            at: (second.line, second.column),
            column: table.header[second.field],
            "\(table.name(of: second.field)) has the \(isDayFirst ? "day" : "month") first, \"\(second.text)\", but "
                + "\(table.name(of: first.field)) of line \(first.line) has the \(isDayFirst ? "month" : "day") first, "
                + "\"\(first.text)\"; all dates of a file must have the same order; set it with \(setting)"
        )
    }

    /// Returns a sentence about dates that fit both orders; nil if the order is certain.
    ///
    /// - Parameter setting: The option or key that sets the order: `rides.trace.dates`.
    package func remark(setting: String) -> String? {
        guard let undecided, dayFirst == nil, monthFirst == nil else { return nil }
        return
            "Dates such as \"\(undecided.text)\" in line \(undecided.line) may have the month or the day first; they are read "
            + "month first. Set the order with \(setting): month_first or day_first."
    }

    private static func example(_ field: Int, _ row: borrowing CSVRecord) -> Example {
        let place = row.place(ofField: field)
        return Example(line: place.line, column: place.column, field: field, text: OneLine.excerpt(row.text(field)))
    }
}
