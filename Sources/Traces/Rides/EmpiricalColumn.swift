public import InputFiles
import Quantities
import TextFormats

/// Reads the values of one column of a file, CSV or Parquet, for an empirical distribution.
public enum EmpiricalColumn {
    /// The unit of the numbers in a column.
    public enum Unit: String, CaseIterable, Sendable {
        case nanoseconds = "ns"
        case microseconds = "us"
        case milliseconds = "ms"
        case seconds = "s"
        case minutes = "m"
        case hours = "h"
        case days = "d"
        /// A pure number: counts, bytes.
        case one = "1"

        /// The number of base units (microseconds, or ones) in one of the unit.
        public var factor: Double {
            switch self {
            case .nanoseconds: 1e-3
            case .microseconds, .one: 1
            case .milliseconds: 1e3
            case .seconds: 1e6
            case .minutes: 60e6
            case .hours: 3600e6
            case .days: 86_400e6
            }
        }

        /// Creates the unit with a factor; nil if there is none.
        package init?(factor: Double) {
            guard let unit = Self.allCases.first(where: { $0.factor == factor }) else { return nil }
            self = unit
        }

        /// The largest value in base units: the longest span, or the largest integer that a `Double` holds exactly.
        var largest: Double {
            self == .one ? 0x1p53 : Double(TimeSpan.longest.microseconds)
        }
    }

    /// Reads a column.
    ///
    /// Empty cells and marks such as `NULL` are skipped as missing values. All other cells must be decimal numbers, 0
    /// or more, optionally with their own unit. Values are rounded to the nearest base unit, halves upwards.
    ///
    /// - Returns: The values in base units, ascending; never empty.
    public static func read(
        path: String,
        column: String,
        unit: Unit,
        notify: (String) -> Void = { _ in }
    ) throws(DataFileError) -> [Int64] {
        try read(CSVReader(path: path, columns: [column], notify: notify), column: column, unit: unit) { remark in
            notify("warning: \(OneLine.text(path)): \(remark)")
        }
    }

    /// Reads a column of an open file.
    package static func read(
        _ reader: consuming CSVReader,
        column: String,
        unit: Unit,
        warn: (String) -> Void = { _ in }
    ) throws(DataFileError) -> [Int64] {
        var table = try CSVTable(reader)
        let index = table.column(column)
        var values: [Int64] = []
        while try table.advance() {
            guard let index, !TextCell.isMissingNumber(table.row[index]) else { continue }
            if let value = unit.baseUnits(of: table.number(index)) {
                values.append(value)
            } else {
                table.refuseInRow(field: index, "a number", allowed: unit.allowed)
            }
        }
        try table.throwIfInvalid()
        if let index, values.isEmpty {
            table.reportInHeader(field: index, column: column, "column \"\(column)\" has no values")
        }
        try table.throwIfInvalid()
        let setting = "Numbers without points between thousands, or one with a decimal comma, settle it."
        for remark in table.decimalRemarks(setting: setting) { warn(remark) }
        values.sort()
        return values
    }
}

extension EmpiricalColumn.Unit {
    /// Returns the value of a cell in base units; nil if it is not a decimal number within the unit's range.
    ///
    /// A cell may have its own unit of time, `114.681ms` or `1m2.5s`, which then takes precedence.
    func baseUnits(of cell: ArraySlice<UInt8>) -> Int64? {
        guard cell.count <= 64 else { return nil }
        if Self.hasOwnUnit(cell) { return self == .one ? nil : Self.span(cell) }
        // Double(_:) alone would also accept "nan", "inf" and hexadecimal numbers.
        guard cell.allSatisfy({ Self.decimalBytes.contains($0) }),
            let number = Double(String(decoding: cell, as: UTF8.self))
        else { return nil }
        return number >= 0 ? rounded(number * factor) : nil
    }

    private func rounded(_ value: Double) -> Int64? {
        let value = value.rounded(.toNearestOrAwayFromZero)
        return value <= largest ? Int64(value) : nil
    }

    /// Returns `true` for a cell that begins as a number and ends with letters.
    static func hasOwnUnit(_ cell: ArraySlice<UInt8>) -> Bool {
        guard let first = cell.first, let last = cell.last else { return false }
        return (first.isDigit || first == UInt8(ascii: ".")) && !last.isDigit && last != UInt8(ascii: ".")
    }

    /// Returns a span of time with its units, such as `1m2.5s` [µs]; nil for any other text.
    private static func span(_ cell: ArraySlice<UInt8>) -> Int64? {
        var rest = cell
        var sum = 0.0
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isDigit || $0 == UInt8(ascii: ".") }
            rest = rest.dropFirst(digits.count).drop { $0 == UInt8(ascii: " ") }
            let name = rest.prefix { !$0.isDigit && $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: " ") }
            rest = rest.dropFirst(name.count).drop { $0 == UInt8(ascii: " ") }
            guard let number = Double(String(decoding: digits, as: UTF8.self)),
                let unit = ColumnName.unit(named: String(decoding: name, as: UTF8.self)), unit != .one
            else { return nil }
            sum += number * unit.factor
        }
        return EmpiricalColumn.Unit.microseconds.rounded(sum)
    }

    /// The values that ``baseUnits(of:)`` accepts, for messages.
    var allowed: String {
        let largest = Int64(largest / factor)
        return self == .one ? "0 … \(largest)" : "0 … \(largest) \(rawValue)"
    }

    private static let decimalBytes = Array("0123456789.eE+-".utf8)
}
