import Quantities

/// Reads the values of one column of a file, CSV or Parquet, for an empirical distribution.
public enum EmpiricalColumn {
    /// What the numbers of a column stand for.
    public enum Unit: String, CaseIterable, Sendable {
        case nanoseconds = "ns"
        case microseconds = "us"
        case milliseconds = "ms"
        case seconds = "s"
        case minutes = "m"
        case hours = "h"
        case days = "d"
        /// No duration: counts, bytes.
        case one = "1"

        /// Base units (microseconds, or ones) in one of the unit.
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

        /// The unit with a factor; nil if there is none.
        init?(factor: Double) {
            guard let unit = Self.allCases.first(where: { $0.factor == factor }) else { return nil }
            self = unit
        }

        /// The largest value in base units: the longest span, or the integers that a `Double` holds exactly.
        var largest: Double {
            self == .one ? 0x1p53 : Double(TimeSpan.longest.microseconds)
        }
    }

    /// Reads a column.
    ///
    /// Empty cells are passed over, as values that the source does not have. Everything else must be a decimal number, 0
    /// or more. Values are rounded to the nearest base unit, halves upwards.
    ///
    /// - Returns: The values in base units, ascending; never empty.
    public static func read(
        path: String,
        column: String,
        unit: Unit,
        tell: (String) -> Void = { _ in }
    ) throws(DataFileError) -> [Int64] {
        try read(CSVReader(path: path, columns: [column], notify: tell), column: column, unit: unit)
    }

    /// Reads a column of a file that is open.
    static func read(_ reader: consuming CSVReader, column: String, unit: Unit) throws(DataFileError) -> [Int64] {
        var table = try CSVTable(reader)
        let index = table.column(column)
        var values: [Int64] = []
        while try table.advance() {
            guard let index, !table.row[index].isEmpty else { continue }
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
        values.sort()
        return values
    }
}

extension EmpiricalColumn.Unit {
    /// The value of a cell in base units; nil if it is not a decimal number within the unit's range.
    func baseUnits(of cell: ArraySlice<UInt8>) -> Int64? {
        // Double(_:) alone would also take "nan", "inf" and hexadecimal.
        guard cell.count <= 64, cell.allSatisfy({ Self.decimalBytes.contains($0) }),
            let number = Double(String(decoding: cell, as: UTF8.self))
        else { return nil }
        let value = (number * factor).rounded(.toNearestOrAwayFromZero)
        return number >= 0 && value <= largest ? Int64(value) : nil
    }

    /// What ``baseUnits(of:)`` takes, for messages.
    var allowed: String {
        let largest = Int64(largest / factor)
        return self == .one ? "0 … \(largest)" : "0 … \(largest) \(rawValue)"
    }

    private static let decimalBytes = Array("0123456789.eE+-".utf8)
}
