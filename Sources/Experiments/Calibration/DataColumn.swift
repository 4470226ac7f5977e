public import LiveActivityModel

/// The numbers of a file, CSV or Parquet, that `freshet fit` fits.
public struct DataColumn: Hashable, Sendable {
    /// A condition that a row must meet.
    public struct Filter: Hashable, Sendable {
        /// The column's name in the header.
        public let column: String
        /// What the row has there, exactly.
        public let value: String

        /// Rows that have a value in a column.
        public init(column: String, value: String) {
            self.column = column
            self.value = value
        }

        /// Conditions in words: `mode=LTE and country=US`.
        public static func text(of filters: [Filter]) -> String {
            filters.map { "\($0.column)=\($0.value)" }.joined(separator: " and ")
        }
    }

    /// The column's name in the header.
    public var name: String
    /// A column of earlier times: the time from there to ``name`` is meant; nil for a column of numbers.
    public var since: String?
    /// What 1 in the column stands for.
    public var unit: EmpiricalColumn.Unit
    /// What rows must have; all of it.
    public var filters: [Filter] = []
    /// Whether rows below zero are counted and left out, in place of refused.
    public var skipsNegative = false
    /// The order of day and month in dates such as `05/06/2026`; nil to recognize it from the whole file.
    public var dates: Scenario.DateOrder?
    /// What is taken off every value before anything is fitted [base units].
    public var shift: Int64 = 0

    /// A column of numbers.
    public init(name: String, unit: EmpiricalColumn.Unit) {
        self.name = name
        self.unit = unit
    }

    /// The values of a column, and what was left out.
    public struct Values: Hashable, Sendable {
        /// In base units, less the shift, in file order; never empty.
        public var values: [Int64] = []
        /// Rows of the file.
        public var rows = 0
        /// Rows that the filters passed over.
        public var filtered = 0
        /// Rows with an empty cell.
        public var empty = 0
        /// Rows below zero that were left out.
        public var negative = 0
        /// Warnings about values that can be read in two ways; each says how to settle it.
        public var remarks: [String] = []
    }

    /// Reads the column of a file.
    ///
    /// Empty cells and marks such as `NULL` are passed over, as values that the source does not have. Everything else must be a
    /// decimal number (of ``since``, two times), 0 or more after the shift.
    ///
    /// - Parameters:
    ///   - format: The form of the file; nothing of it counts for Parquet.
    ///   - notify: Reports, in a line, a step that takes a while.
    /// - Throws: All that is wrong with the file, or that there is none.
    public func read(
        path: String,
        format: DelimitedFormat = .recognized,
        notify: (String) -> Void = { _ in }
    ) throws(DataFileError) -> Values {
        let columns = [name] + [since].compactMap(\.self) + filters.map(\.column) + RowSelection.namesOfMeasures
        return try read(CSVReader(path: path, columns: columns, format: format, notify: notify))
    }

    /// Reads the column of a file that is open.
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

    /// How a user says whether points stand before decimals or between thousands.
    static let decimalSetting = "--decimal states it: point or comma."

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

    /// The number without its sign, of a text that has one.
    private func negative(_ text: String) -> String? {
        text.hasPrefix("-") && text.count > 1 ? String(text.dropFirst()) : nil
    }
}

extension DataColumn {
    /// The unit that a column's name ends with, as `rtt_ms`, `rttMs` and `rtt (ms)` do; nil if it has none.
    public static func unit(ofName name: String) -> EmpiricalColumn.Unit? { ColumnName(name).unit }
}
