import Experiments
import TextFormats

/// Builds a CSV file as RFC 4180 describes it, with LF at the end of each line: a header, then rows.
enum CSVText {
    /// A file with its header and its rows.
    ///
    /// - Precondition: Each row has a field for each column.
    static func text(header: [String], rows: some Sequence<[String]>) -> String {
        rows.reduce(into: line(header)) { text, row in
            precondition(row.count == header.count, "a row has a field for each column")
            text += line(row)
        }
    }

    private static func line(_ fields: [String]) -> String {
        fields.map(quoted).joined(separator: ",") + "\n"
    }

    /// The fields for the bounds of an interval; empty where there is none.
    static func bounds(_ interval: ClosedRange<Double>?) -> [String] {
        [field(interval?.lowerBound), field(interval?.upperBound)]
    }

    /// A derived number to six places; empty when it is not defined.
    static func field(_ number: Double?) -> String {
        number.flatMap { FixedPoint.text($0, places: 6) } ?? ""
    }

    /// A value of the summary; empty when it is not defined.
    static func field(_ value: SummaryRow.Value?) -> String {
        switch value {
        case .integer(let integer): "\(integer)"
        case .decimal(let decimal): field(decimal)
        case nil: ""
        }
    }

    /// A value as scripts read it elsewhere in JSON; empty where it is null.
    static func field(_ value: JSONValue) -> String {
        switch value {
        case .null: ""
        case .string(let text): text
        default: String(value.text.dropLast())
        }
    }

    /// Puts a field with a separator, a quote or the end of a line into quotes, and an apostrophe before a formula.
    private static func quoted(_ field: String) -> String {
        let field = OneLine.isFormula(field) ? "'" + field : field
        guard field.utf8.contains(where: { [0x2C, 0x22, 0x0A, 0x0D].contains($0) }) else { return field }
        return "\"" + field.replacingScalars { $0 == "\"" ? "\"\"" : nil } + "\""
    }
}
