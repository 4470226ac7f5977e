/// Which numbers of a CSV file are to be fitted.
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
    /// ``since``, two local times), 0 or more after the shift.
    ///
    /// - Throws: All that is wrong with the file, or that there is none.
    public func read(path: String) throws(DataFileError) -> Values {
        try read(CSVReader(path: path))
    }

    /// Reads the column of a file that is open.
    func read(_ reader: consuming CSVReader) throws(DataFileError) -> Values {
        var table = try CSVTable(reader)
        let index = table.column(name)
        let sinceIndex = since.map { table.column($0) }
        let filterIndices = filters.map { table.column($0.column) }
        var found = Values()
        while try table.advance() {
            guard let index, sinceIndex != .some(nil), !filterIndices.contains(nil) else { continue }
            found.rows += 1
            let passes = zip(filterIndices, filters)
                .allSatisfy { place, filter in
                    place.map { table.row[$0].elementsEqual(filter.value.utf8) || table.row.text($0) == filter.value }
                        ?? false
                }
            guard passes else {
                found.filtered += 1
                continue
            }
            if let from = sinceIndex ?? nil {
                addSpan(from: from, until: index, of: &table, to: &found)
            } else {
                addNumber(index, of: &table, to: &found)
            }
        }
        try table.throwIfInvalid()
        if let index, found.values.isEmpty {
            let reason =
                found.filtered > 0 && found.filtered == found.rows
                ? "no row has \(filters.map { "\($0.column)=\($0.value)" }.joined(separator: " and "))"
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
        if let value = unit.baseUnits(of: table.row[index]) {
            add(value, index, of: &table, to: &found)
        } else {
            let got = OneLine.excerpt(table.row.text(index))
            let allowed = "allowed: \(unit.allowed); --skip-negative leaves out what is below 0"
            guard let negative = negative(got), unit.baseUnits(of: Array(negative.utf8)[...]) != nil else {
                table.refuseInRow(field: index, "a number", allowed: unit.allowed)
                return
            }
            refuseNegative(index, "\(name) must be 0 or more, got \(got); \(allowed)", &table, &found)
        }
    }

    private func addSpan(from: Int, until: Int, of table: inout CSVTable, to found: inout Values) {
        guard !table.row[from].isEmpty, !table.row[until].isEmpty else {
            found.empty += 1
            return
        }
        var moments: [Int64] = []
        for index in [from, until] {
            if let moment = CivilTime.microseconds(of: table.row[index]) {
                moments.append(moment)
            } else {
                table.refuseInRow(field: index, "a local time", allowed: "as 2026-07-14T18:00:00, without zone")
            }
        }
        guard moments.count == 2 else { return }
        let span = moments[1] - moments[0]
        if span < 0 {
            let text = "\(name) is earlier than \(table.header[from])"
            refuseNegative(until, "\(text); --skip-negative leaves such rows out", &table, &found)
        } else {
            add(span, until, of: &table, to: &found)
        }
    }

    private func add(_ value: Int64, _ index: Int, of table: inout CSVTable, to found: inout Values) {
        guard value >= shift else {
            let got = OneLine.excerpt(table.row.text(index))
            let message =
                "\(name) must not be below the shift, got \"\(got)\"; allowed: a shift up to the smallest value"
            refuseNegative(index, message, &table, &found)
            return
        }
        found.values.append(value - shift)
    }

    private func refuseNegative(_ index: Int, _ message: String, _ table: inout CSVTable, _ found: inout Values) {
        if skipsNegative {
            found.negative += 1
        } else {
            table.reportInRow(field: index, column: name, message)
        }
    }

    /// The number without its sign, of a text that has one.
    private func negative(_ text: String) -> String? {
        text.hasPrefix("-") && text.count > 1 ? String(text.dropFirst()) : nil
    }
}

extension DataColumn {
    /// The unit that a column's name ends with, as `rtt_ms` does; nil if it has none.
    public static func unit(ofName name: String) -> EmpiricalColumn.Unit? {
        switch name.lowercased().split(whereSeparator: { $0 == "_" || $0 == "-" || $0 == " " }).last {
        case "us": .microseconds
        case "ms", "millis": .milliseconds
        case "s", "sec", "seconds": .seconds
        case "min", "minutes": .minutes
        case "h", "hours": .hours
        case "bytes", "count": .one
        default: nil
        }
    }
}
