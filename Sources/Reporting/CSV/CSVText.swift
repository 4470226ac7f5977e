import Evaluation
import TextFormats

/// Builds a CSV file: a header, then rows.
enum CSVText {
    /// Returns a file with its header and rows.
    ///
    /// - Precondition: Each row has a field for each column.
    static func text(header: [String], rows: some Sequence<[String]>) -> String {
        rows.reduce(into: QuotedText.csvLine(header)) { text, row in
            precondition(row.count == header.count, "a row has a field for each column")
            text += QuotedText.csvLine(row)
        }
    }

    /// Returns the fields for the bounds of an interval; empty if there is none.
    static func bounds(_ interval: ClosedRange<Double>?) -> [String] {
        [field(interval?.lowerBound), field(interval?.upperBound)]
    }

    /// Returns the field for a derived number, with six places; empty if it is undefined.
    static func field(_ number: Double?) -> String {
        number.flatMap { FixedPoint.text($0, places: 6) } ?? ""
    }

    /// Returns the field for a value of the summary; empty if it is undefined.
    static func field(_ value: SummaryRow.Value?) -> String {
        switch value {
        case .integer(let integer): "\(integer)"
        case .decimal(let decimal): field(decimal)
        case nil: ""
        }
    }

    /// Returns the field for a JSON value; empty for null.
    static func field(_ value: JSONValue) -> String {
        switch value {
        case .null: ""
        case .string(let text): text
        default: String(value.text.dropLast())
        }
    }
}
