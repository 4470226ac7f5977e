public import InputFiles
public import LiveActivityModel
import TextFormats

/// The column of a file, CSV or Parquet, for `freshet fit`.
public struct DataColumn: Hashable, Sendable {
    /// A condition that a row must meet.
    public struct Filter: Hashable, Sendable {
        /// The column's name in the header.
        public let column: String
        /// The exact text in the column.
        public let value: String

        /// Creates a filter for rows with a value in a column.
        public init(column: String, value: String) {
            self.column = column
            self.value = value
        }

        /// Returns conditions in words: `mode=LTE and country=US`.
        public static func text(of filters: [Filter]) -> String {
            filters.map { "\($0.column)=\($0.value)" }.joined(separator: " and ")
        }
    }

    /// The column's name in the header.
    public var name: String
    /// The column of earlier times, from which the time to ``name`` is measured; nil for a column of numbers.
    public var since: String?
    /// The unit of the numbers in the column.
    public var unit: EmpiricalColumn.Unit
    /// The conditions that rows must meet, all of them.
    public var filters: [Filter] = []
    /// `true` if rows below zero are counted and left out instead of rejected.
    public var skipsNegative = false
    /// The order of day and month in dates such as `05/06/2026`; nil to recognize it from the whole file.
    public var dates: Scenario.DateOrder?
    /// The amount subtracted from every value before the fit [base units].
    public var shift: Int64 = 0

    /// Creates a column of numbers.
    public init(name: String, unit: EmpiricalColumn.Unit) {
        self.name = name
        self.unit = unit
    }

    /// The values of a column, with the counts of omitted rows.
    public struct Values: Hashable, Sendable {
        /// The values in base units, minus the shift, in file order; never empty.
        public var values: [Int64] = []
        /// The number of rows of the file.
        public var rows = 0
        /// The number of rows that the filters left out.
        public var filtered = 0
        /// The number of rows with an empty cell.
        public var empty = 0
        /// The number of rows below zero that were left out.
        public var negative = 0
        /// Warnings about values with two possible readings; each says how to resolve it.
        public var remarks: [String] = []
    }

    /// Reads the column of a file.
    ///
    /// Empty cells and marks such as `NULL` are skipped as missing values. All other cells must be decimal numbers (or
    /// two times, with ``since``), 0 or more after the shift.
    ///
    /// - Parameters:
    ///   - format: The format of the file; ignored for Parquet.
    ///   - notify: Called with a line of text before a step that takes a while.
    /// - Throws: ``DataFileError`` with all errors of the file, or if there is none.
    public func read(
        path: String,
        format: DelimitedFormat = .recognized,
        notify: (String) -> Void = { _ in }
    ) throws(DataFileError) -> Values {
        let columns = [name] + [since].compactMap(\.self) + filters.map(\.column) + RowSelection.namesOfMeasures
        return try read(CSVReader(path: path, columns: columns, format: format, notify: notify))
    }

    /// Reads the column of an open file.
    func read(_ reader: consuming CSVReader) throws(DataFileError) -> Values {
        var table = try CSVTable(reader, areNumbered: name.isDigits)
        let index = table.column(name)
        let sinceIndex = since.map { table.column($0) }
        var selection = RowSelection(filters, in: &table, values: index)
        var zones = ZoneCheck()
        var order = DateOrderCheck()
        var found = Values()
        var dayFirst: Values?
        while try table.advance() {
            guard let index, sinceIndex != .some(nil), selection != nil else { continue }
            found.rows += 1
            guard selection?.takes(table.row) ?? false else {
                found.filtered += 1
                continue
            }
            if let from = sinceIndex ?? nil {
                if dates == nil {
                    let isFound = order.note(from, in: table.row)
                    if order.note(index, in: table.row) || isFound, dayFirst == nil {
                        dayFirst = found
                        table.beginAlternative()
                    }
                }
                addSpan(from: from, until: index, dates ?? .monthFirst, of: &table, to: &found, &zones)
                if var other = dayFirst {
                    // No second reference, so that values are added in place.
                    dayFirst = nil
                    (other.rows, other.filtered) = (found.rows, found.filtered)
                    table.swapAlternative()
                    addSpan(from: from, until: index, .dayFirst, of: &table, to: &other, &zones)
                    table.swapAlternative()
                    dayFirst = other
                }
            } else {
                addNumber(index, of: &table, to: &found)
            }
        }
        if let dayFirst, order.order == .dayFirst {
            let (rows, filtered) = (found.rows, found.filtered)
            found = dayFirst
            (found.rows, found.filtered) = (rows, filtered)
            table.swapAlternative()
        }
        selection?.check(&table)
        zones.check(&table)
        order.check(&table, setting: "--dates")
        try table.throwIfInvalid()
        if let index, found.values.isEmpty {
            let reason =
                found.filtered > 0 && found.filtered == found.rows
                ? "no row has \(Filter.text(of: filters))\(selection?.advice ?? "")"
                : "column \"\(name)\" has no values"
            table.reportInHeader(field: index, column: name, reason)
        }
        try table.throwIfInvalid()
        found.remarks = [order.remark(setting: "--dates")].compactMap(\.self)
        found.remarks += table.decimalRemarks(setting: Self.decimalSetting)
        return found
    }

    /// The advice on numbers whose points may mark decimals or thousands.
    static let decimalSetting = "Set it with --decimal: point or comma."

    private func addNumber(_ index: Int, of table: inout CSVTable, to found: inout Values) {
        guard !TextCell.isMissingNumber(table.row[index]) else {
            found.empty += 1
            return
        }
        let cell = table.number(index)
        if let value = unit.baseUnits(of: cell) {
            add(value, index, of: &table, to: &found)
        } else {
            let got = OneLine.excerpt(String(decoding: cell, as: UTF8.self))
            let allowed = "allowed: \(unit.allowed); --skip-negative leaves out what is below 0"
            guard let negative = negative(got), unit.baseUnits(of: Array(negative.utf8)[...]) != nil else {
                table.refuseInRow(field: index, "a number", allowed: unit.allowed)
                return
            }
            refuseNegative(index, "\(name) must be 0 or more, got \(got); \(allowed)", "negative", &table, &found)
        }
    }

    private func addSpan(
        from: Int,
        until: Int,
        _ order: Scenario.DateOrder,
        of table: inout CSVTable,
        to found: inout Values,
        _ zones: inout ZoneCheck
    ) {
        guard !TextCell.isMissing(table.row[from]), !TextCell.isMissing(table.row[until]) else {
            found.empty += 1
            return
        }
        var moments: [Int64] = []
        for index in [from, until] {
            if let moment = Moment(table.row[index], order: order) {
                moments.append(moment.microseconds)
                zones.note(moment, index, in: table.row)
            } else {
                table.refuseInRow(field: index, "a time", allowed: Moment.allowed)
            }
        }
        guard moments.count == 2 else { return }
        let span = moments[1] - moments[0]
        if span < 0 {
            let text = "\(name) is earlier than \(table.header[from])"
            refuseNegative(until, "\(text); --skip-negative leaves such rows out", "earlier", &table, &found)
        } else {
            add(span, until, of: &table, to: &found)
        }
    }

    private func add(_ value: Int64, _ index: Int, of table: inout CSVTable, to found: inout Values) {
        guard value >= shift else {
            let got = OneLine.excerpt(table.row.text(index))
            let message =
                "\(name) must not be below the shift, got \"\(got)\"; allowed: a shift up to the smallest value"
            refuseNegative(index, message, "shift", &table, &found)
            return
        }
        found.values.append(value - shift)
    }

    private func refuseNegative(
        _ index: Int,
        _ message: String,
        _ kind: String,
        _ table: inout CSVTable,
        _ found: inout Values
    ) {
        if skipsNegative {
            found.negative += 1
        } else {
            table.reportInRow(field: index, column: name, message, like: kind)
        }
    }

    /// Returns the number in a text without its sign; nil if the text has no sign.
    private func negative(_ text: String) -> String? {
        text.hasPrefix("-") && text.count > 1 ? String(text.dropFirst()) : nil
    }
}

extension DataColumn {
    /// Returns the unit at the end of a column's name, as in `rtt_ms`, `rttMs` and `rtt (ms)`; nil if there is none.
    public static func unit(ofName name: String) -> EmpiricalColumn.Unit? { ColumnName(name).unit }
}
