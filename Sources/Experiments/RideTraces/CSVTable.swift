/// A file of delimited text with named or numbered columns, read row by row; collects everything that is wrong with it.
///
/// A row that breaks the format is reported and passed over, so that one reading finds all of them.
struct CSVTable: ~Copyable {
    /// How many names, and how long ones [bytes], are compared with a missing one: a hostile header has a million names.
    private static let comparedNames = (count: 1000, length: 64)

    /// The columns' names; without a header their numbers.
    private(set) var header: [String] = []

    private var reader: CSVReader
    private var headerRecord = CSVRecord()
    private var problems = DataFileProblems()
    /// The problems of another way to read the rows; nil where there is one way alone.
    private var alternative: DataFileProblems?
    /// The columns with a decimal comma in a row before.
    private var commaColumns: Set<Int> = []
    /// The columns with a number whose point cannot stand between thousands.
    private var pointColumns: Set<Int> = []
    /// The first number of a column that may have points between thousands, and its line.
    private var grouped: [Int: (line: Int, text: String)] = [:]
    /// A Boolean value that indicates whether the columns have numbers instead of names.
    private(set) var isNumbered = false
    /// A Boolean value that indicates whether the first record is a row that the next step returns.
    private var firstIsRow = false

    /// Reads the header, or the first row where columns go by number.
    ///
    /// - Parameter areNumbered: `true` if the caller names columns by numbers: then a first line with data is a row.
    init(_ reader: consuming CSVReader, areNumbered: Bool = false) throws(DataFileError) {
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

    /// Refuses a file that the separator does not divide but another one would: else each of its rows would be wrong.
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

    /// The row found last.
    var row: CSVRecord {
        _read { yield reader.record }
    }

    /// Goes to the next sound row; false at the end of the file.
    mutating func advance() throws(DataFileError) -> Bool {
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
                let rule = "must have \(header.count) as the \(isNumbered ? "first row" : "header") has"
                let place = row.place(ofField: header.count)
                let message = "the row has \(count) \(count == 1 ? "field" : "fields"), \(rule)"
                report(at: place, column: "", message, like: rule)
                swapAlternative()
                if alternative != nil { report(at: place, column: "", message, like: rule) }
                swapAlternative()
            }
        }
    }

    /// `true` for the line under the header of a table that is drawn with pipes: `---------+-------` or `|----|----|`.
    private func isRule() -> Bool {
        reader.separator == UInt8(ascii: "|") && row.bytes.allSatisfy { "-+|: ".utf8.contains($0) }
            && String(decoding: row.bytes, as: UTF8.self).contains("---")
    }

    /// Begins a second list of problems, for another way to read the rows from the current one on.
    mutating func beginAlternative() { alternative = problems }

    /// Exchanges the list of problems for that of the other way to read the rows; does nothing where there is one way alone.
    mutating func swapAlternative() {
        guard let other = alternative else { return }
        alternative = problems
        problems = other
    }

    /// The index of a column that must be there exactly once; reports if it is not.
    ///
    /// Names of `known` have a meaning of their own, and so are not taken for the name misspelt.
    ///
    /// - Parameter key: The key of a scenario that states the name; nil where it is a usual name or an option.
    mutating func column(_ name: String, besides known: [String] = [], statedBy key: String? = nil) -> Int? {
        let index = optionalColumn(name)
        if index == nil { reportMissing(name, besides: known, statedBy: key) }
        return index
    }

    /// Reports that a column is missing, with the name in the header that is most like it.
    mutating func reportMissing(
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

    /// The name in the header that another could have been misspelt for; nil where none is near.
    func nameLike(_ name: String, besides known: [String]) -> String? {
        let candidates = header.prefix(Self.comparedNames.count)
            .filter { candidate in
                candidate.utf8.count <= Self.comparedNames.length && !known.contains(candidate)
            }
        return Suggestion.nearest(to: name, among: candidates)
    }

    /// The end of a message about a missing column, of a file whose first line has data and no names.
    var hintOfData: String {
        guard isWithoutHeader else { return "" }
        return
            "; the first line looks like data, not like a header: with --no-header it is a row, and columns go by number, "
            + "from 1"
    }

    /// A Boolean value that indicates whether the file seems to have no header but is read as if it had.
    var isWithoutHeader: Bool { !isNumbered && looksLikeData }

    /// The columns' names taken apart; those that are too long to be compared are empty.
    var columnNames: [ColumnName] {
        header.prefix(Self.comparedNames.count)
            .map { ColumnName($0.utf8.count <= Self.comparedNames.length ? $0 : "") }
    }

    /// The index of a column that may be absent; reports if it is there more than once.
    ///
    /// A column goes by its name, by the same name in another case or with other characters between its words, or by its
    /// number, from 1.
    mutating func optionalColumn(_ name: String) -> Int? {
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
                "column \"\(OneLine.excerpt(name, longest: 64))\" is there more than once; its first place is field \(first + 1)"
            )
        }
        return first
    }

    /// A name without case and separators; empty for a name that is too long to compare.
    private static func key(of name: String) -> String {
        name.utf8.count <= comparedNames.length ? ColumnName(name).key : ""
    }

    /// A Boolean value that indicates whether the first line has a number or a time, as headers have not.
    private var looksLikeData: Bool {
        headerRecord.fields.indices.contains { index in
            let field = TextCell.trimmed(headerRecord[index])
            return Moment.isTime(field)
                || field.count <= 64 && NumberText.number(String(decoding: field, as: UTF8.self)) != nil
        }
    }

    /// A field of the current row as a number with a decimal point; its unit stays, if it has one.
    ///
    /// Files with semicolons come from places that write the comma for the point, and points between thousands. A comma in a
    /// column shows that `1.155` in the same column is 1155. If `1.155` came first, that is reported. Where nothing shows it,
    /// ``decimalRemarks(setting:)`` names the column.
    mutating func number(_ field: Int) -> ArraySlice<UInt8> {
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

    /// Notes that a column has decimal commas, or points between thousands.
    private mutating func noteComma(_ field: Int) {
        guard commaColumns.insert(field).inserted, let (line, _) = grouped[field] else { return }
        reportInRow(
            field: field,
            "has a decimal comma, so the number in line \(line) may have points between thousands; write numbers "
                + "without them",
            like: "decimal comma"
        )
    }

    /// Sentences about columns whose points may stand before decimals or between thousands.
    ///
    /// - Parameter setting: How to settle it, as a sentence.
    func decimalRemarks(setting: String) -> [String] {
        grouped.keys.sorted().filter { !commaColumns.contains($0) && !pointColumns.contains($0) }
            .compactMap { field in
                grouped[field]
                    .map { line, text in
                        "Numbers of \(name(of: field)) such as \"\(text)\" in line \(line) may have a decimal point or points "
                            + "between thousands; they are read with a decimal point. \(setting)"
                    }
            }
    }

    /// Reports a problem of a field of the current row.
    ///
    /// - Parameter kind: The feature that it shares with similar problems; by default its message.
    mutating func reportInRow(field: Int, column: String = "", _ message: String, like kind: String? = nil) {
        report(at: row.place(ofField: field), column: column, message, like: kind ?? message)
    }

    /// Refuses a field of the current row: what it must be, what it is, and what is allowed.
    mutating func refuseInRow(field: Int, _ rule: String, allowed: String) {
        let got = OneLine.excerpt(row.text(field))
        let message = "\(name(of: field)) must be \(rule), got \"\(got)\"; allowed: \(allowed)"
        reportInRow(field: field, column: header[field], message, like: rule)
    }

    /// A column as messages call it.
    func name(of field: Int) -> String {
        isNumbered ? "column \(header[field])" : OneLine.excerpt(header[field], longest: 64)
    }

    /// Reports a problem of a field of the header.
    mutating func reportInHeader(field: Int, column: String = "", _ message: String) {
        report(at: headerRecord.place(ofField: field), column: column, message)
    }

    /// Throws what was reported, if anything was.
    func throwIfInvalid() throws(DataFileError) {
        try problems.throwIfAny()
    }

    /// Reports a problem at a place.
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

    /// Names for a message, of which a header may hold any number.
    static func list(_ names: [String], limit: Int = 20) -> String {
        let shown = names.prefix(limit).map { "\"\(OneLine.excerpt($0))\"" }.joined(separator: ", ")
        return names.count > limit ? "\(shown) and \(names.count - limit) more" : shown
    }
}
