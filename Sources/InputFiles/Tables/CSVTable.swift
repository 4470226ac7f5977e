import TextFormats

/// A file of delimited text with named or numbered columns, read row by row.
///
/// It collects all errors. A malformed row is reported and skipped, so that one pass finds all of them.
package struct CSVTable: ~Copyable {
    /// The largest number and length [bytes] of names that are compared with a missing one.
    ///
    /// A hostile header may have a million names.
    private static let comparedNames = (count: 1000, length: 64)

    /// The names of the columns, or their numbers without a header.
    package private(set) var header: [String] = []

    private var reader: CSVReader
    private var headerRecord = CSVRecord()
    private var problems = DataFileProblems()
    /// The errors of the alternative reading of the rows; nil if there is only one reading.
    private var alternative: DataFileProblems?
    /// The columns with a decimal comma in a previous row.
    private var commaColumns: Set<Int> = []
    /// The columns with a number whose point cannot separate thousands.
    private var pointColumns: Set<Int> = []
    /// The first number of a column whose points may separate thousands, with its line.
    private var grouped: [Int: (line: Int, text: String)] = [:]
    /// A Boolean value that indicates whether the columns have numbers instead of names.
    package private(set) var isNumbered = false
    /// A Boolean value that indicates whether the first record is a row that the next step returns.
    private var firstIsRow = false

    /// Reads the header, or the first row if columns are numbered.
    ///
    /// - Parameter areNumbered: `true` if the caller names columns by number, so that a first line with data is a row.
    package init(_ reader: consuming CSVReader, areNumbered: Bool = false) throws(DataFileError) {
        self.reader = reader
        switch try self.reader.advance() {
        case .record:
            headerRecord = self.reader.record
            header = headerRecord.fields.indices.map(headerRecord.text)
            isNumbered = !self.reader.format.hasHeader || areNumbered && looksLikeData
            firstIsRow = isNumbered
            if isNumbered { header = headerRecord.fields.indices.map { "\($0 + 1)" } }
            try checkSeparator()
        case .malformed(let diagnostic):
            problems.report(diagnostic)
        case .end:
            reportInHeader(field: 0, "the file is empty; it must begin with a header")
        }
        try problems.throwIfAny()
    }

    /// Rejects a file that the separator does not split but another one would, because all of its rows would be wrong.
    private mutating func checkSeparator() throws(DataFileError) {
        guard headerRecord.fields.count == 1 else { return }
        let likely = DelimitedFormat.recognizedSeparator(in: headerRecord.bytes)
        guard likely != reader.separator, headerRecord.bytes.contains(likely) else { return }
        func name(_ byte: UInt8) -> String { DelimitedFormat.separators.first { $0.byte == byte }?.name ?? "separator" }
        reportInHeader(
            field: 0,
            "the first line has no \(name(reader.separator)) but a \(name(likely)); is that the separator?"
        )
    }

    /// The last row found.
    package var row: CSVRecord {
        _read { yield reader.record }
    }

    /// Advances to the next valid row; `false` at the end of the file.
    package mutating func advance() throws(DataFileError) -> Bool {
        if firstIsRow {
            firstIsRow = false
            return true
        }
        while true {
            switch try reader.advance() {
            case .end:
                return false
            case .malformed(let diagnostic):
                problems.report(diagnostic, like: diagnostic.message)
                alternative?.report(diagnostic, like: diagnostic.message)
            case .record:
                let count = row.fields.count
                if isRule() { continue }
                if count == header.count { return true }
                let rule = "must have \(header.count) like the \(isNumbered ? "first row" : "header")"
                let place = row.place(ofField: header.count)
                let message = "the row has \(count) \(count == 1 ? "field" : "fields"), \(rule)"
                report(at: place, column: "", message, like: rule)
                swapAlternative()
                if alternative != nil { report(at: place, column: "", message, like: rule) }
                swapAlternative()
            }
        }
    }

    /// Returns `true` for the line below the header of a table drawn with pipes: `---------+-------` or `|----|----|`.
    private func isRule() -> Bool {
        reader.separator == UInt8(ascii: "|") && row.bytes.allSatisfy { "-+|: ".utf8.contains($0) }
            && String(decoding: row.bytes, as: UTF8.self).contains("---")
    }

    /// Begins a second list of errors, for an alternative reading of the rows from the current one on.
    package mutating func beginAlternative() { alternative = problems }

    /// Switches to the errors of the alternative reading; does nothing if there is only one reading.
    package mutating func swapAlternative() {
        guard let other = alternative else { return }
        alternative = problems
        problems = other
    }

    /// Returns the index of a column that must occur exactly once, and reports an error otherwise.
    ///
    /// Names in `known` have a meaning of their own, so they are not suggested as misspellings.
    ///
    /// - Parameter key: The scenario key that states the name; nil for a usual name or an option.
    package mutating func column(_ name: String, besides known: [String] = [], statedBy key: String? = nil) -> Int? {
        let index = optionalColumn(name)
        if index == nil { reportMissing(name, besides: known, statedBy: key) }
        return index
    }

    /// Reports that a column is missing, with the most similar name in the header.
    package mutating func reportMissing(
        _ name: String,
        besides known: [String] = [],
        statedBy key: String? = nil,
        hint: String = ""
    ) {
        let advice =
            isNumbered
            ? "the columns have no names; allowed: their numbers, 1 … \(header.count)"
            : nameLike(name, besides: known).map { "did you mean \"\($0)\"?" } ?? "the header has \(Self.list(header))"
        reportInHeader(
            field: 0,
            column: name,
            (key.map { "\($0): " } ?? "")
                + "column \"\(OneLine.excerpt(name, longest: 64))\" is missing; \(advice)\(hint)\(hintOfData)"
        )
    }

    /// Returns the name in the header that may be a misspelling of another; nil if none is similar.
    package func nameLike(_ name: String, besides known: [String]) -> String? {
        let candidates = header.prefix(Self.comparedNames.count)
            .filter { candidate in
                candidate.utf8.count <= Self.comparedNames.length && !known.contains(candidate)
            }
        return Suggestion.nearest(to: name, among: candidates)
    }

    /// The end of a message about a missing column, if the first line has data instead of names.
    package var hintOfData: String {
        guard isWithoutHeader else { return "" }
        return
            "; the first line looks like data, not a header: name the columns by number, from 1 (freshet fit: with --no-header)"
    }

    /// A Boolean value that indicates whether the file seems to have no header, but is read as if it had one.
    package var isWithoutHeader: Bool { !isNumbered && looksLikeData }

    /// The parsed names of the columns; names that are too long for a comparison are empty.
    package var columnNames: [ColumnName] {
        header.prefix(Self.comparedNames.count)
            .map { ColumnName($0.utf8.count <= Self.comparedNames.length ? $0 : "") }
    }

    /// Returns the index of a column that may be absent, and reports an error if it occurs more than once.
    ///
    /// A column matches by its name, by the same name in another case or with other separators between its words, or by
    /// its number, from 1.
    package mutating func optionalColumn(_ name: String) -> Int? {
        var found = header.indices.filter { header[$0] == name }
        if found.isEmpty, name.utf8.count <= Self.comparedNames.length {
            let key = ColumnName(name).key
            found = header.indices.prefix(Self.comparedNames.count)
                .filter { Self.key(of: header[$0]) == key && !key.isEmpty }
        }
        if found.isEmpty, let number = Int(name), header.indices.contains(number - 1) { found = [number - 1] }
        guard let first = found.first else { return nil }
        if found.count > 1 {
            reportInHeader(
                field: found[1],
                column: name,
                "column \"\(OneLine.excerpt(name, longest: 64))\" occurs more than once, first in field \(first + 1)"
            )
        }
        return first
    }

    /// Returns a name without case and separators; empty if it is too long for a comparison.
    private static func key(of name: String) -> String {
        name.utf8.count <= comparedNames.length ? ColumnName(name).key : ""
    }

    /// A Boolean value that indicates whether the first line has a number or a time, which headers do not.
    private var looksLikeData: Bool {
        headerRecord.fields.indices.contains { index in
            let field = TextCell.trimmed(headerRecord[index])
            return Moment.isTime(field)
                || field.count <= 64 && NumberText.number(String(decoding: field, as: UTF8.self)) != nil
        }
    }

    /// Returns a field of the current row as a number with a decimal point and its unit, if it has one.
    ///
    /// Files with semicolons come from countries that write decimal commas, and points between thousands. A comma in a
    /// column shows that `1.155` in the same column is 1155. If `1.155` came first, an error is reported. If nothing
    /// decides it, ``decimalRemarks(setting:)`` names the column.
    package mutating func number(_ field: Int) -> ArraySlice<UInt8> {
        let cell = TextCell.trimmed(row[field])
        let point = UInt8(ascii: ".")
        let comma = UInt8(ascii: ",")
        let mark = reader.format.decimalMark
        guard mark == comma || mark == nil && reader.separator == UInt8(ascii: ";") else { return cell }
        let (number, unit) = TextCell.splitUnit(cell)
        let groups = number.split(separator: point, omittingEmptySubsequences: false)
        if mark == nil {
            let isCertain = number.contains(comma) || groups.count > 2 && TextCell.mayBeGrouped(number)
            if isCertain {
                noteComma(field)
            } else if TextCell.mayBeGrouped(number) {
                let line = row.place(ofField: field).line
                if grouped[field] == nil { grouped[field] = (line, OneLine.excerpt(row.text(field))) }
            } else if groups.count == 2 {
                pointColumns.insert(field)
            }
        }
        guard mark == comma || commaColumns.contains(field) else { return cell }
        if number.contains(comma) { return TextCell.withDecimalPoint(number) + unit }
        return TextCell.mayBeGrouped(number) ? ArraySlice(groups.joined()) + unit : cell
    }

    /// Records that a column has decimal commas, or points between thousands.
    private mutating func noteComma(_ field: Int) {
        guard commaColumns.insert(field).inserted, let (line, _) = grouped[field] else { return }
        reportInRow(
            field: field,
            "has a decimal comma, so the number in line \(line) may have points between thousands; write numbers "
                + "without them",
            like: "decimal comma"
        )
    }

    /// Returns sentences about columns whose points may mark decimals or thousands.
    ///
    /// - Parameter setting: A sentence on how to resolve it.
    package func decimalRemarks(setting: String) -> [String] {
        grouped.keys.sorted().filter { !commaColumns.contains($0) && !pointColumns.contains($0) }
            .compactMap { field in
                grouped[field]
                    .map { line, text in
                        "Numbers of \(name(of: field)) such as \"\(text)\" in line \(line) may have a decimal point or points "
                            + "between thousands; they are read with a decimal point. \(setting)"
                    }
            }
    }

    /// Reports an error in a field of the current row.
    ///
    /// - Parameter kind: The feature shared with similar errors; by default the message.
    package mutating func reportInRow(field: Int, column: String = "", _ message: String, like kind: String? = nil) {
        report(at: row.place(ofField: field), column: column, message, like: kind ?? message)
    }

    /// Rejects a field of the current row, with the rule, the value and what is allowed.
    package mutating func refuseInRow(field: Int, _ rule: String, allowed: String) {
        let got = OneLine.excerpt(row.text(field))
        let message = "\(name(of: field)) must be \(rule), got \"\(got)\"; allowed: \(allowed)"
        reportInRow(field: field, column: header[field], message, like: rule)
    }

    /// Returns the name of a column in messages.
    package func name(of field: Int) -> String {
        isNumbered ? "column \(header[field])" : OneLine.excerpt(header[field], longest: 64)
    }

    /// Reports an error in a field of the header.
    package mutating func reportInHeader(field: Int, column: String = "", _ message: String) {
        report(at: headerRecord.place(ofField: field), column: column, message)
    }

    /// Throws the reported errors, if there are any.
    package func throwIfInvalid() throws(DataFileError) {
        try problems.throwIfAny()
    }

    /// Reports an error at a location.
    mutating func report(
        at place: (line: Int, column: Int),
        column: String,
        _ message: String,
        like kind: String? = nil
    ) {
        problems.report(
            Diagnostic(file: reader.file, line: place.line, column: place.column, path: column, message: message),
            like: kind
        )
    }

    /// Returns a limited number of names for a message, because a header may hold any number.
    package static func list(_ names: [String], limit: Int = 20) -> String {
        let shown = names.prefix(limit).map { "\"\(OneLine.excerpt($0))\"" }.joined(separator: ", ")
        return names.count > limit ? "\(shown) and \(names.count - limit) more" : shown
    }
}
