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
    }

    /// Reads the column of a file.
    ///
    /// Empty cells are passed over, as values that the source does not have. Everything else must be a decimal number (of
    /// ``since``, two times), 0 or more after the shift.
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
        var found = Values()
        while try table.advance() {
            guard let index, sinceIndex != .some(nil), selection != nil else { continue }
            found.rows += 1
            guard selection?.takes(table.row) ?? false else {
                found.filtered += 1
                continue
            }
            if let from = sinceIndex ?? nil {
                addSpan(from: from, until: index, of: &table, to: &found, &zones)
            } else {
                addNumber(index, of: &table, to: &found)
            }
        }
        selection?.check(&table)
        zones.check(&table)
        try table.throwIfInvalid()
        if let index, found.values.isEmpty {
            let reason =
                found.filtered > 0 && found.filtered == found.rows
                ? "no row has \(Filter.text(of: filters))"
                : "column \"\(name)\" has no values"
            table.reportInHeader(field: index, column: name, reason)
        }
        try table.throwIfInvalid()
        return found
    }

    private func addNumber(_ index: Int, of table: inout CSVTable, to found: inout Values) {
        guard !table.row[index].isEmpty else {
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
        of table: inout CSVTable,
        to found: inout Values,
        _ zones: inout ZoneCheck
    ) {
        guard !table.row[from].isEmpty, !table.row[until].isEmpty else {
            found.empty += 1
            return
        }
        var moments: [Int64] = []
        for index in [from, until] {
            if let moment = Moment(table.row[index]) {
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
