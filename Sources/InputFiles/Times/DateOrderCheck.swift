package import LiveActivityModel

/// The order of day and month in a file's dates such as `05/06/2026`, recognized from all of them.
///
/// A first number above 12 is a day, and a second number above 12 is too. If no date of the file has either, both
/// orders fit.
package struct DateOrderCheck {
    private var dayFirst: LocatedText?
    private var monthFirst: LocatedText?
    private var undecided: LocatedText?

    /// Records the time in a field of a table's current row.
    ///
    /// - Returns: `true` if its date has numbers for day and month, in either order.
    @discardableResult
    package mutating func note(_ field: Int, in row: borrowing CSVRecord) -> Bool {
        guard let (first, second) = Moment.numericDate(row[field]) else { return false }
        if first > 12, second <= 12 {
            if dayFirst == nil { dayFirst = LocatedText(field, in: row) }
        } else if second > 12, first <= 12 {
            if monthFirst == nil { monthFirst = LocatedText(field, in: row) }
        } else if undecided == nil, first != second {
            undecided = LocatedText(field, in: row)
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
        LocatedText.report(
            (dayFirst, "has the day first"),
            (monthFirst, "has the month first"),
            rule: "all dates of a file must have the same order; set it with \(setting)",
            in: &table
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
}
