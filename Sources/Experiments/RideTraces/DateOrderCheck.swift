import LiveActivityModel

/// The order of day and month in a file's dates such as `05/06/2026`, recognized from all of them.
///
/// A first number above 12 is a day, and so is a second one. Where no date of the file has either, both orders fit.
struct DateOrderCheck {
    /// One date, and where it stands.
    private struct Example {
        let line: Int
        let column: Int
        let field: Int
        let text: String
    }

    private var dayFirst: Example?
    private var monthFirst: Example?
    private var undecided: Example?

    /// A Boolean value that indicates whether a date of the file has its day and its month as numbers in one of both orders.
    private(set) var hasNumericDates = false

    /// Notes the time in a field of a table's current row.
    ///
    /// - Returns: `true` if its date has its day and its month as numbers in one of both orders.
    @discardableResult
    mutating func note(_ field: Int, in row: borrowing CSVRecord) -> Bool {
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

    /// The order that the dates have, by those so far; nil where both fit.
    ///
    /// Month first where dates contradict each other, which ``check(_:setting:)`` reports.
    var decided: Scenario.DateOrder? {
        if monthFirst != nil { return .monthFirst }
        return dayFirst != nil ? .dayFirst : nil
    }

    /// The order that the dates have; month first where both fit.
    var order: Scenario.DateOrder { decided ?? .monthFirst }

    /// Reports to the table if some dates have the day first and others the month.
    ///
    /// - Parameter setting: What states the order, for the message.
    func check(_ table: inout CSVTable, setting: String) {
        guard let dayFirst, let monthFirst else { return }
        let isDayFirst = dayFirst.line > monthFirst.line
        let (first, second) = isDayFirst ? (monthFirst, dayFirst) : (dayFirst, monthFirst)
        table.report(
            at: (second.line, second.column),
            column: table.header[second.field],
            "\(table.name(of: second.field)) has the \(isDayFirst ? "day" : "month") first, \"\(second.text)\", but "
                + "\(table.name(of: first.field)) of line \(first.line) has the \(isDayFirst ? "month" : "day") first, "
                + "\"\(first.text)\"; all dates of a file must have one order; \(setting) states it"
        )
    }

    /// A sentence about dates that fit both orders; nil where the order is certain.
    ///
    /// - Parameter setting: What states the order, as `rides.trace.dates`.
    func remark(setting: String) -> String? {
        guard let undecided, dayFirst == nil, monthFirst == nil else { return nil }
        return
            "Dates such as \"\(undecided.text)\" in line \(undecided.line) may have the month or the day first; they are read "
            + "month first. \(setting) states the order: month_first or day_first."
    }

    private static func example(_ field: Int, _ row: borrowing CSVRecord) -> Example {
        let place = row.place(ofField: field)
        return Example(line: place.line, column: place.column, field: field, text: OneLine.excerpt(row.text(field)))
    }
}
